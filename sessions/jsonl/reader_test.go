package jsonl_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"yore/sessions/jsonl"
)

// starts are the beginnings of records that the tests use.
var starts = []string{`{"parentUuid"`, `{"type"`}

// readAll collects the records of data, each as "offset:text", with "*" when
// recovered.
func readAll(t testing.TB, data string, o jsonl.Options) (records []string, r *jsonl.Reader) {
	t.Helper()
	r = jsonl.NewReader(strings.NewReader(data), 0, o)
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return records, r
		}
		if err != nil {
			t.Fatalf("Next: %v", err)
		}
		mark := ""
		if rec.Recovered {
			mark = "*"
		}
		records = append(records, fmt.Sprintf("%d%s:%s", rec.Offset, mark, rec.Data))
	}
}

func TestReader(t *testing.T) {
	cut := `{"parentUuid":null,"type":"user","message":{"content":"cut he`
	for _, c := range []struct {
		name, in string
		want     []string
		offset   int64
		damaged  int
	}{
		{name: "empty"},
		{name: "two lines", in: "{\"a\":1}\n{\"b\":2}\n", want: []string{`0:{"a":1}`, `8:{"b":2}`}, offset: 16},
		{name: "last newline missing", in: "{\"a\":1}\n{\"b\":2}", want: []string{`0:{"a":1}`, `8:{"b":2}`}, offset: 15},
		{name: "last line unfinished", in: "{\"a\":1}\n{\"b\":", want: []string{`0:{"a":1}`}, offset: 8},
		{name: "last line unfinished in a rune", in: "{\"a\":1}\n{\"b\":\"\xe2\x82", want: []string{`0:{"a":1}`}, offset: 8},
		{name: "last line a whole and a half record", in: "{\"a\":1}{\"b\":", offset: 0},
		{name: "byte order mark, CRLF, blank lines", in: "\ufeff{\"a\":1}\r\n\r\n \n{\"b\":2}\r\n", want: []string{`3:{"a":1}`, `16:{"b":2}`}, offset: 25},
		{name: "NULs before a record", in: "{\"a\":1}\n\x00\x00\x00{\"b\":2}\n", want: []string{`0:{"a":1}`, `11:{"b":2}`}, offset: 19},
		{name: "two records on one line", in: "{\"a\":1}{\"b\":2}\n", want: []string{`0*:{"a":1}`, `7*:{"b":2}`}, offset: 15},
		{name: "two records and NULs on one line", in: "{\"a\":1}\x00\x00{\"b\":2}\n", want: []string{`0*:{"a":1}`, `9*:{"b":2}`}, offset: 17},
		{name: "a cut record, the next on its line", in: cut + `{"type":"user","x":[]}` + "\n{\"b\":2}\n",
			want: []string{fmt.Sprintf(`%d*:{"type":"user","x":[]}`, len(cut)), fmt.Sprintf(`%d:{"b":2}`, len(cut)+23)}, offset: int64(len(cut) + 31), damaged: 1},
		{name: "cut before a value, the next taken for it", in: `{"parentUuid":{"type":"user"}` + "\n", want: []string{`14*:{"type":"user"}`}, offset: 30, damaged: 1},
		{name: "a record with a broken tail", in: `{"a":1}oops` + "\n", want: []string{`0*:{"a":1}`}, offset: 12, damaged: 1},
		{name: "garbage, other values", in: "\x00\x01\x02no\n[]\nnull\n42\n\"str\"\n{\"a\":1}\n", want: []string{`23:{"a":1}`}, offset: 31, damaged: 5},
		{name: "separators and bad UTF-8 in a string", in: "{\"a\":\"\u2028\u2029\xe9\xff\"}\n", want: []string{"0:{\"a\":\"\u2028\u2029\xe9\xff\"}"}, offset: 17},
		{name: "brackets without end", in: strings.Repeat("[", 3<<20) + "\n" + strings.Repeat(`{"a":`, 1<<20) + "\n{\"b\":2}\n",
			want: []string{fmt.Sprintf(`%d:{"b":2}`, 8<<20+2)}, offset: 8<<20 + 10, damaged: 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, r := readAll(t, c.in, jsonl.Options{Starts: starts})
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("records (-want +got):\n%s", diff)
			}
			if r.Offset() != c.offset {
				t.Errorf("Offset() = %d, want %d", r.Offset(), c.offset)
			}
			if r.DamagedCount() != c.damaged {
				t.Errorf("DamagedCount() = %d %v, want %d", r.DamagedCount(), r.Damaged(), c.damaged)
			}
		})
	}
}

// D9: a long line is read whole, and one too long costs itself only.
func TestReaderLongLines(t *testing.T) {
	long := `{"a":"` + strings.Repeat("x", 3<<20) + `"}`
	in := "{\"b\":1}\n" + long + "\n{\"c\":2}\n"
	got, r := readAll(t, in, jsonl.Options{})
	if len(got) != 3 || got[1] != "8:"+long || r.DamagedCount() != 0 {
		t.Errorf("got %d records, damage %v", len(got), r.Damaged())
	}
	got, r = readAll(t, in, jsonl.Options{MaxLine: 1 << 20})
	want := []string{`0:{"b":1}`, fmt.Sprintf(`%d:{"c":2}`, 9+len(long))}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]jsonl.Damage{{Offset: 8, Reason: jsonl.ReasonTooLong}}, r.Damaged()); diff != "" {
		t.Errorf("damage (-want +got):\n%s", diff)
	}
	// Too long and unfinished: nothing is said about it yet.
	got, r = readAll(t, in[:len(in)-12], jsonl.Options{MaxLine: 1 << 20})
	if len(got) != 1 || r.Offset() != 8 || r.DamagedCount() != 0 {
		t.Errorf("unfinished: %d records, offset %d, damage %v", len(got), r.Offset(), r.Damaged())
	}
}

// A line made of nothing but beginnings of records ends in bounded time.
func TestReaderManyBeginnings(t *testing.T) {
	in := strings.Repeat(`{"type":`, 300) + strings.Repeat(`{"type":1,"a":[`, 100_000) + "\n{\"b\":2}\n"
	got, r := readAll(t, in, jsonl.Options{Starts: starts})
	if len(got) == 0 || !strings.HasSuffix(got[len(got)-1], `:{"b":2}`) || r.DamagedCount() == 0 {
		t.Errorf("last of %d records is not the one behind the damage", len(got))
	}
}

func TestReaderErrors(t *testing.T) {
	broken := errors.New("broken")
	r := jsonl.NewReader(io.MultiReader(strings.NewReader("{\"a\":1}\n{\"b\""), iotest.ErrReader(broken)), 100, jsonl.Options{})
	if rec, err := r.Next(); err != nil || rec.Offset != 100 {
		t.Fatalf("Next() = %v, %v", rec, err)
	}
	if _, err := r.Next(); !errors.Is(err, broken) {
		t.Errorf("Next() error = %v, want the source's", err)
	}
	if r.Offset() != 108 {
		t.Errorf("Offset() = %d, want 108", r.Offset())
	}
}

// readSteps reads data as a file that grows to each of the sizes in turn, each
// time from where the last reading ended.
func readSteps(t testing.TB, data string, sizes []int, small bool) (records []string) {
	offset := int64(0)
	for _, size := range append(sizes, len(data)) {
		if int64(size) < offset {
			continue
		}
		var src io.Reader = strings.NewReader(data[offset:size])
		if small {
			src = iotest.OneByteReader(src)
		}
		r := jsonl.NewReader(src, offset, jsonl.Options{Starts: starts})
		for {
			rec, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("Next: %v", err)
			}
			if got := data[rec.Offset:][:len(rec.Data)]; got != string(rec.Data) {
				t.Fatalf("at %d stands %q, not %q", rec.Offset, got, rec.Data)
			}
			records = append(records, fmt.Sprintf("%d:%s", rec.Offset, rec.Data))
		}
		offset = r.Offset()
	}
	return records
}

// Reading a file as it grows, in any steps, gives the records of one reading.
func TestReaderResumes(t *testing.T) {
	piece := rapid.SampledFrom([]string{
		"{\"type\":\"user\",\"x\":\"\u00e9\u2028\"}\n", "{\"a\":[1,{\"b\":\"}\\\"\"}]}\r\n", "\n", "\r\n", "\x00\x00{\"n\":null}\n",
		"{\"a\":1}{\"b\":2}\n", "{\"type\":\"user\",\"cut\":\"he{\"type\":\"x\"}\n", "not json\n", "[]\n", "{\"e\":\"\\ud83d\"} \n",
	})
	rapid.Check(t, func(rt *rapid.T) {
		data := strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(rt, "pieces"), "")
		sizes := rapid.SliceOfN(rapid.IntRange(0, len(data)), 0, 4).Draw(rt, "sizes")
		whole := readSteps(t, data, nil, false)
		stepped := readSteps(t, data, sizes, rapid.Bool().Draw(rt, "small"))
		if diff := cmp.Diff(whole, stepped); diff != "" {
			rt.Fatalf("records of %q in steps %v (-whole +stepped):\n%s", data, sizes, diff)
		}
	})
}

func FuzzReader(f *testing.F) {
	f.Add([]byte("\ufeff{\"type\":\"user\"}\r\n\x00\x00{\"a\":1}{\"b\":[2]}\n{\"type\":\"cut {\"type\":\"x\"}\n{\"half"))
	f.Add([]byte("[[[[{{{{\n{\"a\":\"\\ud83d\xff\"}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, maxLine := range []int{0, 16} {
			r := jsonl.NewReader(bytes.NewReader(data), 0, jsonl.Options{Starts: starts, MaxLine: maxLine})
			last := int64(-1)
			for {
				rec, err := r.Next()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				if rec.Offset <= last || !bytes.Equal(data[rec.Offset:][:len(rec.Data)], rec.Data) {
					t.Fatalf("record %q at %d", rec.Data, rec.Offset)
				}
				if r.Offset() < rec.Offset+int64(len(rec.Data)) {
					t.Fatalf("offset %d before the end of the record at %d", r.Offset(), rec.Offset)
				}
				last = rec.Offset
				walk(rec.JSON(), 0)
			}
		}
	})
}

// A long line of a file takes its own length in memory and not a multiple of it,
// wherever in the file reading begins.
func TestALongLineTakesItsLength(t *testing.T) {
	const long = 30 << 20
	first, last := `{"first":1}`+"\n", `{"last":1}`+"\n"
	line := `{"x":"` + strings.Repeat("y", long) + `"}` + "\n"
	path := filepath.Join(t.TempDir(), "lines")
	if err := os.WriteFile(path, []byte(first+line+last), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	from := int64(len(first))
	for name, open := range map[string]func() (io.Reader, int64){
		"a file":                   func() (io.Reader, int64) { return file, 0 },
		"a file from an offset":    func() (io.Reader, int64) { return file, from },
		"a section":                func() (io.Reader, int64) { return io.NewSectionReader(file, 0, 1<<40), 0 },
		"a section further behind": func() (io.Reader, int64) { return io.NewSectionReader(file, from, 1<<40), from },
	} {
		t.Run(name, func(t *testing.T) {
			src, offset := open()
			if _, err := file.Seek(offset, io.SeekStart); err != nil {
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r := jsonl.NewReader(src, offset, jsonl.Options{})
			read := 0
			for {
				rec, err := r.Next()
				if err != nil {
					break
				}
				read += len(rec.Data) + 1
			}
			runtime.ReadMemStats(&after)
			if want := len(first) + len(line) + len(last) - int(offset); read != want {
				t.Errorf("read %d bytes of %d", read, want)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > long+2<<20 {
				t.Errorf("took %d bytes", took)
			}
		})
	}
}

// walk visits every value.
func walk(v string, depth int) {
	if depth > 50 {
		return
	}
	jsonl.Text(v)
	for _, field := range jsonl.Fields(v) {
		walk(field, depth+1)
	}
	for element := range jsonl.Elements(v) {
		walk(element, depth+1)
	}
}

func BenchmarkReader(b *testing.B) {
	line := `{"parentUuid":"a0000000-0000-4000-8000-000000000001","type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"` +
		strings.Repeat(`ok  \tshop/cart 0.412s coverage: 81.0% of statements\n`, 40) + `"}]}}` + "\n"
	data := strings.Repeat(line, 4000)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		r := jsonl.NewReader(strings.NewReader(data), 0, jsonl.Options{})
		for {
			if _, err := r.Next(); err != nil {
				break
			}
		}
	}
}
