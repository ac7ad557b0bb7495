package corpus

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

// Options say what to write.
type Options struct {
	Bytes int64     // about so many in all
	Seed  uint64    // the same seed writes the same bytes
	End   time.Time // the newest session is of that day; 1 June 2026 when zero
}

// Stats say what was written.
type Stats struct {
	Sessions     int
	Bytes        int64
	Conversation int64 // bytes of prompts and replies
}

// Write fills home with transcripts of Claude Code (four in five) and Codex,
// as they lie in a user's home directory.
func Write(home string, o Options) (Stats, error) {
	if o.End.IsZero() {
		o.End = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	}
	r := rand.New(rand.NewPCG(o.Seed, 0x796f7265))
	var s Stats
	for s.Bytes < o.Bytes {
		back := time.Duration(r.ExpFloat64() * float64(40*24*time.Hour))
		w := &writer{prose: newProse(r), clock: o.End.Add(-back).Truncate(time.Second)}
		write := w.claude
		if s.Sessions%5 == 4 {
			write = w.codex
		}
		if err := write(home); err != nil {
			return s, fmt.Errorf("writing invented transcripts below %s: %w", home, err)
		}
		s.Sessions++
		s.Bytes += w.bytes
		s.Conversation += w.conversation
	}
	return s, nil
}

// writer writes one session.
type writer struct {
	*prose
	clock               time.Time
	out                 *bufio.Writer
	bytes, conversation int64
	err                 error
}

// tick is the time of the next record.
func (w *writer) tick() string {
	w.clock = w.clock.Add(time.Duration(2+w.r.IntN(60)) * time.Second)
	return w.clock.Format("2006-01-02T15:04:05.000Z")
}

func (w *writer) uuid() string {
	a, b := w.r.Uint64(), w.r.Uint64()
	return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", a>>32, a>>16&0xffff, a&0xfff, b>>52, b&0xffffffffffff)
}

// create opens the session's file; finish closes it and sets its time.
func (w *writer) create(path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	w.out = bufio.NewWriterSize(f, 1<<20)
	return f, nil
}

func (w *writer) finish(f *os.File) error {
	if err := w.out.Flush(); w.err == nil {
		w.err = err
	}
	if err := f.Close(); w.err == nil {
		w.err = err
	}
	if err := os.Chtimes(f.Name(), w.clock, w.clock); w.err == nil {
		w.err = err
	}
	return w.err
}

func (w *writer) line(record any) {
	data, err := json.Marshal(record)
	if err == nil {
		_, err = w.out.Write(append(data, '\n'))
	}
	w.bytes += int64(len(data)) + 1
	if w.err == nil {
		w.err = err
	}
}

// say is conversation text, counted as such.
func (w *writer) say(median float64) string {
	t := w.text(w.size(median, 0.9, 12_000))
	w.conversation += int64(len(t))
	return t
}
