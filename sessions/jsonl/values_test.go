package jsonl

import (
	"testing"
	"time"
)

func TestField(t *testing.T) {
	for _, c := range []struct{ object, name, want string }{
		{`{"a":1,"b":{"a":2},"c":"x"}`, "a", "1"},
		{`{"a":1,"b":{"a":2},"c":"x"}`, "c", `"x"`},
		{`{"b":{"a":2}}`, "a", ""},
		{`["a",1]`, "a", ""},
		{``, "a", ""},
	} {
		if got := Field(c.object, c.name); got != c.want {
			t.Errorf("Field(%s, %s) = %q, want %q", c.object, c.name, got, c.want)
		}
	}
}

func TestPlainSaysWhatTextDoes(t *testing.T) {
	for _, raw := range []string{`"x"`, `""`, `"a\nb"`, `"\ud800"`, "\"a\x80b\"", `7`, `"`, ``, `{"a":1}`} {
		if got := Plain(raw); got != Text(raw) {
			t.Errorf("Plain(%q) = %q, want %q", raw, got, Text(raw))
		}
	}
}

func TestTime(t *testing.T) {
	at := time.Date(2026, 6, 18, 9, 40, 3, 500_000_000, time.UTC)
	for raw, want := range map[string]time.Time{
		`"2026-06-18T09:40:03.500Z"`:      at,
		`"2026-06-18T11:40:03.5+02:00"`:   at,
		`1781775603500`:                   at,
		`1.7817756035e12`:                 at,
		`"1970-01-01T00:00:00Z"`:          {},
		`"yesterday"`:                     {},
		`1781775603`:                      {}, // seconds are not what is asked for
		`1e300`:                           {},
		`-1781775603500`:                  {},
		`null`:                            {},
		`{"seconds":1}`:                   {},
		``:                                {},
		`"9999-12-31T23:59:59.999+14:00"`: time.Date(9999, 12, 31, 9, 59, 59, 999_000_000, time.UTC),
	} {
		if got := Time(raw); !got.Equal(want) || got.Location() != time.UTC {
			t.Errorf("Time(%s) = %v, want %v", raw, got, want)
		}
	}
}

// A time can be written to disk, whatever a record says.
func FuzzTime(f *testing.F) {
	for _, raw := range []string{`"2026-06-18T09:40:03Z"`, `1781775603500`, `"9999-12-31T23:59:59-14:00"`, `253402300799000`, `NaN`, `"`} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		if _, err := Time(raw).MarshalJSON(); err != nil {
			t.Errorf("Time(%q): %v", raw, err)
		}
	})
}
