package jsonl

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Field is the value of one field of an object, as it is written; "" when it has
// none of that name.
func Field(object, name string) string {
	for key, v := range Fields(object) {
		if key == name {
			return v
		}
	}
	return ""
}

// Plain is Text for short strings, without a copy where it can: the result may
// share memory with raw.
func Plain(raw string) string {
	if len(raw) < 2 || raw[0] != '"' {
		return ""
	}
	if s := raw[1 : len(raw)-1]; strings.IndexByte(s, '\\') < 0 && utf8.ValidString(s) {
		return s
	}
	return Text(raw)
}

// The times that can be a transcript's, for what is written as a number, and in
// years for what is written as a date.
const (
	oldestMilli = 946684800000    // 2000-01-01
	newestMilli = 253402300799000 // 9999-12-31
	oldestYear  = 2000
	newestYear  = 9999
)

// Time is the time that a value tells: a date and time as RFC 3339 writes it, or
// a number of milliseconds since 1970. It is zero for anything else.
func Time(raw string) time.Time {
	if strings.HasPrefix(raw, `"`) {
		at, err := time.Parse(time.RFC3339Nano, Plain(raw))
		at = at.UTC()
		if err != nil || at.Year() < oldestYear || at.Year() > newestYear {
			return time.Time{}
		}
		return at
	}
	ms, err := strconv.ParseFloat(raw, 64)
	if err != nil || !(ms >= oldestMilli && ms <= newestMilli) { // NaN is neither
		return time.Time{}
	}
	return time.UnixMilli(int64(ms)).UTC()
}
