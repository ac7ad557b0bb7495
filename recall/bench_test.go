package recall

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"yore/sessions"
)

// benchTalks invents talk of about n passages whose words are as unevenly frequent
// as those of real text.
func benchTalks(n int) []talk {
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.2, 8, 30_000)
	syllables := []string{"ka", "lo", "mi", "ne", "ru", "ta", "vo", "shi", "pre", "con", "dec", "ash", "in", "lay", "out"}
	words := make([]string, 30_001)
	for i := range words {
		for range 1 + i%3 + i%2 {
			words[i] += syllables[r.IntN(len(syllables))]
		}
	}
	copy(words, []string{"the", "we", "a", "cache", "layout", "decision", "is", "to", "test"})
	const perSession = 36
	var talks []talk
	for s := range n / perSession {
		var texts []string
		for range perSession {
			var b strings.Builder
			for b.Len() < sessions.PassageChars-150 {
				b.WriteString(words[zipf.Uint64()])
				b.WriteByte(' ')
			}
			texts = append(texts, b.String())
		}
		talks = append(talks, said(fmt.Sprintf("session-%05d", s), day(s%700), texts...))
	}
	return talks
}

// BenchmarkAsk asks 20,000 passages, word by word and as typed.
func BenchmarkAsk(b *testing.B) {
	e := engineOf(b, benchTalks(20_000)...)
	for _, query := range []string{"cache layout decision", "the", "what did we decide about the cache layout last week", "zqwrodding"} {
		b.Run(query, func(b *testing.B) {
			for b.Loop() {
				ask(b, e, Query{Text: query})
			}
		})
	}
	b.Run("typed", func(b *testing.B) {
		const phrase = "cache layout decision"
		for i := 0; b.Loop(); i++ {
			ask(b, e, Query{Text: phrase[:1+i%len(phrase)], Typing: true})
		}
	})
}

// BenchmarkLanguage asks 20,000 passages what costs more than words: phrases of
// common and of rare words, exclusions, filters on turns, a pattern on every text. One of
// the texts has what is left out as one word.
func BenchmarkLanguage(b *testing.B) {
	e := engineOf(b, append(benchTalks(20_000), said("one word", day(1), "the testlayout option"))...)
	e.edition().index.Compact()
	for _, query := range []string{`"cache layout"`, `"the we a"`, "cache -layout", "cache -test-layout", "cache layout role:user", "cache layout since:90d", `/cache [a-z]+ test/`} {
		b.Run(query, func(b *testing.B) {
			for b.Loop() {
				ask(b, e, Query{Text: query})
			}
		})
	}
}
