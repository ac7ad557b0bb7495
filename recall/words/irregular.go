package words

// irregularForms lists base forms and the inflections of them that no suffix rule
// finds, a base form a line. Left out on purpose are forms that are another word in
// software talk: axes, bases, bit, bound, data, ground, hid, lay, left, lit, lives,
// media, sat, shot, sprang, wound.
//
// The nouns at the end are regular ones that Snowball stems apart (aliases, alias), among
// them the abbreviations without a vowel before the last letter (W4: gpus, gpu).
const irregularForms = `
arise arose arisen
awake awoke awoken
be am is are was were been
bear borne
beat beaten
become became
begin began begun
bend bent
bleed bled
blow blew blown
break broke broken
breed bred
bring brought
build built
burn burnt
buy bought
catch caught
choose chose chosen
cling clung
come came
creep crept
deal dealt
dig dug
do did does done
draw drew drawn
dream dreamt
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
flee fled
fling flung
fly flew flown
forbid forbade forbidden
foresee foresaw foreseen
forget forgot forgotten
forgive forgave forgiven
freeze froze frozen
get got gotten
give gave given
go went gone goes
grow grew grown
hang hung
have has had
hear heard
hide hidden
hold held
keep kept
kneel knelt
know knew known
lead led
lean leant
leap leapt
learn learnt
lend lent
lose lost
make made
mean meant
meet met
mislead misled
mistake mistook mistaken
misunderstand misunderstood
outgrow outgrew outgrown
outrun outran
overcome overcame
overdo overdid overdone
overfeed overfed
overhear overheard
override overrode overridden
overrun overran
oversee oversaw overseen
overtake overtook overtaken
overthrow overthrew overthrown
overwrite overwrote overwritten
pay paid
prepay prepaid
prove proven
rebuild rebuilt
rebind rebound
redo redid redone
redraw redrew redrawn
regrow regrew regrown
remake remade
repay repaid
rerun reran
resell resold
retake retook retaken
retell retold
rethink rethought
rethrow rethrew rethrown
rewrite rewrote rewritten
ride rode ridden
ring rang rung
rise rose risen
run ran
say said
see saw seen
seek sought
sell sold
send sent
sew sewn
shake shook shaken
shine shone
show shown
shrink shrank shrunk
sing sang sung
sink sank sunk
sleep slept
slide slid
sling slung
sneak snuck
speak spoke spoken
speed sped
spell spelt
spend spent
spill spilt
spin spun
spoil spoilt
stand stood
steal stole stolen
stick stuck
sting stung
stride strode stridden
strike struck stricken
strive strove striven
swear swore sworn
sweep swept
swell swollen
swim swam swum
swing swung
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
tread trod trodden
undergo underwent undergone
understand understood
undertake undertook undertaken
undo undid undone undoes
unfreeze unfroze unfrozen
unwind unwound
uphold upheld
wake woke woken
wear wore worn
weave wove woven
weep wept
win won
withdraw withdrew withdrawn
withhold withheld
withstand withstood
write wrote written
bad worse worst
good better best
far farther farthest
child children
foot feet
goose geese
man men
mouse mice
person people
tooth teeth
woman women
antenna antennae
appendix appendices
automaton automata
cactus cacti
codex codices
corpus corpora
criterion criteria
crisis crises
analysis analyses
diagnosis diagnoses
ellipsis ellipses
emphasis emphases
focus foci
formula formulae
fungus fungi
genus genera
half halves
helix helices
hypothesis hypotheses
index indices
knife knives
loaf loaves
locus loci
matrix matrices
nucleus nuclei
oasis oases
parenthesis parentheses
phenomenon phenomena
quantum quanta
radius radii
schema schemata
self selves
shelf shelves
simplex simplices
stimulus stimuli
syllabus syllabi
symposium symposia
synopsis synopses
synthesis syntheses
thesis theses
thief thieves
vertex vertices
vortex vortices
wife wives
wolf wolves
alias aliases
atlas atlases
bias biases biased
canvas canvases
chaos chaotic
gas gases
lens lenses
pancreas pancreases
quiz quizzes
cpu cpus
crd crds
csv csvs
db dbs
gpu gpus
llm llms
pdf pdfs
png pngs
pr prs
rpc rpcs
sdk sdks
ssd ssds
svg svgs
tpu tpus
tty ttys
vm vms
`

// verbalNouns lists verbs and the nouns made of them that Snowball stems apart,
// among the words by which people ask what was done: who asks what was decided
// means the passage that begins with "Decision:".
const verbalNouns = `
advise advice
analyse analysis analyses analyze
believe belief
choose choice choices
collide collision collisions
compare comparison comparisons
conclude conclusion conclusions
confuse confusion
convert conversion conversions
decide decision decisions
defend defence defense
describe description descriptions
divide division divisions
expand expansion expansions
explain explanation explanations
extend extension extensions
fail failure failures
grow growth
include inclusion
lose loss losses
maintain maintenance
permit permission permissions
prove proof proofs
receive reception
resolve resolution resolutions
respond response responses
solve solution solutions
submit submission submissions
subscribe subscription subscriptions
succeed success successful
suspend suspension
transmit transmission transmissions
`
