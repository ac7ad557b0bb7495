package sessions

import (
	"encoding/base64"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// D9: data that somebody pasted is no text; what stands around it is.
func TestBlobsAreNoText(t *testing.T) {
	raw := make([]byte, 3*blobBytes)
	for i := range raw {
		raw[i] = byte(i * i >> 3)
	}
	data := base64.RawURLEncoding.EncodeToString(raw)
	for text, want := range map[string]string{
		"":                                    "",
		data:                                  blobDone,
		"look: " + data + "\nand " + data:     "look: " + blobDone + "\nand " + blobDone,
		"key " + data[:blobBytes-1]:           "key " + data[:blobBytes-1],
		"key " + data[:blobBytes] + " is it":  "key " + blobDone + " is it",
		strings.Repeat("x", 3*blobBytes):      strings.Repeat("x", 3*blobBytes),
		strings.Repeat("0a1b ", blobBytes):    strings.Repeat("0a1b ", blobBytes),
		strings.Repeat("-", blobBytes) + data: blobDone,
	} {
		if got := withoutBlobs(text); got != want {
			t.Errorf("%.40q…: got %.40q… of %d bytes", text, got, len(got))
		}
	}
	b := newBuilder(Key{ID: "s"}, "s", nil)
	if u := feed(t, b, prompt("", "what is "+data+" for?")); u.Passages[0].Text != "what is "+blobDone+" for?" {
		t.Errorf("%.60q", u.Passages[0].Text)
	}
}

// Wherever the data stands, all of it goes and nothing else.
func TestBlobsAnywhere(t *testing.T) {
	data := strings.Repeat("aB3+", blobBytes)
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[a-z]{0,300} `), 0, 30)
		before, after := strings.Join(words.Draw(t, "before"), ""), strings.Join(words.Draw(t, "after"), "")
		size := rapid.IntRange(blobBytes, len(data)).Draw(t, "size")
		if got := withoutBlobs(before + data[:size] + " " + after); got != before+blobDone+" "+after {
			t.Fatalf("%.40q", got)
		}
	})
}
