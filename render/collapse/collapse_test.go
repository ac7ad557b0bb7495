package collapse

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const noLimit = math.MaxInt64

// collapsed is the marked form of text, which is written in pieces of the sizes
// given, over and over; in one piece without sizes.
func collapsed(text []byte, sizes ...int) string {
	var b bytes.Buffer
	w := NewWriter(&b)
	for i := 0; len(text) > 0; i++ {
		n := len(text)
		if len(sizes) > 0 {
			n = min(n, max(1, sizes[i%len(sizes)]))
		}
		_, _ = w.Write(text[:n])
		text = text[n:]
	}
	_ = w.Close()
	return b.String()
}

func expanded(t interface{ Fatalf(string, ...any) }, text string) string {
	var b bytes.Buffer
	if err := Expand(&b, strings.NewReader(text), noLimit); err != nil {
		t.Fatalf("expanding %q: %v", text, err)
	}
	return b.String()
}

// body is the marked form without its first and last line.
func body(text string) string {
	s := strings.TrimPrefix(collapsed([]byte(text)), header+"\n")
	return s[:strings.LastIndex(strings.TrimSuffix(s, "\n"), trailerBegin)]
}

func TestForm(t *testing.T) {
	for in, want := range map[string]string{
		"":                  "",
		"a\nb\nc\n":         "a\nb\nc\n",
		"a\na\n":            "a\na\n",
		"a\na\na\n":         "a\n[×3 identical lines]\n",
		"x\na\na\na\na\ny":  "x\na\n[×4 identical lines]\ny\n",
		"a\na\na":           "a\n[×3 identical lines]\n",
		"a\na \na\n":        "a\na \na\n",
		"a\r\na\na\r\n":     "a\r\na\na\r\n",
		"\n\n\n":            "\n[×3 identical lines]\n",
		"[×3 identical\n\n": "[×][×3 identical\n\n",
		"[×]\n[×]\n[×]\n":   "[×][×]\n[×3 identical lines]\n",
	} {
		if got := body(in); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
		if got := expanded(t, collapsed([]byte(in))); got != in {
			t.Errorf("%q comes back as %q", in, got)
		}
	}
}

// L1: a line that looks like one of ours costs itself an escape and switches
// nothing off.
func TestL1ReservedLinesAreEscaped(t *testing.T) {
	text := strings.Repeat("same\n", 100_000) + "[×3 identical lines]\n[×1 identical lines]\n[×+3 identical lines]\n" + header + "\n"
	form := collapsed([]byte(text))
	if len(form) > 400 {
		t.Errorf("%d bytes", len(form))
	}
	if expanded(t, form) != text {
		t.Error("it does not come back")
	}
}

// L2: what merely looks collapsed is refused, and not changed.
func TestL2TextIsNotSniffed(t *testing.T) {
	for _, text := range []string{"", "a\n[×3 identical lines]\n", "[×3 identical lines]\n", "[lean-ctx: 1 repeated lines collapsed, lossless]\na\n[×3 identical lines]"} {
		var b bytes.Buffer
		if err := Expand(&b, strings.NewReader(text), noLimit); !errors.Is(err, ErrNotCollapsed) || b.Len() > 0 {
			t.Errorf("%q: %v, wrote %q", text, err, b.String())
		}
	}
}

// L3: a count costs no more than the limit, in whole lines.
func TestL3OutputIsBounded(t *testing.T) {
	for _, n := range []string{"9223372036854775807", "1000"} {
		var b bytes.Buffer
		err := Expand(&b, strings.NewReader(header+"\nx\nab\n[×"+n+" identical lines]\n"), 13)
		if !errors.Is(err, ErrTooLarge) || b.String() != "x\nab\nab\nab\n" {
			t.Errorf("%v, wrote %q", err, b.String())
		}
	}
	for limit := range int64(9) {
		var b bytes.Buffer
		err := Expand(&b, strings.NewReader(collapsed([]byte("ab\ncd\ne"))), limit)
		want := "ab\ncd\ne"[:map[bool]int64{true: 7, false: limit / 3 * 3}[limit >= 7]]
		if b.String() != want || (err == nil) != (limit >= 7) {
			t.Errorf("limit %d: %q, %v", limit, b.String(), err)
		}
	}
}

// L4: what is saved is said, also when it is less than nothing.
func TestL4SavedBytesAreSaid(t *testing.T) {
	w := NewWriter(&bytes.Buffer{})
	_, _ = w.Write([]byte("a\na\na\n"))
	_ = w.Close()
	if got, want := w.Totals(), (Totals{Lines: 3, Collapsed: 1, Bytes: 6, Saved: 6 - 2 - 22}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// L6: every change of what was collapsed is noticed that changes what is given
// back or what is counted.
func TestL6DamageIsNoticed(t *testing.T) {
	form := collapsed([]byte("a\na\na\nb\n"))
	for what, text := range map[string]string{
		"shortened":       form[:len(form)-8],
		"no last line":    form[:strings.Index(form, trailerBegin)],
		"more behind it":  form + "x\n",
		"other count":     strings.Replace(form, "×3", "×4", 1),
		"other number":    strings.Replace(form, "4 lines", "5 lines", 1),
		"other spelling":  strings.Replace(form, "×3", "×03", 1),
		"count too small": strings.Replace(form, "×3", "×2", 1),
		"line gone":       strings.Replace(form, "b\n", "", 1),
		"marker first":    header + "\n[×3 identical lines]\n",
		"huge count":      strings.Replace(form, "×3", "×99999999999999999999", 1),
	} {
		if err := Expand(&bytes.Buffer{}, strings.NewReader(text), 1<<20); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// edits are what a Sink was told, as text.
type edits struct{ b strings.Builder }

func (e *edits) Line(line []byte)  { e.b.WriteString("line " + string(line) + "\n") }
func (e *edits) Again()            { e.b.WriteString("again\n") }
func (e *edits) Long([]byte, bool) { e.b.WriteString("long\n") }

// L7: what follows the last newline counts as no line before the end.
func TestL7TheUnfinishedLineIsPending(t *testing.T) {
	var r Runs
	var e edits
	r.Push([]byte("a\na"), &e)
	if got := e.b.String(); got != "line a\n" || string(r.Pending()) != "a" {
		t.Errorf("%q, pending %q", got, r.Pending())
	}
	r.Push([]byte("\nb"), &e)
	if !r.End(&e) || r.End(&e) {
		t.Error("the end is not told once")
	}
	if got := e.b.String(); got != "line a\nagain\nline b\n" {
		t.Errorf("%q", got)
	}
}

// pieces of text in which runs, reserved lines and odd bytes are frequent.
var pieces = rapid.OneOf(
	rapid.SampledFrom([]string{"a\n", "a\n", "a", "\n", "\r\n", "é\n", "\xff\n", "[×", "[×3 identical lines]\n", "[×]", header + "\n", trailerBegin, "\x00\n", "b\nb\nb\nb\n"}),
	rapid.String(),
)

func text(t *rapid.T) []byte {
	return []byte(strings.Join(rapid.SliceOfN(pieces, 0, 40).Draw(t, "pieces"), ""))
}

// L5, L9: for any bytes and any split of them the form is the same, and gives
// them back.
func TestL9IncrementalIsBatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := text(t)
		sizes := rapid.SliceOfN(rapid.IntRange(1, 9), 1, 5).Draw(t, "sizes")
		whole := collapsed(in)
		if got := collapsed(in, sizes...); got != whole {
			t.Fatalf("%q in pieces of %v gives %q, want %q", in, sizes, got, whole)
		}
		if got := expanded(t, whole); got != string(in) {
			t.Fatalf("%q comes back as %q", in, got)
		}
	})
}

// L11: lines beyond MaxLine pass unchanged, however they come.
func TestL11LongLines(t *testing.T) {
	at := strings.Repeat("x", MaxLine)
	for _, line := range []string{at, at + "x", "[×" + at[5:], "[×" + at, "[×]" + at, at + at + at} {
		in := []byte("a\n" + line + "\n" + line + "\n" + line + "\nb\nb\nb")
		whole := collapsed(in)
		if got := collapsed(in, 100_000, 7); got != whole {
			t.Errorf("%.9q… of %d bytes depends on its pieces", line, len(line))
		}
		if got := expanded(t, whole); got != string(in) {
			t.Errorf("%.9q… of %d bytes does not come back: %d of %d", line, len(line), len(got), len(in))
		}
		if collapses := len(whole) < 2*len(line); collapses != (len(line) <= MaxLine) {
			t.Errorf("%.9q… of %d bytes: %d in the form", line, len(line), len(whole))
		}
	}
}

// FuzzRoundTrip collapses any bytes in two pieces and expands them again.
func FuzzRoundTrip(f *testing.F) {
	for _, s := range []string{"", "a\na\na", "[×]\n[×]\n[×]\n", "a\r\n\r\n\r\n\xff", header + "\nx\n[×3 identical lines]\n" + trailerBegin} {
		f.Add([]byte(s), 3)
	}
	f.Fuzz(func(t *testing.T, in []byte, at int) {
		form := collapsed(in)
		if got := collapsed(in, max(1, at), len(in)+1); got != form {
			t.Fatalf("in two pieces: %q, want %q", got, form)
		}
		if got := expanded(t, form); got != string(in) {
			t.Fatalf("comes back as %q", got)
		}
		var seed, back bytes.Buffer
		kind, err := Seed(&seed, bytes.NewReader(in))
		if err != nil {
			t.Fatal(err)
		}
		err = ExpandSeed(&back, &seed, noLimit)
		if (kind != Mistakable) != (back.String() == string(in)) || err != nil && kind != Mistakable {
			t.Fatalf("%d, %v, comes back as %q", kind, err, back.String())
		}
	})
}

// FuzzExpand expands anything: no more than the limit is written.
func FuzzExpand(f *testing.F) {
	f.Add([]byte(collapsed([]byte("a\na\na\nb\n"))))
	f.Add([]byte(header + "\na\n[×9223372036854775807 identical lines]\n[×9223372036854775807 identical lines]\n"))
	f.Add([]byte("[lean-ctx: 8 repeated lines collapsed, lossless]\nsame\n[×18446744073709551615 identical lines]\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		const limit = 1 << 16
		var b bytes.Buffer
		_ = Expand(&b, bytes.NewReader(in), limit)
		if b.Len() > limit {
			t.Fatalf("wrote %d bytes", b.Len())
		}
		b.Reset()
		_ = ExpandSeed(&b, bytes.NewReader(in), limit)
		if b.Len() > limit {
			t.Fatalf("wrote %d bytes in the older form", b.Len())
		}
	})
}
