package recall

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"yore/recall/query"
	"yore/sessions"
)

// The words of the random talks: none is a form, a beginning or a slip of another.
var oracleWords = []string{"cache", "layout", "shard", "login", "kafka", "vault", "the", "of"}

// drawn is a random question together with what it means, kept apart.
type drawn struct {
	words   []string
	phrase  []string // words side by side; none when empty
	not     string
	filters []query.Filter
}

func (d drawn) text() string {
	parts := slices.Clone(d.words)
	if len(d.phrase) > 0 {
		parts = append(parts, `"`+strings.Join(d.phrase, " ")+`"`)
	}
	if d.not != "" {
		parts = append(parts, "-"+d.not)
	}
	for _, f := range d.filters {
		parts = append(parts, f.String())
	}
	return strings.Join(parts, " ")
}

func drawQuestion(t *rapid.T) drawn {
	word := rapid.SampledFrom(oracleWords[:6])
	d := drawn{words: rapid.SliceOfN(word, 1, 2).Draw(t, "words")}
	if rapid.Bool().Draw(t, "has a phrase") {
		d.phrase = rapid.SliceOfN(rapid.SampledFrom(oracleWords), 1, 3).Draw(t, "phrase")
	}
	if rapid.Bool().Draw(t, "leaves out") {
		d.not = word.Draw(t, "not")
	}
	values := map[string][]string{
		query.Agent: {"claude", "codex"}, query.Dir: {"shop", "/home/me", "me/shop", "api"}, query.Role: {"user", "assistant"},
		query.Since: {"3d", "2026-11-26"}, query.Before: {"2d", "2026-11-28"}, query.On: {"yesterday", "2026-11-28"},
		query.Session: {"s-00", "s-01"}, query.Branch: {"main", "fix"}, query.Agents: {"on", "off", "only"}, query.Title: {"cache", "layout"},
		query.Headless: {"on", "off", "only"},
	}
	names := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{
		query.Agent, query.Dir, query.Role, query.Since, query.Before, query.On, query.Session, query.Branch, query.Agents, query.Title, query.Headless,
	}), 0, 3, rapid.ID[string]).Draw(t, "filters")
	for _, name := range names {
		f := query.Filter{Name: name, Value: rapid.SampledFrom(values[name]).Draw(t, name)}
		f.Not = name != query.Agents && name != query.Headless && rapid.Bool().Draw(t, "minus")
		d.filters = append(d.filters, f)
	}
	return d
}

func drawTalks(t *rapid.T) []talk {
	var talks []talk
	for i := range rapid.IntRange(2, 8).Draw(t, "talks") {
		var texts []string
		for range rapid.IntRange(1, 4).Draw(t, "turns") {
			text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(oracleWords), 1, 5).Draw(t, "text"), " ")
			texts = append(texts, rapid.SampledFrom([]string{"", "> "}).Draw(t, "role")+text)
		}
		k := said(fmt.Sprintf("s-%02d", i), day(rapid.IntRange(0, 6).Draw(t, "day")), texts...)
		k.Harness = rapid.SampledFrom([]string{"claude", "codex"}).Draw(t, "harness")
		k.Directory = rapid.SampledFrom([]string{"", "/home/me/shop", "/home/me/shop/api", "/srv/shop"}).Draw(t, "directory")
		k.Branch = rapid.SampledFrom([]string{"", "main", "fix/main"}).Draw(t, "branch")
		k.Title = rapid.SampledFrom([]string{"", "the cache", "layout of the cache"}).Draw(t, "title")
		k.Subagent = rapid.IntRange(0, 3).Draw(t, "sub-agent") == 0
		k.Headless = rapid.IntRange(0, 3).Draw(t, "headless") == 0
		for j := range k.turns {
			k.turns[j].At = k.turns[j].At.Add(time.Duration(rapid.IntRange(0, 3).Draw(t, "later")) * 24 * time.Hour)
			if rapid.IntRange(0, 7).Draw(t, "undated") == 0 {
				k.turns[j].At = time.Time{}
			}
		}
		talks = append(talks, k)
	}
	return talks
}

// passesPlainly says, without any of the filters' code, whether a turn passes.
func passesPlainly(f query.Filter, k talk, s sessions.Span) bool {
	starts := map[string]int{"3d": 3, "2d": 2, "yesterday": 1, "2026-11-26": 4, "2026-11-28": 2} // days before today
	midnight := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
	from := midnight.AddDate(0, 0, -starts[f.Value])
	var ok bool
	switch f.Name {
	case query.Agent:
		ok = k.Harness == f.Value
	case query.Dir:
		ok = map[string]bool{
			"shop /home/me/shop": true, "shop /home/me/shop/api": true, "shop /srv/shop": true, "/home/me /home/me/shop": true,
			"/home/me /home/me/shop/api": true, "me/shop /home/me/shop": true, "me/shop /home/me/shop/api": true, "api /home/me/shop/api": true,
		}[f.Value+" "+k.Directory]
	case query.Role:
		ok = (s.Kind == sessions.Reply) == (f.Value == "assistant")
	case query.Since:
		ok = !s.At.Before(from)
	case query.Before:
		ok = s.At.Before(from)
	case query.On:
		ok = !s.At.Before(from) && s.At.Before(from.AddDate(0, 0, 1))
	case query.Session:
		ok = k.ID == f.Value
	case query.Branch:
		ok = strings.Contains("/"+k.Branch+"/", "/"+f.Value+"/")
	case query.Title:
		ok = strings.Contains(k.Title, f.Value)
	case query.Agents:
		ok = f.Value == "on" || k.Subagent == (f.Value == "only")
	case query.Headless:
		ok = f.Value == "on" || k.Headless == (f.Value == "only")
	}
	if s.At.IsZero() && slices.Contains([]string{query.Since, query.Before, query.On}, f.Name) {
		return false
	}
	return ok != f.Not
}

// expected are the passages that answer, by a plain look at every turn.
func expected(d drawn, talks []talk) map[string]bool {
	s := &search{plan: newPlan(Query{Text: d.text()}, testNow)}
	type seen struct {
		name        string
		all, passed uint32
		turns       []string
	}
	var passages []seen
	for _, k := range talks {
		for _, p := range k.update().Passages {
			one := seen{name: fmt.Sprintf("%s:%d", k.ID, p.Number)}
			one.all, _ = s.mark(p.Text).held()
			var text []string
			for _, span := range p.Spans {
				if !slices.ContainsFunc(d.filters, func(f query.Filter) bool { return !passesPlainly(f, k, span) }) {
					text = append(text, p.Text[span.From:span.To])
				}
			}
			one.turns = text
			one.passed, _ = s.mark(strings.Join(text, " ")).held()
			passages = append(passages, one)
			for w := range s.words {
				s.words[w].found += int(one.all >> w & 1)
			}
		}
	}
	s.measure(len(passages))
	out := map[string]bool{}
	for _, p := range passages {
		has := func(words ...string) bool {
			return slices.ContainsFunc(p.turns, func(t string) bool { return strings.Contains(" "+t+" ", " "+strings.Join(words, " ")+" ") })
		}
		ok, _ := s.matches(p.passed, 0)
		if len(d.phrase) > 0 {
			ok = has(d.phrase...)
		}
		if ok && (d.not == "" || !has(d.not)) {
			out[p.name] = true
		}
	}
	return out
}

// What the words find under random filters, phrases and exclusions is what a plain
// look at every turn finds, no more and no less; what the topic finds passes them too.
func TestLanguageEqualsPlainLook(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		talks, d := drawTalks(rt), drawQuestion(rt)
		e := engineOf(t, talks...)
		want := expected(d, talks)
		a := ask(t, e, Query{Text: d.text(), All: true, Limit: 1000})
		got := map[string]bool{}
		for _, h := range a.Hits {
			for _, m := range h.Members {
				name := fmt.Sprintf("%s:%d", h.Session.ID, m.Number)
				if m.RankWords > 0 {
					got[name] = true
					if !want[name] {
						rt.Fatalf("%s finds %s: %q", d.text(), name, m.Text)
					}
					continue
				}
				k := talks[slices.IndexFunc(talks, func(k talk) bool { return k.ID == h.Session.ID })]
				if !slices.ContainsFunc(m.Spans, func(s sessions.Span) bool {
					return !slices.ContainsFunc(d.filters, func(f query.Filter) bool { return !passesPlainly(f, k, s) })
				}) {
					rt.Fatalf("%s: the topic finds %s, of which no turn passes", d.text(), name)
				}
			}
		}
		if len(got) != len(want) || a.PassagesMatched != len(want) {
			rt.Fatalf("%s: %d matched, %v shown, want %v", d.text(), a.PassagesMatched, got, want)
		}
	})
}

// either is a question of plain words, of each of these groups of which one is enough.
type either [][]string

func (q either) text() string {
	var groups []string
	for _, words := range q {
		groups = append(groups, strings.Join(words, " OR "))
	}
	return strings.Join(groups, " ")
}

// expected are the passages that answer, by the contract's words alone: half of the
// groups of which a word was said anywhere, where they are half of the weight, one of
// which no word was said weighing as the rarest one, and at least as a word in a fifth of
// the passages.
func (q either) expected(passages map[string]string) map[string]bool {
	in := func(text string, group []string) bool {
		return slices.ContainsFunc(group, func(w string) bool { return slices.Contains(strings.Fields(text), w) })
	}
	frequency := func(group []string) (most int) { // of the word that most passages hold
		for _, w := range group {
			n := 0
			for _, text := range passages {
				if in(text, []string{w}) {
					n++
				}
			}
			most = max(most, n)
		}
		return most
	}
	weight := func(in float64) float64 { return math.Log(1 + float64(len(passages))/in) }
	said, known, unknown, rarest := 0, 0.0, 0, weight(float64(len(passages))/5)
	scarce := true
	for _, group := range q {
		n := frequency(group)
		if n == 0 {
			unknown++
			continue
		}
		said++
		scarce = scarce && n <= max(1, len(passages)/50)
		known += weight(float64(n))
		rarest = max(rarest, weight(float64(n)))
	}
	out := map[string]bool{}
	needed := float64(unknown) * rarest
	if len(q) != 2 || said != 1 || !scarce {
		needed *= absentTouch // more than half
	}
	if said == 0 || known < needed {
		return out
	}
	for name, text := range passages {
		held := 0
		for _, group := range q {
			if in(text, group) {
				held++
			}
		}
		if held >= enoughWords(said) {
			out[name] = true
		}
	}
	return out
}

// What is found for words and alternatives between them is what the contract says, in
// whatever order the alternatives stand.
func TestAlternativesEqualPlainLook(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		talks := drawTalks(rt)
		word := rapid.SampledFrom(append(slices.Clone(oracleWords[:6]), "wombat", "quokka")) // two were never said
		var q either
		used := map[string]bool{}
		for range rapid.IntRange(1, 3).Draw(rt, "groups") {
			var group []string
			for _, w := range rapid.SliceOfNDistinct(word, 1, 3, rapid.ID[string]).Draw(rt, "group") {
				if !used[w] {
					used[w], group = true, append(group, w)
				}
			}
			if len(group) > 0 {
				q = append(q, group)
			}
		}
		passages := map[string]string{}
		for _, k := range talks {
			for _, p := range k.update().Passages {
				passages[fmt.Sprintf("%s:%d", k.ID, p.Number)] = p.Text
			}
		}
		e := engineOf(t, talks...)
		want := slices.Sorted(maps.Keys(q.expected(passages)))
		a := ask(t, e, Query{Text: q.text(), All: true, Limit: 1000})
		var got []string
		for _, h := range a.Hits {
			for _, m := range h.Members {
				if m.RankWords > 0 {
					got = append(got, fmt.Sprintf("%s:%d", h.Session.ID, m.Number))
				}
			}
		}
		if slices.Sort(got); !slices.Equal(got, want) || a.PassagesMatched != len(want) {
			rt.Fatalf("%s: %d matched, %v, want %v", q.text(), a.PassagesMatched, got, want)
		}
	})
}
