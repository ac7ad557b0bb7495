package sessions

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// storm does to transcripts whatever programs and people do to files.
type storm struct {
	t     *testing.T
	f     *fake
	rand  *rand.Rand
	files []string // names of those that are there
	made  int
	old   bool // half of them are of sub-agents, and most ended long ago
	// anew are those that are written anew (true) or archived (false), by the names of their
	// files: one that is both between two looks is not known to be the same file.
	anew map[string]bool
}

// either tells whether a transcript is one that is written anew, or one that is archived.
func (s *storm) either(name string, anew bool) bool {
	if s.anew == nil {
		s.anew = make(map[string]bool)
	}
	is, known := s.anew[filepath.Base(name)]
	if !known {
		s.anew[filepath.Base(name)] = anew
	}
	return !known || is == anew
}

func (s *storm) words() line {
	s.made++
	return line{ID: fmt.Sprint(s.made), Text: fmt.Sprintf("%0*d", 1+s.rand.IntN(900), s.made)}
}

func (s *storm) step() {
	if len(s.files) == 0 || s.rand.IntN(6) == 0 {
		s.made++
		name := fmt.Sprintf("d%d/s%d.log", s.rand.IntN(4), s.made)
		if s.old && s.made%2 == 0 {
			name = fmt.Sprintf("d%d/side-%d.log", s.rand.IntN(4), s.made)
		}
		s.files = append(s.files, name)
		s.f.put(s.t, name, s.words())
		s.age(name)
		return
	}
	at := s.rand.IntN(len(s.files))
	name := s.files[at]
	path := filepath.Join(s.f.dir, name)
	var err error
	what := s.rand.IntN(9)
	if what <= 3 && !s.either(name, what < 3) {
		return
	}
	switch what {
	case 0: // written anew, perhaps shorter
		s.f.put(s.t, name, s.words(), s.words())
	case 1: // truncated and grown
		err = os.Truncate(path, s.rand.Int64N(40))
		s.f.add(s.t, name, "\n", s.words(), s.words())
	case 2: // renamed over
		s.f.put(s.t, name+".tmp", s.words())
		err = os.Rename(path+".tmp", path)
	case 3: // archived
		moved := filepath.Join("archive", filepath.Base(name))
		if moved == name {
			return
		}
		s.files[at] = moved
		err = os.MkdirAll(filepath.Join(s.f.dir, "archive"), 0o700)
		if err == nil {
			err = os.Rename(path, filepath.Join(s.f.dir, moved))
		}
	case 4: // deleted
		s.files = append(s.files[:at], s.files[at+1:]...)
		err = os.Remove(path)
	case 5: // a line in two writes
		whole := string(records(s.t, s.words()))
		s.f.add(s.t, name, whole[:5])
		s.f.add(s.t, name, whole[5:])
	default:
		s.f.add(s.t, name, s.words())
	}
	if err != nil {
		s.t.Fatal(err)
	}
	if at < len(s.files) {
		s.age(s.files[at])
	}
}

// age makes a file one that did not change for long; a session's only now and then.
func (s *storm) age(name string) {
	ago := 2 * sideSleepsAfter
	if !strings.HasPrefix(filepath.Base(name), "side-") {
		ago = 2 * sleepsAfter
	}
	if !s.old || ago > sideSleepsAfter*2 && s.rand.IntN(3) == 0 {
		return
	}
	s.made++ // so that each change shows
	old := time.Now().Add(-ago).Add(time.Duration(s.made) * time.Millisecond)
	if err := os.Chtimes(filepath.Join(s.f.dir, name), old, old); err != nil {
		s.t.Fatal(err)
	}
}

// Whatever happened to the files, what is known in the end is what a program
// that starts now would read, and what is gone keeps its text.
func TestAfterAStormEverythingIsTrue(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			s := &storm{t: t, f: &fake{dir: t.TempDir()}, rand: rand.New(rand.NewPCG(seed, 0)), old: seed%2 == 1}
			for range 10 {
				s.step()
			}
			c, _ := follow(t, s.f)
			for range 150 {
				s.step()
				if s.rand.IntN(8) == 0 {
					time.Sleep(time.Duration(s.rand.IntN(20)) * time.Millisecond)
				}
			}
			fresh, _ := readOnce(t, s.f, 1)
			c.await("everything known is true", func() bool { return agrees(c, fresh) })
		})
	}
}

func agrees(c, fresh *corpus) bool {
	for _, id := range fresh.ids() {
		if c.text(id) != fresh.text(id) || c.session(id).Gone || c.session(id).Path != fresh.session(id).Path {
			return false
		}
	}
	for _, id := range c.ids() {
		if fresh.text(id) == "" && !c.session(id).Gone {
			return false
		}
	}
	return true
}
