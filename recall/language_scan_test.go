package recall

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"yore/recall/query"
	"yore/sessions"
)

// scanned is a random question for patterns together with what it means.
type scanned struct {
	any     []string // alternatives: patterns between slashes, phrases between quotes
	not     []string // the same, each left out
	scopes  []string
	filters []query.Filter
}

func (d scanned) text() string {
	parts := []string{strings.Join(d.any, " OR ")}
	for _, n := range d.not {
		parts = append(parts, "-"+n)
	}
	for _, s := range d.scopes {
		parts = append(parts, "in:"+s)
	}
	for _, f := range d.filters {
		parts = append(parts, f.String())
	}
	return strings.Join(parts, " ")
}

func drawScan(t *rapid.T) scanned {
	pattern := rapid.SampledFrom([]string{`/cach/`, `/la.out/`, `/shard|login/`, `/^the/`, `/t\d*1$/`, `/(?i)KAFKA of/`, `/x/`})
	phrase := rapid.SampledFrom([]string{`"the cache"`, `"vault"`, `"of the"`, `"login login"`})
	d := scanned{
		any:    append([]string{pattern.Draw(t, "pattern")}, rapid.SliceOfN(rapid.OneOf(pattern, phrase), 0, 2).Draw(t, "or")...),
		not:    rapid.SliceOfN(rapid.OneOf(pattern, phrase), 0, 2).Draw(t, "not"),
		scopes: rapid.SliceOfNDistinct(rapid.SampledFrom([]string{query.Talk, query.Tools, query.Thinking, query.All}), 0, 2, rapid.ID[string]).Draw(t, "in"),
	}
	for _, f := range slices.Concat(drawQuestion(t).filters, drawQuestion(t).filters) {
		one := slices.ContainsFunc(d.filters, func(g query.Filter) bool { return g.Name == f.Name })
		spec, _ := query.SpecOf(f.Name)
		if f.Name != query.Role && (!one || spec.Several) { // the role of what hangs is another's
			d.filters = append(d.filters, f)
		}
	}
	return d
}

// passes says, without any of the filters' code, whether a turn passes all filters and
// is of a kind that is searched: of several values of one filter any is enough.
func (d scanned) passes(k talk, s sessions.Span) bool {
	in := map[bool]string{true: query.Thinking, false: query.Tools}[s.Kind == sessions.Thinking]
	if s.Kind.Conversation() {
		in = query.Talk
	}
	if !slices.Contains(d.scopes, query.All) && !slices.Contains(d.scopes, in) && (len(d.scopes) > 0 || in != query.Talk) {
		return false
	}
	some, ok := map[string]bool{}, map[string]bool{}
	for _, f := range d.filters {
		passed := passesPlainly(f, k, s)
		if f.Not && !passed {
			return false
		}
		if !f.Not {
			some[f.Name] = true
			ok[f.Name] = ok[f.Name] || passed
		}
	}
	return len(some) == 0 || !slices.ContainsFunc(slices.Collect(maps.Keys(some)), func(name string) bool { return !ok[name] })
}

// holdsAny tells whether a turn that passes holds one of some patterns and phrases.
func holdsAny(turns, of []string) bool {
	return slices.ContainsFunc(turns, func(turn string) bool {
		return slices.ContainsFunc(of, func(what string) bool {
			inside := what[1 : len(what)-1]
			if what[0] == '/' {
				return regexp.MustCompile(inside).MatchString(turn)
			}
			return strings.Contains(" "+turn+" ", " "+inside+" ")
		})
	})
}

// What patterns find, alone or beside phrases, less what is left out, in each scope and
// under all filters, is what a plain look at every text finds.
func TestScanEqualsPlainLook(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		talks, d := drawTalks(rt), drawScan(rt)
		n := 0
		unique := func(text string) string { n++; return fmt.Sprintf("%s t%d", text, n) }
		for i := range talks {
			for j := range talks[i].turns {
				talks[i].turns[j].Text = unique(talks[i].turns[j].Text)
			}
			for j, kind := range rapid.SliceOfN(rapid.SampledFrom([]sessions.Kind{sessions.ToolCall, sessions.ToolOutput, sessions.Thinking}), 0, 4).Draw(rt, "hung") {
				text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(oracleWords), 1, 4).Draw(rt, "its text"), " ")
				talks[i].hung = append(talks[i].hung, sessions.Hung{Index: j / 2, Turn: sessions.Turn{Kind: kind, Role: sessions.Assistant, At: talks[i].turns[0].At, Text: unique(text)}})
			}
		}
		want := map[string]bool{}
		for _, k := range talks {
			look := func(spans []sessions.Span, text string) {
				var turns []string
				for _, s := range spans {
					if d.passes(k, s) {
						turns = append(turns, text[s.From:s.To])
					}
				}
				if holdsAny(turns, d.any) && !holdsAny(turns, d.not) {
					want[k.ID+": "+text] = true
				}
			}
			u := k.update()
			for _, p := range u.Passages {
				look(p.Spans, p.Text)
			}
			for _, h := range u.Hung {
				look([]sessions.Span{{To: len(h.Text), Kind: h.Kind, Role: h.Role, At: h.At}}, h.Text)
			}
		}
		e := engineOf(t, talks...)
		a := ask(t, e, Query{Text: d.text(), All: true, Limit: 1000})
		got := map[string]bool{}
		for _, h := range a.Hits {
			for _, m := range h.Members {
				got[h.Session.ID+": "+m.Text] = true
				if !want[h.Session.ID+": "+m.Text] {
					rt.Fatalf("%s finds %q of %s: want %q", d.text(), m.Text, h.Session.ID, slices.Sorted(maps.Keys(want)))
				}
			}
		}
		if len(got) != len(want) || a.PassagesMatched != len(want) || a.AtLeast {
			rt.Fatalf("%s: %d matched, %v shown, want %v", d.text(), a.PassagesMatched, got, want)
		}
	})
}

// While somebody types, the search for a pattern stops when it has enough, newest
// first; else it counts exactly. It can be cancelled.
func TestPatternScan(t *testing.T) {
	var talks []talk
	for i := range 300 {
		talks = append(talks, said("s"+strings.Repeat("i", i), day(300-i), "build 17 failed"))
	}
	e := engineOf(t, talks...)
	q := Query{Text: `/build \d+ failed/`, All: true, Limit: 5}
	a := ask(t, e, q)
	if a.PassagesMatched != 300 || a.AtLeast || a.Hits[0].Session.ID != talks[299].ID || a.Hits[0].Text != "build 17 failed" || len(a.Hits[0].Matches) != 1 {
		t.Errorf("%d matched, at least %v, first %+v", a.PassagesMatched, a.AtLeast, a.Hits[0])
	}
	q.Typing = true
	if b := ask(t, e, q); b.PassagesMatched >= 300 || !b.AtLeast || !slices.Equal(ids(a), ids(b)) {
		t.Errorf("typing: %d matched, at least %v, %q", b.PassagesMatched, b.AtLeast, ids(b))
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Ask(gone, q); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// A pattern that takes too long ends the search, with what is found by then and a
// word of how far it was (a pattern of great size, or gigabytes of text); the words
// that narrow it down, topic and filling up included.
func TestPatternPatience(t *testing.T) {
	var talks []talk
	for i := range 300 {
		talks = append(talks, said(fmt.Sprintf("s-%03d", i), day(300-i), strings.Repeat("the build of the cache failed ", 30)))
	}
	e := engineOf(t, talks...)
	for _, text := range []string{`/(b|c|d)*uild/`, `/(x+x+)+y/`, `build /cache (of|fail)/`, `build -/z{500}$/`} {
		hasty := ask(t, e, Query{Text: text, Patience: 1, Typing: true})
		if hasty.Complete || !hasty.AtLeast || !strings.Contains(strings.Join(hasty.Notes, " "), "of 300 texts were searched, the newest first") {
			t.Errorf("%s: complete %v, at least %v, %q", text, hasty.Complete, hasty.AtLeast, hasty.Notes)
		}
		if all := ask(t, e, Query{Text: text, Patience: time.Hour}); !all.Complete || all.AtLeast || strings.Contains(strings.Join(all.Notes, " "), "ended") {
			t.Errorf("%s, patiently: complete %v, at least %v, %q", text, all.Complete, all.AtLeast, all.Notes)
		}
	}
}

// waited is a context that notes when it was waited for first.
type waited struct {
	context.Context
	at time.Time
}

func (w *waited) Done() <-chan struct{} {
	if w.at.IsZero() {
		w.at = time.Now()
	}
	return w.Context.Done()
}

// The time in which the words of tools are read, as they are for the first question about
// them, is not taken from the patience that texts are searched with.
func TestPatienceBeginsWithTheTexts(t *testing.T) {
	e := engineOf(t, shelf()...)
	ctx := &waited{Context: t.Context()}
	s, _, err := e.newSearch(ctx, Query{Text: "needle /ne+dle/ in:all"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.release()
	if ctx.at.IsZero() {
		t.Fatal("nobody waited for the words")
	}
	if s.began.Before(ctx.at) {
		t.Errorf("it began %v before its words were waited for", ctx.at.Sub(s.began))
	}
}

// The words narrow a search for a pattern down, newest first too, and it finds the same.
func TestPatternBesideWords(t *testing.T) {
	e := engineOf(t, said("a", day(2), "the cache has 12 shards"), said("b", day(1), "the cache has many shards"), said("c", day(3), "12 shards"))
	if a := ask(t, e, Query{Text: `cache shards /\d+ shards/`}); !slices.Equal(ids(a), []string{"a", "c"}) || a.PassagesMatched != 2 || !a.Complete {
		t.Errorf("%q, %d, %v", ids(a), a.PassagesMatched, a.Complete)
	}
}
