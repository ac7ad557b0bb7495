package topic

import "testing"

// Invented passages of a small program's sessions.
var floorPassages = []string{
	"Row locks are held until commit; a deadlock rolls one of the two writers back.",
	"Access tokens live fifteen minutes, refresh tokens thirty days; each refresh revokes the old token.",
	"Timestamps are parsed as RFC 3339 in UTC; a month without a day means its first.",
	"The queue was renamed in four files and the old name stays as an alias for one release.",
	"Decision: the export job streams rows instead of collecting them, because large customers ran out of memory.",
	"All packages pass. Coverage of the importer is 91 percent, the rest needs a broken disk.",
	"The config file may stand beside the binary or in the home directory; the first one found wins.",
	"Error pages no longer show the stack trace, only a number that stands in the log as well.",
}

func TestFloorLetsParaphrasesPass(t *testing.T) {
	for question, passage := range map[string]int{
		"how are database transactions locked": 0,
		"when does a refresh token expire":     1,
		"parsing dates":                        2,
	} {
		if c := cosine(vector(t, question), vector(t, floorPassages[passage])); c < float64(Embedded().Floor()) {
			t.Errorf("%q is at %.2f to %q, below the floor", question, c, floorPassages[passage])
		}
	}
}

func TestFloorStopsAbsentSubjects(t *testing.T) {
	for _, question := range []string{
		"which kafka partition did we choose", "best sourdough hydration", "how do I prune tomato plants in august",
		"why does the shader flicker on android", "which vaccine schedule applies to kittens", "jazz piano chords",
		"did we ever enable gradient checkpointing", "what is the melting point of tin", "football", "kubernetes",
		"how many moons does jupiter have", "which wine goes with salmon", "solar panels on the roof",
		"what did the lawyer say about the trademark", "how long should concrete cure",
	} {
		v := make([]float32, Embedded().Dim())
		if !Embedded().Vector(question, v) {
			continue
		}
		for _, passage := range floorPassages {
			if c := cosine(v, vector(t, passage)); c >= float64(Embedded().Floor()) {
				t.Errorf("%q is at %.2f to %q, above the floor", question, c, passage)
			}
		}
	}
}

// The hash that stands beside the embedded table is its own.
func TestEmbeddedHash(t *testing.T) {
	if want := hashOf(embeddedRows, embeddedScales, embeddedVocabulary); Embedded().Hash() != want {
		t.Errorf("the embedded table's hash is %#x, the constant says %#x", want, Embedded().Hash())
	}
}

// madeOf is a table of two dimensions.
func madeOf(t *testing.T, rows, scales, vocabulary string) *Table {
	t.Helper()
	table, err := NewTable(2, rows, scales, vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// Two tables never share vectors, and the floor belongs to the table it was
// measured for.
func TestTablesAreToldApart(t *testing.T) {
	small := madeOf(t, "\x01\x00\x00\x01", "\x00\x00\x80\x3f\x00\x00\x00\x40", "cach\ndisk\n")
	other := madeOf(t, "\x01\x00\x00\x01", "\x00\x00\x80\x3f\x00\x00\x80\x3f", "cach\ndisk\n")
	if small.Hash() == other.Hash() {
		t.Error("tables with other scales have the same hash")
	}
	v := make([]float32, small.Dim())
	if !small.Vector("caches, a disk", v) || v[0] < .446 || v[0] > .448 || v[1] < .894 || v[1] > .895 {
		t.Errorf("vector %v, want the rows weighted 1 and 2 at unit length", v)
	}
}
