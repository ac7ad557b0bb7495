package judge

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"yore/recall"
)

// The relevance filter that this package takes the place of, with its faults, as a
// reference: what it promised is checked here, and where this package does
// otherwise, the fault is named.

// seedResult is what it filtered.
type seedResult struct {
	text     string
	score    float64
	metadata string // JSON
}

type seedConfig struct {
	most  int
	floor float64
}

var seedDefault = seedConfig{most: 10, floor: 0.40}

// seedFilter gives the places of the results that are kept. chat is asked at most
// once, with one line for each candidate.
func seedFilter(results []seedResult, query string, chat func(user string) (any, error), c seedConfig) []int {
	all, candidates := []int{}, []int{}
	for i := range results {
		all = append(all, i)
	}
	if len(results) == 0 || query == "" {
		return all
	}
	lines := []string{}
	for _, i := range all[:min(c.most, len(all))] {
		if results[i].score >= c.floor {
			candidates = append(candidates, i)
			lines = append(lines, fmt.Sprintf("[%d] %s", len(candidates), seedExcerpt(results[i])))
		}
	}
	if len(candidates) == 0 {
		return candidates
	}
	said, err := chat(query + "\n\n" + strings.Join(lines, "\n"))
	verdicts, ok := said.([]any)
	if err != nil || !ok {
		return candidates
	}
	kept := []int{}
	for i, candidate := range candidates {
		if i < len(verdicts) && verdicts[i] == true {
			kept = append(kept, candidate)
		}
	}
	return kept
}

// seedExcerpt is the first 200 UTF-16 units of the abstract, else of the text.
func seedExcerpt(r seedResult) string {
	text := r.text
	var meta map[string]any
	if json.Unmarshal([]byte(r.metadata), &meta) == nil {
		if abstract, ok := meta["l0_abstract"].(string); ok && abstract != "" {
			text = abstract
		}
	}
	units := utf16.Encode([]rune(text))
	return string(utf16.Decode(units[:min(len(units), 200)]))
}

// seedReply reads a reply as its client did: all of it as JSON, else from the first
// brace to the last.
func seedReply(reply string) (any, error) {
	var v any
	if json.Unmarshal([]byte(reply), &v) == nil {
		return v, nil
	}
	i, j := strings.Index(reply, "{"), strings.LastIndex(reply, "}")
	if i < 0 || j < i {
		return nil, errors.New("no JSON")
	}
	err := json.Unmarshal([]byte(reply[i:j+1]), &v)
	return v, err
}

func seedResults(scores ...float64) []seedResult {
	var out []seedResult
	for i, s := range scores {
		out = append(out, seedResult{text: fmt.Sprint("memory ", i), score: s})
	}
	return out
}

// TestReferenceFilter is what the older filter promised.
func TestReferenceFilter(t *testing.T) {
	says := func(v any) func(string) (any, error) { return func(string) (any, error) { return v, nil } }
	never := func(string) (any, error) { t.Error("the model was asked"); return nil, nil }
	fails := func(string) (any, error) { return nil, errors.New("timeout") }
	eleven := make([]float64, 11)
	for i := range eleven {
		eleven[i] = 0.9
	}
	yes := func(n int) []any { return slices.Repeat([]any{true}, n) }
	for _, c := range []struct {
		name    string
		results []seedResult
		query   string
		chat    func(string) (any, error)
		config  seedConfig
		want    []int
	}{
		{"nothing given", nil, "q", never, seedDefault, []int{}},
		{"no query", seedResults(0.9, 0.1), "", never, seedDefault, []int{0, 1}},
		{"all relevant", seedResults(0.9, 0.8), "q", says(yes(2)), seedDefault, []int{0, 1}},
		{"some relevant", seedResults(0.9, 0.8, 0.7), "q", says([]any{true, false, true}), seedDefault, []int{0, 2}},
		{"below the floor", seedResults(0.9, 0.39), "q", says(yes(2)), seedDefault, []int{0}},
		{"all below the floor", seedResults(0.3, 0.2), "q", never, seedDefault, []int{}},
		{"more than the most", seedResults(eleven...), "q", says(yes(11)), seedConfig{5, 0.40}, []int{0, 1, 2, 3, 4}},
		{"the model fails", seedResults(0.9, 0.8), "q", fails, seedDefault, []int{0, 1}},
		{"no list", seedResults(0.9, 0.8), "q", says("all of them"), seedDefault, []int{0, 1}},
		{"another floor", seedResults(0.9, 0.7), "q", says(yes(2)), seedConfig{10, 0.8}, []int{0}},
		{"too short a list", seedResults(0.9, 0.8, 0.7), "q", says([]any{true}), seedDefault, []int{0}},
	} {
		if got := seedFilter(c.results, c.query, c.chat, c.config); !slices.Equal(got, c.want) {
			t.Errorf("%s: kept %v, want %v", c.name, got, c.want)
		}
	}
	seedFilter([]seedResult{{text: "the whole text", score: 1, metadata: `{"l0_abstract":"in short"}`}}, "q", func(user string) (any, error) {
		if !strings.Contains(user, "[1] in short") || strings.Contains(user, "whole") {
			t.Errorf("asked about %q", user)
		}
		return yes(1), nil
	}, seedDefault)
}

// TestBetterThanTheReference: what the older filter made of odd replies to three
// texts, and what is made of them now. A fault of it is a passage lost, or a
// verdict not seen.
func TestBetterThanTheReference(t *testing.T) {
	for _, c := range []struct {
		fault, reply string
		seed         []int // kept
		grades       []recall.Grade
	}{
		{"F3: a list behind prose is not found", `Here: [true,false,true]`, []int{0, 1, 2}, []recall.Grade{rel, off, rel}},
		{"F3: a list in an object is not found", `{"results":[true,false,true]}`, []int{0, 1, 2}, []recall.Grade{rel, off, rel}},
		{"F3: numbers drop everything", `[1,0,1]`, []int{}, []recall.Grade{some, off, some}},
		{"F3: words drop everything", `["true","false","true"]`, []int{}, []recall.Grade{rel, off, rel}},
		{"F3: objects drop everything", `[{"id":1,"relevant":true},{"id":2,"relevant":true},{"id":3,"relevant":true}]`, []int{}, []recall.Grade{none, none, none}},
		{"F3: an empty list drops everything", `[]`, []int{}, []recall.Grade{none, none, none}},
		{"F3: a longer list is believed", `[true,false,true,true]`, []int{0, 2}, []recall.Grade{none, none, none}},
		{"F3: a shorter list drops the rest", `[true]`, []int{0}, []recall.Grade{none, none, none}},
		{"F3: a thought hides the list", `<think>hm</think>[true,false,true]`, []int{0, 1, 2}, []recall.Grade{rel, off, rel}},
		{"F4: all false is believed", `[false,false,false]`, []int{}, []recall.Grade{off, off, off}},
	} {
		chat := func(string) (any, error) { return seedReply(c.reply) }
		if got := seedFilter(seedResults(0.9, 0.8, 0.7), "q", chat, seedDefault); !slices.Equal(got, c.seed) {
			t.Errorf("%s: the reference keeps %v, want %v", c.fault, got, c.seed)
		}
		got := read(c.reply, threeIDs)
		if !slices.Equal(got, c.grades) {
			t.Errorf("%s: %v, want %v", c.fault, got, c.grades)
		}
		if judged, _ := Apply(answer("a", "b", "c"), got); len(judged.Hits) != 3 || judged.Hits[0].Grade == off {
			t.Errorf("%s: %d passages, the first graded %v", c.fault, len(judged.Hits), judged.Hits[0].Grade)
		}
	}

	// F1: a floor of 0.40 under scores of a reciprocal rank fusion.
	asked := false
	a := answer("a", "b", "c")
	var results []seedResult
	for _, h := range a.Hits {
		results = append(results, seedResult{h.Text, h.Score, ""})
	}
	if got := seedFilter(results, "q", func(string) (any, error) { asked = true; return nil, nil }, seedDefault); len(got) != 0 || asked {
		t.Errorf("F1: the reference keeps %v", got)
	}
	if got := Items(a); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("F1: judged are %q", got)
	}

	// F5: the first 200 units miss a late match, and can end within a character.
	late := strings.Repeat("x", 199) + "😀" + strings.Repeat(" y", 500) + " the match"
	if got := seedExcerpt(seedResult{text: late}); !strings.HasSuffix(got, "x\uFFFD") || strings.Contains(got, "match") {
		t.Errorf("F5: the reference's excerpt ends with %q", got[len(got)-8:])
	}
	at := strings.Index(late, "the match")
	if got := excerpt(recall.Hit{Text: late, Line: at, Matches: [][2]int{{at, at + 9}}}); !strings.HasSuffix(got, "the match") || strings.Contains(got, "\uFFFD") {
		t.Errorf("F5: %q", got)
	}
}
