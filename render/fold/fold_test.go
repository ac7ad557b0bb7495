package fold

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// folded are the groups of lines: "2-6/2" for rows 2 to 5, two of which repeat.
func folded(o Options, lines ...string) []string {
	f := New(o)
	for i, l := range lines {
		f.Add(Row{Number: int64(i), Text: l, Count: 1, Alone: LooksWrong(l)})
	}
	var out []string
	for n := int64(0); n < int64(len(lines)); {
		g := f.At(n)
		text := fmt.Sprint(g.First)
		if g.Rows() > 1 {
			text = fmt.Sprintf("%d-%d/%d", g.First, g.End, g.Period)
		}
		out = append(out, text)
		n = g.End
	}
	return out
}

func TestL10Blocks(t *testing.T) {
	for _, c := range []struct{ lines, want string }{
		{"A B A B", "0-4/2"},
		{"A B A B A", "0-4/2 4"},
		{"A B A B A B", "0-6/2"},
		{"x A B C A B C y A B C", "0 1-7/3 7 8 9 10"},
		{"A B A C A B", "0 1 2 3 4 5"},
		{"a b c d e f g h a b c d e f g h", "0-16/8"},
		{"a b c d e f g h i a b c d e f g h i", "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17"},
		{"A B A B C D C D", "0-4/2 4-8/2"},
		{"A error A error", "0 1 2 3"},
		{"A B error A B A B", "0 1 2 3-7/2"},
	} {
		if got := strings.Join(folded(Options{Blocks: true}, strings.Fields(c.lines)...), " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.lines, got, c.want)
		}
	}
}

func TestL10SimilarLines(t *testing.T) {
	var thousand []string
	for i := range 1000 {
		thousand = append(thousand, fmt.Sprintf("2026-05-20T10:%02d:%02d.%03dZ INFO still waiting (%d ms)", i/60, i%60, i, i))
	}
	if got := folded(Options{Similar: true}, thousand...); len(got) != 1 {
		t.Errorf("a thousand stamped repeats are %d rows", len(got))
	}
	thousand[500] = "2026-05-20T10:08:20Z ERROR still waiting (500 ms)"
	if got := folded(Options{Similar: true}, thousand...); !slices.Equal(got, []string{"0-500/1", "500", "501-1000/1"}) {
		t.Errorf("with an error among them they are %q", got)
	}
	both := folded(Options{Blocks: true, Similar: true}, "start 1", "end in 5 ms", "start 2", "end in 7 ms", "start 3", "end in 1 ms")
	if !slices.Equal(both, []string{"0-6/2"}) {
		t.Errorf("blocks of similar lines are %q", both)
	}
}

func TestMask(t *testing.T) {
	for line, want := range map[string]string{
		"no number":                       "no number",
		"took 12ms, 1.5s and 1,204 bytes": "took #, # and # bytes",
		"12µs":                            "#",
		"10:03:07 a":                      "#:#:# a",
		"2026-05-20T10:03:07.123Z":        "#-#-#:#:#",
		"commit 3fe4a91 in deadbee":       "commit # in deadbee",
		"facade":                          "facade",
		"0xdeadbeef01":                    "#",
		"worker3 v2":                      "worker# v#",
		"id a1b2c3d4-aaaa-bbbb-cccc-ddddddeeeeee.":    "id #.",
		"aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee is one": "# is one",
		"漢字 7": "漢字 #",
	} {
		if got := Mask(line); got != want {
			t.Errorf("%q is %q, want %q", line, got, want)
		}
	}
}

func TestLooksWrong(t *testing.T) {
	for line, want := range map[string]bool{
		"an ERROR": true, "TypeError: x": true, "panic: y": true, "[fatal] z": true, "E_FAILED": true, "terrorist": false, "mirrors": false, "all good": false, "İerror": false,
	} {
		if LooksWrong(line) != want {
			t.Errorf("%q: %v", line, !want)
		}
	}
}

func TestStamp(t *testing.T) {
	for line, want := range map[string]string{
		"2026-05-20T10:03:07.5Z x": "10:03:07", "at 10:03 o'clock": "10:03", "1:2:3": "", "110:03": "", "10:034": "", "": "",
	} {
		if got := Stamp(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// Every row is in exactly one group, whatever comes, and a group's rows are such as
// its kind says; an error stands alone.
func TestL10GroupsCoverAllRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := Options{Blocks: rapid.Bool().Draw(t, "blocks"), Similar: rapid.Bool().Draw(t, "similar")}
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"A", "B", "C", "A 1", "A 2", "error"}), 1, 60).Draw(t, "lines")
		f := New(o)
		for i, l := range lines {
			f.Add(Row{Number: int64(i), Text: l, Count: 1, Alone: LooksWrong(l)})
		}
		for n := int64(0); n < int64(len(lines)); {
			g := f.At(n)
			if g.First != n || g.End <= n || g.Rows()%int64(g.Period) != 0 || g.Lines != g.Rows() {
				t.Fatalf("row %d is in %+v", n, g)
			}
			for i := g.First; i < g.End && g.Rows() > 1; i++ {
				a, b := lines[i], lines[g.First+(i-g.First)%int64(g.Period)]
				if o.Similar {
					a, b = Mask(a), Mask(b)
				}
				if a != b || LooksWrong(lines[i]) {
					t.Fatalf("%q stands for %q in %+v", b, a, g)
				}
			}
			n = g.End
		}
	})
}

func FuzzMask(f *testing.F) {
	f.Add("2026-05-20T10:03:07 took 1.5µs a1b2c3d4-aaaa-bbbb-cccc-ddddddeeeeee")
	f.Fuzz(func(t *testing.T, line string) {
		masked := Mask(line)
		if strings.ContainsAny(masked, "0123456789") {
			t.Errorf("%q keeps a number: %q", line, masked)
		}
		if s := Stamp(line); !strings.Contains(line, s) || LooksWrong(line) != LooksWrong(line+" ") {
			t.Errorf("%q: stamp %q", line, s)
		}
	})
}

func BenchmarkAdd(b *testing.B) {
	f := New(Options{Blocks: true, Similar: true})
	line := "2026-05-20T10:00:07.123 INFO worker 5 took a request of /api/items/7919 and answered 200 in 12 ms"
	b.SetBytes(int64(len(line)))
	n := int64(0)
	for b.Loop() {
		f.Add(Row{Number: n, Text: line, Count: 1, Alone: LooksWrong(line)})
		n++
	}
}
