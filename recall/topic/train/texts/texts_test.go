package texts

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func collect(t *testing.T, read func(fs.FS, func(Pair)) (Stats, error), files map[string]string) ([]Pair, Stats) {
	t.Helper()
	dir := fstest.MapFS{}
	for name, content := range files {
		dir[name] = &fstest.MapFile{Data: []byte(content)}
	}
	var pairs []Pair
	stats, err := read(dir, func(p Pair) { pairs = append(pairs, p) })
	if err != nil {
		t.Fatal(err)
	}
	if stats.Pairs != len(pairs) {
		t.Errorf("%d pairs said, %d given", stats.Pairs, len(pairs))
	}
	return pairs, stats
}

func want(t *testing.T, pairs []Pair, asked, found string) {
	t.Helper()
	if !slices.Contains(pairs, Pair{asked, found}) {
		t.Errorf("no pair of %q and %q in %q", asked, found, pairs)
	}
}

const manual = `<html><head><title>not read</title></head><body>
<div class="sphinxsidebar"><p>Links that stand on every page of the whole manual.</p></div>
<h1>Row locks<a class="headerlink" href="#x">¶</a></h1>
<p>A lock is held until the transaction ends.</p>
<ul><li>Readers wait for no one in this place.</li></ul>
<pre>SELECT one;</pre>
<script>var hidden = "never a text that is read";</script>
<h2>Timeouts</h2><p>A waiter gives up after ten seconds of waiting.</p>
<h3>Units</h3><p>All times are given in milliseconds from here on.</p>
<dl><dt>lock_timeout</dt><dd><p>How long a statement waits for a lock at most.</p></dd></dl>
</body></html>`

func TestHTML(t *testing.T) {
	pairs, stats := collect(t, HTML, map[string]string{"manual/locks.html": manual, "manual/style.css": "p{}", "empty.html": ""})
	if stats.Files != 2 || stats.Broken != 0 {
		t.Errorf("%+v", stats)
	}
	body := "A lock is held until the transaction ends. Readers wait for no one in this place. SELECT one;"
	want(t, pairs, "Row locks", body)
	want(t, pairs, "Timeouts", "A waiter gives up after ten seconds of waiting.")
	want(t, pairs, "Timeouts Units", "All times are given in milliseconds from here on. How long a statement waits for a lock at most.")
	want(t, pairs, "lock_timeout", "How long a statement waits for a lock at most.")
	for _, p := range pairs {
		for _, no := range []string{"hidden", "every page", "not read", "¶"} {
			if strings.Contains(p.Asked+p.Found, no) {
				t.Errorf("%q holds %q", p, no)
			}
		}
	}
}

func TestHTMLLeavesOutListings(t *testing.T) {
	code := strings.Repeat("x = y + z; ", 50)
	pairs, _ := collect(t, HTML, map[string]string{"a.html": "<h1>Two of them</h1><p>Here is how it is done in practice every day.</p><pre>" + code + "</pre>"})
	want(t, pairs, "Two of them", "Here is how it is done in practice every day.")
}

const nouns = `  1 This head is not read | as it is a licence
00000001 03 n 02 hound 0 sight_dog 1 002 @ 00000002 n 0000 ! 00000002 n 0101 | a dog that hunts by its eyes or its good nose; "the hound lost the trail"
00000002 03 n 01 animal 0 000 | a living thing that moves and eats and breathes
a line that is broken | and has no numbers
`

func TestWordNet(t *testing.T) {
	pairs, _ := collect(t, WordNet, map[string]string{
		"data.noun": nouns, "data.verb": "", "data.adv": "",
		"data.adj": "00000003 00 s 01 afraid(p) 0 001 & 00000003 a 0000 | filled with fear of what may come or may not\n",
	})
	gloss := "a dog that hunts by its eyes or its good nose"
	want(t, pairs, "hound", gloss)
	want(t, pairs, "sight dog", gloss)
	want(t, pairs, "sight dog", "hound: "+gloss)
	want(t, pairs, "the hound lost the trail", "hound, sight dog: "+gloss)
	want(t, pairs, "hound, sight dog: "+gloss, "animal: a living thing that moves and eats and breathes")
	want(t, pairs, "afraid", "filled with fear of what may come or may not")
	if len(pairs) != 7 {
		t.Errorf("%d pairs %q: opposites and broken lines give none", len(pairs), pairs)
	}
}

func TestWordNetNeedsItsFiles(t *testing.T) {
	if _, err := WordNet(fstest.MapFS{}, func(Pair) {}); err == nil {
		t.Error("no error for a directory without data")
	}
}

const source = `// Package cellar keeps bottles cool. It knows their age and their price.
package cellar

// Bottle is one of them, however old it may be.
type Bottle struct {
	// Age is counted in years since the harvest of the grapes.
	Age int
}

// Open takes the cork out. It fails when there is none, or when it breaks.
func (b *Bottle) Open() {}

// Copyright of nobody, which is no documentation at all.
const x = 1
`

func TestGoSource(t *testing.T) {
	pairs, stats := collect(t, GoSource, map[string]string{
		"cellar/cellar.go": source, "cellar/cellar_test.go": source, "cellar/testdata/x.go": source, "broken.go": "packige",
	})
	if stats.Files != 2 || stats.Broken != 1 {
		t.Errorf("%+v", stats)
	}
	want(t, pairs, "cellar Bottle Open", "Open takes the cork out. It fails when there is none, or when it breaks.")
	want(t, pairs, "Open takes the cork out.", "It fails when there is none, or when it breaks.")
	want(t, pairs, "Bottle Age", "Age is counted in years since the harvest of the grapes.")
	want(t, pairs, "package cellar", "Package cellar keeps bottles cool. It knows their age and their price.")
	for _, p := range pairs {
		if strings.Contains(p.Found, "nobody") {
			t.Errorf("a licence was read: %q", p)
		}
	}
}

func TestWindows(t *testing.T) {
	e := &emitter{least: leastFound}
	var got []Pair
	e.yield = func(p Pair) { got = append(got, p) }
	one, two, three := "The first sentence of all of them is this.", "The second sentence follows the first one.", "The third sentence is the last one of it."
	e.windows(one + " " + two + " " + three)
	want(t, got, one, two+" "+three)
	e.windows("Short. Too. Few.")
	if len(got) != 1 {
		t.Errorf("%q", got)
	}
}

func TestCut(t *testing.T) {
	if got := cut("  aé ", 2); got != "a" {
		t.Errorf("%q", got)
	}
}

func TestGlove(t *testing.T) {
	var words []string
	var sum float32
	read := func(s string) error {
		words, sum = nil, 0
		return Glove(strings.NewReader(s), 2, func(w string, v []float32) {
			words = append(words, w)
			sum += v[0] + v[1]
		})
	}
	if err := read(`{"precision":8,"words":["the","of"],"vectors":{"the":[1,2,9,0],"of":[3,-1,9,1],"short":[1]},"more":1}`); err != nil {
		t.Error(err)
	}
	if !slices.Equal(words, []string{"the", "of"}) || sum != 5 {
		t.Errorf("words %q, sum %v", words, sum)
	}
	for _, broken := range []string{"", "[]", "{}", `{"vectors":[]}`, `{"vectors":{"a":["x"]}}`, `{"vectors":{"a":[1,`} {
		if err := read(broken); err == nil {
			t.Errorf("%q is read", broken)
		}
	}
}

func FuzzPage(f *testing.F) {
	f.Add(manual)
	f.Add("<dt>a<dd><pre>\xff<h1>")
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 1<<12 {
			return
		}
		_, _ = HTML(fstest.MapFS{"a.html": {Data: []byte(s)}}, func(p Pair) {
			if len(p.Asked) > longestAsked || len(p.Found) > longestFound || p.Asked == "" {
				t.Errorf("pair %q", p)
			}
		})
	})
}

func FuzzSynset(f *testing.F) {
	for line := range strings.SplitSeq(nouns, "\n") {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if _, s, ok := parseSynset(line); ok && (s.gloss == "" || len(s.lemmas) == 0) {
			t.Errorf("%q", line)
		}
	})
}
