package render

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// trueCounts reads testdata/tokens/counts.tsv: tokens of o200k_base by file.
func trueCounts(t testing.TB) map[string]int {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "tokens", "counts.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	counts := map[string]int{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		number, name, _ := strings.Cut(lines.Text(), "\t")
		n, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		counts[name] = n
	}
	return counts
}

func readToken(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "tokens", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// C10: a named estimator that is near the truth for code and CJK too.
func TestTokensNearTruth(t *testing.T) {
	var mixed strings.Builder
	total := 0
	for name, want := range trueCounts(t) {
		text := readToken(t, name)
		mixed.WriteString(text)
		total += want
		got := Tokens(text)
		t.Logf("%-14s %4d of %4d, %+.1f %%", name, got, want, 100*float64(got-want)/float64(want))
		if off := abs(got - want); off*5 > want {
			t.Errorf("%s: %d tokens, want %d within 20 %%", name, got, want)
		}
	}
	if got := Tokens(mixed.String()); abs(got-total)*10 > total {
		t.Errorf("mixed text: %d tokens, want %d within 10 %%", got, total)
	}
}

func TestTokensSmall(t *testing.T) {
	for text, want := range map[string]int{"": 0, "a": 1, "hello world": 2, "12345": 2, "\n": 1, " ": 1} {
		if got := Tokens(text); got != want {
			t.Errorf("Tokens(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestTokensOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOf(rapid.Byte()).Draw(t, "s"))
		if n := Tokens(s); n < 0 || n == 0 && s != "" || n > 2*len(s)+1 {
			t.Fatalf("Tokens(%q) = %d", s, n)
		}
	})
}

func TestTokensAllocatesNothing(t *testing.T) {
	text := readToken(t, "log.txt") + readToken(t, "japanese.txt")
	if n := testing.AllocsPerRun(10, func() { Tokens(text) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

func BenchmarkTokens(b *testing.B) {
	text := readToken(b, "prose.txt") + readToken(b, "go.txt")
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Tokens(text)
	}
}
