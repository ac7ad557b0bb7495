package recall

import "testing"

// A character of a script without spaces is found wherever it stands in a text: first,
// amid others, last and alone, in words and in phrases, also while it is typed.
func TestLoneCharacters(t *testing.T) {
	e := engineOf(t,
		said("han", day(1), "the 缓存分片 layout"), said("kana", day(2), "the データベース layout"),
		said("hangul", day(3), "the 검색결과 layout"), said("thai", day(4), "the ค้นหากำ layout"),
		said("khmer", day(5), "the ទឹក layout"), said("alone", day(6), "a ณ, a 片 and a ឹ"),
	)
	for text, want := range map[string]int{
		"缓": 1, "存": 1, "片": 2, "デ": 1, "ベ": 1, "ス": 1, "검": 1, "색": 1, "과": 1,
		"ค้": 1, "หา": 1, "กำ": 1, "ณ": 1, "ទឹ": 1, "ក": 1, "表": 0, "テ": 0, "ด้": 0,
	} {
		for _, q := range []Query{{Text: text}, {Text: `"` + text + `"`}, {Text: text, Typing: true}, {Text: "/" + text + "/"}, {Text: "layout OR ณ OR 片 -" + text}} {
			count := want
			if len(q.Text) > len(text)+len("//") {
				count = 6 - want
			}
			a := ask(t, e, q)
			if a.PassagesMatched != count {
				t.Errorf("%s, typing %v: %d passages, want %d; %q", q.Text, q.Typing, a.PassagesMatched, count, a.Notes)
			}
			for _, h := range a.Hits {
				if len(h.Matches) == 0 {
					t.Errorf("%s: nothing is marked in %q", q.Text, h.Text)
				}
			}
		}
	}
}
