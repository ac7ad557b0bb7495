package gather

import (
	"encoding/binary"
	"io/fs"
	"math"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// Parse reads one JSON document. What is damaged, or nested deeper than any
// transcript nests, has no fields.
func Parse(text string) gjson.Result {
	if !jsonl.Valid(text) {
		return gjson.Result{}
	}
	return gjson.Parse(text)
}

// Text is what a JSON string says, in memory of its own; "" of anything else.
func Text(v gjson.Result) string { return jsonl.Text(v.Raw) }

// Result is what a call returned, of a JSON value: a text as it is, an object
// field by field, texts in an array one below the other.
func Result(raw string) string {
	if !strings.HasPrefix(raw, "[") {
		text, _ := store.Input(raw)
		return text
	}
	var texts []string
	for element := range jsonl.Elements(raw) {
		text, _ := store.Input(element)
		texts = append(texts, text)
	}
	return strings.Join(texts, "\n")
}

// Moment is a time since 1970 in seconds or, when it is too large for any
// plausible second, in milliseconds; zero for a number that is neither.
// 1e11 seconds are the year 5138, 1e11 milliseconds 1973.
func Moment(n float64) time.Time {
	switch {
	case !(n > 0) || n > 1e14:
		return time.Time{}
	case n < 1e11:
		n *= 1000
	}
	return time.UnixMilli(int64(math.Round(n))).UTC()
}

// Written is a time in text: RFC 3339, or a date and a time without a zone,
// which databases keep in UTC; zero for anything else.
func Written(text string) time.Time { return written(text, time.UTC) }

// Local is a time in text as Written reads it, but without a zone it is local:
// so programs write it that ask their machine what time it is.
func Local(text string) time.Time { return written(text, time.Local) }

func written(text string, zone *time.Location) time.Time {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999"} {
		if t, err := time.ParseInLocation(layout, text, zone); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

// Stem is the time in a session's name that begins 20060102_150405, which is
// local; zero when it has none.
func Stem(name string) time.Time {
	const layout = "20060102_150405"
	if len(name) < len(layout) {
		return time.Time{}
	}
	t, err := time.ParseInLocation(layout, name[:len(layout)], time.Local)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}

// Version is a number that differs when any of these values does, for a
// transcript's stamp: texts, numbers, and files by their stamps. A file that takes
// another's place within a tick of the system's clock differs by its inode alone.
func Version(values ...any) int64 {
	d := xxhash.New()
	for _, v := range values {
		switch v := v.(type) {
		case string:
			_, _ = d.WriteString(v) // a hash takes everything
			_, _ = d.WriteString("\x00")
		case int64:
			writeNumbers(d, v)
		case fs.FileInfo:
			writeStamp(d, sessions.StampOf(v))
		case sessions.Stamp:
			writeStamp(d, v)
		}
	}
	return int64(d.Sum64())
}

func writeStamp(d *xxhash.Digest, s sessions.Stamp) {
	writeNumbers(d, s.Size, s.Mtime.UnixNano(), int64(s.Inode), s.Extra)
}

func writeNumbers(d *xxhash.Digest, numbers ...int64) {
	for _, n := range numbers {
		_, _ = d.Write(binary.LittleEndian.AppendUint64(nil, uint64(n))) // a hash takes everything
	}
}
