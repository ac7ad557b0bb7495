package sessions

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzTurns cuts whatever bytes a transcript may hold, as one turn and as
// several.
func FuzzTurns(f *testing.F) {
	f.Add("A sentence. And another one.\n\n```go\nx := 1\n```\n", 60)
	f.Add("e\u0301\u200d🇩🇪\r\n\t\ufeff", 400)
	f.Add("\xff\xfe\x00 lone \xed\xa0\x80 bytes", 100)
	f.Add("缓存分片。为什么", 500)
	f.Add("~~~~\n\n\n   \n", 300)
	f.Fuzz(func(t *testing.T, unit string, times int) {
		text := strings.Repeat(unit, 1+min(max(times, 0), 2*PassageChars/(len(unit)+1)))
		b := newBuilder(Key{}, "", nil)
		for i, kind := range []Kind{Prompt, Thinking, Reply, Summary, ToolOutput, Reply} {
			b.turn(Turn{Kind: kind, ID: string(rune('a' + i)), Text: text}, i%2 == 0)
			b.turn(Turn{Kind: kind, ID: string(rune('a' + i)), Text: text + unit}, true)
		}
		b.place(true)
		from, passages := b.numbers.take()
		if from != 0 {
			t.Fatalf("the first passage is number %d", from)
		}
		for i, p := range passages {
			if p.Number != i || !utf8.ValidString(p.Text) || utf8.RuneCountInString(p.Text) > PassageChars {
				t.Fatalf("passage %d: number %d, %d characters", i, p.Number, utf8.RuneCountInString(p.Text))
			}
			for _, s := range p.Spans {
				if s.From < 0 || s.From >= s.To || s.To > len(p.Text) || s.Offset < 0 {
					t.Fatalf("passage %d: span %+v of %d bytes", i, s, len(p.Text))
				}
			}
		}
	})
}
