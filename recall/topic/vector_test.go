package topic

import (
	"math"
	"testing"
)

func vector(t *testing.T, text string) []float32 {
	t.Helper()
	v := make([]float32, Embedded().Dim())
	if !Embedded().Vector(text, v) {
		t.Fatalf("no stem of %q is in the table", text)
	}
	return v
}

func cosine(a, b []float32) float64 {
	var sum float64
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// The first four dimensions of two sentences, computed from the three files alone
// in another language, the stems of the content words written out by hand.
func TestReferenceVectors(t *testing.T) {
	tests := []struct {
		text string
		want [4]float32
	}{
		{"The server crashed because the lock was never released.", [4]float32{.00537, -.06097, .07080, -.12892}},
		{"rename the config flag and update the docs", [4]float32{.08546, -.05935, .03018, -.07149}},
		{"Caches cached on disk, CACHING", [4]float32{-.08436, -.03306, -.00228, -.02679}},
	}
	for _, tt := range tests {
		v := vector(t, tt.text)
		for i, want := range tt.want {
			if math.Abs(float64(v[i]-want)) > 1e-5 {
				t.Errorf("%q: dimension %d is %.5f, want %.5f", tt.text, i, v[i], want)
			}
		}
	}
}

func TestVectorIsOfUnitLengthAndRepeats(t *testing.T) {
	text := "We keep the cache sharded, because a single file grows without bound."
	v := vector(t, text)
	if n := cosine(v, v); math.Abs(n-1) > 1e-5 {
		t.Errorf("length %v", n)
	}
	_ = vector(t, "something else in between")
	for i, x := range vector(t, text) {
		if x != v[i] {
			t.Fatalf("dimension %d is %v first and %v then", i, v[i], x)
		}
	}
}

func TestVectorOfUnknownWords(t *testing.T) {
	for _, text := range []string{"", "!? 42", "what did we do there", "qqzxw", "数据库 🚀", "\xff\xfe"} {
		v := make([]float32, Embedded().Dim())
		v[0] = 1
		if Embedded().Vector(text, v) {
			t.Errorf("%q has a vector", text)
		}
		for i, x := range v {
			if x != 0 {
				t.Errorf("%q: dimension %d is %v, want 0", text, i, x)
			}
		}
	}
}

func TestVectorWords(t *testing.T) {
	same := [][2]string{
		{"parseQuery", "parse query"},
		{"HTTPServer", "http server"},
		{"file_name42", "file name"},
		{"Caching, CACHED!", "cache cache"},
		{"cache qqzxw", "cache"},
		{"the parser's cache isn’t there", "parser cache"},
		{"which cache did we use", "cache use"},
		{"cache pneumonoultramicroscopicsilicovolcano", "cache"},
	}
	for _, pair := range same {
		if c := cosine(vector(t, pair[0]), vector(t, pair[1])); c < 1-1e-5 {
			t.Errorf("%q and %q differ: cosine %v", pair[0], pair[1], c)
		}
	}
}

// Which of two tables is the newer one only their revision tells.
func TestRevisionOfTheTable(t *testing.T) {
	hashes := []uint64{1: 0x6efe9557492e41be} // of all tables that there were, by revision
	if len(hashes) != Revision+1 || hashes[Revision] != Embedded().Hash() {
		t.Errorf("the table with hash %#x is not that of revision %d: raise it, and add the hash here", Embedded().Hash(), Revision)
	}
}

func TestVectorTellsTopicsApart(t *testing.T) {
	asked := vector(t, "the dog barked at night")
	near := cosine(asked, vector(t, "puppies and other hounds"))
	far := cosine(asked, vector(t, "commit the database transaction"))
	if near < far+.2 {
		t.Errorf("cosine %.2f to a related text, %.2f to another", near, far)
	}
}

func FuzzVector(f *testing.F) {
	f.Add("parseQuery HTTPServer don't 数据")
	f.Add("ÀÉß\xff\xc3 aB\u0301C")
	f.Fuzz(func(t *testing.T, text string) {
		v := make([]float32, Embedded().Dim())
		known := Embedded().Vector(text, v)
		n := cosine(v, v)
		if known && math.Abs(n-1) > 1e-4 || !known && n != 0 {
			t.Fatalf("%q: known %v, squared length %v", text, known, n)
		}
	})
}
