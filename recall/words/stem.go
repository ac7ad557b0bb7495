package words

import (
	"strings"
	"sync"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// stemLimit is how many stems are remembered at most. Working sets are smaller:
// the distinct words of 200,000 passages of software talk are about this many.
const stemLimit = 1 << 16

// Stem gives the form under which the inflections of a folded English word meet:
// its base form when it is irregular (wrote is write), then the Snowball English
// stem. Terms that are not ASCII letters throughout stay as they are. Safe for
// concurrent use.
func Stem(term string) string {
	if len(term) < 3 || !letters(term) {
		if base, ok := irregular()[term]; ok {
			return base
		}
		return term
	}
	stems.RLock()
	stem, ok := stems.known[term]
	stems.RUnlock()
	if ok {
		return stem
	}
	term = strings.Clone(term)
	base, ok := irregular()[term]
	if !ok {
		base = term
	}
	stem = snowball(base)
	stems.Lock()
	if len(stems.known) >= stemLimit {
		clear(stems.known)
	}
	stems.known[term] = stem
	stems.Unlock()
	return stem
}

var stems = struct {
	sync.RWMutex
	known map[string]string
}{known: map[string]string{}}

func snowball(word string) string {
	env := snowballstem.NewEnv(word)
	english.Stem(env)
	return env.Current()
}

// letters says whether s is ASCII letters only.
func letters(s string) bool {
	for i := range len(s) {
		if class[s[i]] != lower {
			return false
		}
	}
	return true
}

// StemStarts gives the bytes with which the terms of a stem can begin: its own
// first one, and those of the irregular forms that lead to it. No other rule
// changes how a word begins.
func StemStarts(stem string) []byte {
	var starts []byte
	if stem != "" {
		starts = append(starts, stem[0])
	}
	return append(starts, irregularStarts()[stem]...)
}

var irregularStarts = sync.OnceValue(func() map[string][]byte {
	starts := make(map[string][]byte)
	for form := range irregular() {
		if stem := Stem(form); stem[0] != form[0] {
			starts[stem] = append(starts[stem], form[0])
		}
	}
	return starts
})

// irregular leads from an inflected form to its base form.
var irregular = sync.OnceValue(func() map[string]string {
	forms := make(map[string]string, 512)
	for line := range strings.Lines(irregularForms + verbalNouns) {
		fields := strings.Fields(line)
		for i := 1; i < len(fields); i++ {
			forms[fields[i]] = fields[0]
		}
	}
	return forms
})
