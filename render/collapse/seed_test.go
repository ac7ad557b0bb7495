package collapse

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func seeded(t interface{ Fatal(...any) }, text string) (string, bool) {
	var b bytes.Buffer
	form, err := Seed(&b, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), form == Collapsed
}

func unseeded(t interface{ Fatal(...any) }, text string) string {
	var b bytes.Buffer
	if err := ExpandSeed(&b, strings.NewReader(text), noLimit); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The older form's table: "" where it has none for the text.
func TestSeedTable(t *testing.T) {
	for _, c := range []struct{ in, body string }{
		{"a\nb\nc", ""},
		{"a\na", ""},
		{"a\na\na", "a\n[×3 identical lines]"},
		{"x\na\na\na\na\ny\n", "x\na\n[×4 identical lines]\ny\n"},
		{"a\n\n\n\n", "a\n\n[×4 identical lines]"},
		{"a\na \na\na ", ""},
		{"[×3 identical lines]\nz\nz\nz", ""},
		{"[lean-ctx: 1 repeated lines collapsed, lossless]\nz\nz\nz", ""},
		{"[×+3 identical lines]\nz\nz\nz", ""},
	} {
		got, ok := seeded(t, c.in)
		want := c.in
		if c.body != "" {
			_, got, _ = strings.Cut(got, "\n")
			want = c.body
		}
		if ok != (c.body != "") || got != want {
			t.Errorf("%q gives %q (%v), want %q", c.in, got, ok, want)
		}
	}
	got, _ := seeded(t, strings.Repeat("same\n", 10))
	if !strings.HasPrefix(got, "[lean-ctx: 8 repeated lines collapsed, lossless]\n") {
		t.Errorf("ten lines begin with %.60q", got)
	}
}

func TestSeedLeavesPlainTextAlone(t *testing.T) {
	for _, text := range []string{"", "plain", "a\n[×3 identical lines]", "\n", "a\n\n", "[lean-ctx: 3 repeated lines collapsed, lossless]"} {
		if got := unseeded(t, text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// Generated texts of few different lines come back, and often collapse.
func TestSeedComesBack(t *testing.T) {
	atoms := []string{"a", "b", "", "Compiling x", "\r50%\r100%", "  indented", "a "}
	some := 0
	rapid.Check(t, func(t *rapid.T) {
		var lines []string
		for range rapid.IntRange(0, 40).Draw(t, "lines") {
			if n := len(lines); n > 0 && rapid.IntRange(0, 2).Draw(t, "again") > 0 {
				lines = append(lines, lines[n-1])
			} else {
				lines = append(lines, rapid.SampledFrom(atoms).Draw(t, "line"))
			}
		}
		in := strings.Join(lines, "\n") + rapid.SampledFrom([]string{"", "\n"}).Draw(t, "end")
		form, ok := seeded(t, in)
		if ok {
			some++
			if got := unseeded(t, form); got != in {
				t.Fatalf("%q comes back as %q from %q", in, got, form)
			}
			if strings.Count(form, "\n") > strings.Count(in, "\n") {
				t.Fatalf("%q became longer: %q", in, form)
			}
		}
	})
	if some == 0 {
		t.Error("nothing was collapsed")
	}
}

// L6: what stays as it is comes back as it is, unless Seed says that its first line would
// be taken for a header.
func TestSeedTellsWhatDoesNotComeBack(t *testing.T) {
	header := "[lean-ctx: 1 repeated lines collapsed, lossless]"
	atoms := []string{"a", "", "[×3 identical lines]", header, strings.Repeat("long", MaxLine/4) + "er", seedHead + strings.Repeat("9", MaxLine) + seedTail}
	seen := map[SeedForm]int{}
	check := func(t interface {
		Fatal(...any)
		Fatalf(string, ...any)
	}, in string) {
		var b bytes.Buffer
		form, err := Seed(&b, strings.NewReader(in))
		if err != nil {
			t.Fatal(err)
		}
		seen[form]++
		var back bytes.Buffer
		_ = ExpandSeed(&back, bytes.NewReader(b.Bytes()), noLimit)
		if (form == Mistakable) != (back.String() != in) {
			t.Fatalf("%.200q is called %d and comes back as %.200q", in, form, back.String())
		}
	}
	for _, in := range []string{"", "\n", header, header + "\n", header + "\n" + header, "a\n" + header, atoms[5] + "\na", strings.Repeat("a line\n", 20), "[×3 identical lines]\na\na\na"} {
		check(t, in)
	}
	rapid.Check(t, func(t *rapid.T) {
		check(t, strings.Join(rapid.SliceOfN(rapid.SampledFrom(atoms), 0, 8).Draw(t, "lines"), "\n"))
	})
	if len(seen) != 3 {
		t.Errorf("not every form was drawn: %v", seen)
	}
}

// L3, L6 in the older form.
func TestSeedIsBoundedAndCounted(t *testing.T) {
	var b bytes.Buffer
	err := ExpandSeed(&b, strings.NewReader("[lean-ctx: 8 repeated lines collapsed, lossless]\nab\n[×18446744073709551615 identical lines]"), 8)
	if !errors.Is(err, ErrTooLarge) || b.String() != "ab\nab\nab" {
		t.Errorf("%v, wrote %q", err, b.String())
	}
	err = ExpandSeed(&b, strings.NewReader("[lean-ctx: 8 repeated lines collapsed, lossless]\nab\n[×3 identical lines]"), noLimit)
	if !errors.Is(err, ErrDamaged) {
		t.Errorf("a wrong number in the first line: %v", err)
	}
}
