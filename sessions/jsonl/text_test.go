package jsonl

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"
)

func TestText(t *testing.T) {
	for raw, want := range map[string]string{
		`""`: "", `"plain"`: "plain", `"a\n\t\"\\\/\u0041\b\f\r"`: "a\n\t\"\\/A\b\f\r",
		`"\u00e9 é"`: "é é", `"\ud83d\ude80"`: "🚀",
		`"\ud83d end"`: "\uFFFD end", `"\ude80"`: "\uFFFD", `"\ud83d\u0041"`: "\uFFFDA", `"\ud83d\ud83d\ude80"`: "\uFFFD🚀", `"\ud83d\n"`: "\uFFFD\n",
		"\"Latin \xe9.\"": "Latin \uFFFD.", "\"\\n\xe2\x82\"": "\n\uFFFD", "\"\u2028\"": "\u2028", `"\u0000"`: "\x00",
		`12`: "", `null`: "", `{"a":"b"}`: "", ``: "", `"`: "", `"\"`: `\`, `"\u12"`: `\u12`,
	} {
		if got := Text(raw); got != want {
			t.Errorf("Text(%s) = %q, want %q", raw, got, want)
		}
	}
}

// What Text returns does not change with the buffer that it came from.
func TestTextIsACopy(t *testing.T) {
	buf := []byte(`"plain"`)
	got := Text(Record{Data: buf}.JSON())
	buf[1] = 'X'
	if got != "plain" {
		t.Errorf("the text became %q", got)
	}
}

func TestFieldsAndElements(t *testing.T) {
	var got []string
	for k, v := range Fields(` {"a" : 1.5e3, "b":{"x":"}"} ,"c":[1,[2]],"d\"":"s\"","":null,"e":true} `) {
		got = append(got, k, v)
	}
	for v := range Elements(` [ 1 , "a,b", {"x":[3]}, [ ], null ] `) {
		got = append(got, v)
	}
	want := []string{"a", "1.5e3", "b", `{"x":"}"}`, "c", "[1,[2]]", `d\"`, `"s\""`, "", "null", "e", "true",
		"1", `"a,b"`, `{"x":[3]}`, "[ ]", "null"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for k := range Fields(`[1]`) {
		t.Errorf("field %q of an array", k)
	}
	for v := range Elements(`{"a":1}`) {
		t.Errorf("element %q of an object", v)
	}
}

// FuzzValue compares the scanner with two independent ones.
func FuzzValue(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5e-7,{"b":"\u00e9\ud83d\\"}],"c":null}`, `[-0,0.1,1E+2,01]`, `{"a" 1}`, `{,}`, `[1,]`, "\"\x01\"", `"abcdefghi\"`, ` true `, `tru`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		end, ok := value(s, 0)
		if end < 0 || end > len(s) {
			t.Fatalf("value(%q) ends at %d of %d", s, end, len(s))
		}
		if ok && strings.Trim(s[end:], " \t\r\n") != "" {
			ok = false
		}
		if ok != Valid(s) {
			t.Fatalf("Valid(%q) = %v", s, !ok)
		}
		if strings.Count(s, "[")+strings.Count(s, "{") < maxDepth && ok != json.Valid([]byte(s)) {
			t.Fatalf("value(%q) = %d, %v", s, end, ok)
		}
		if !ok {
			return
		}
		trimmed := strings.Trim(s, " \t\r\n")
		if got := skip(trimmed, 0); got != len(trimmed) {
			t.Fatalf("skip(%q) = %d", trimmed, got)
		}
		want := 0
		gjson.Parse(trimmed).ForEach(func(_, _ gjson.Result) bool { want++; return true })
		got := 0
		for range Fields(trimmed) {
			got++
		}
		for range Elements(trimmed) {
			got++
		}
		if (trimmed[0] == '{' || trimmed[0] == '[') && got != want {
			t.Fatalf("%d values in %q, want %d", got, trimmed, want)
		}
	})
}

// FuzzText compares Text with encoding/json, which replaces each bad byte where
// Text replaces each run of them.
func FuzzText(f *testing.F) {
	for _, s := range []string{`"a\ud83d\ude80\n"`, `"\ud83d\u0041"`, "\"\xe9\xff\\t\""} {
		f.Add(s)
	}
	squeeze := func(s string) string {
		for strings.Contains(s, "\uFFFD\uFFFD") {
			s = strings.ReplaceAll(s, "\uFFFD\uFFFD", "\uFFFD")
		}
		return s
	}
	f.Fuzz(func(t *testing.T, raw string) {
		got := Text(raw)
		if !utf8.ValidString(got) {
			t.Fatalf("Text(%q) = %q is not UTF-8", raw, got)
		}
		var want string
		if json.Unmarshal([]byte(raw), &want) == nil && raw[0] == '"' && raw[len(raw)-1] == '"' && squeeze(got) != squeeze(want) {
			t.Fatalf("Text(%q) = %q, want %q", raw, got, want)
		}
	})
}
