package sessions

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long a test waits for what has to come.
const patience = 10 * time.Second

// line is one record of the invented harness "fake", whose transcripts are
// files that end in .log and are named after their session.
type line struct {
	Session string // the session's id; the file's when ""
	ID      string
	Kind    Kind
	Text    string
	Undo    []string
	Parent  string // makes the session a sub-agent of that one
	Dir     string // says where it was at work
}

// fake reads the invented harness. Names of sub-agents begin with "side-"; a
// file that ends in .log.log takes the place of the one without the last .log;
// what a file named "broken.log" holds cannot be read; notes stand in a file
// named "notes".
type fake struct {
	dir     string
	onRead  func(Transcript, Mark)    // called at the beginning of every reading
	waiting func(ctx context.Context) // called inside every reading
	listed  func()                    // called when all were listed
	noList  error                     // what listing ends with
}

func (f *fake) Name() string              { return "fake" }
func (f *fake) Roots(Env) []Root          { return []Root{{Path: f.dir, From: "default"}} }
func (f *fake) Resume(s Session) []string { return []string{"fake", "--resume", s.ID} }

func (f *fake) List(_ context.Context, root Root, send func(Transcript)) error {
	err := errors.Join(f.list(root.Path, send), f.noList)
	if f.listed != nil {
		f.listed()
	}
	return err
}

// list follows symbolic links, which filepath.WalkDir does not.
func (f *fake) list(dir string, send func(Transcript)) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		info, statErr := os.Stat(path)
		id, isLog := strings.CutSuffix(e.Name(), ".log")
		id = strings.TrimSuffix(id, ".log")
		_, replaced := os.Stat(path + ".log")
		switch {
		case statErr != nil:
		case info.IsDir():
			err = errors.Join(err, f.list(path, send))
		case isLog && replaced != nil:
			send(Transcript{Path: path, ID: id, Stamp: StampOf(info), Side: strings.HasPrefix(id, "side-")})
		}
	}
	return err
}

func (f *fake) Read(ctx context.Context, t Transcript, from Mark, to Sink) (Mark, error) {
	if f.onRead != nil {
		f.onRead(t, from)
	}
	if f.waiting != nil {
		f.waiting(ctx)
	}
	if filepath.Base(t.Path) == "broken.log" {
		return from, errors.New("the disk says no")
	}
	file, err := os.Open(t.Path)
	if err != nil {
		return from, err
	}
	defer file.Close()
	if _, err := file.Seek(from.Offset, io.SeekStart); err != nil {
		return from, err
	}
	for r := bufio.NewReader(file); ; {
		raw, err := r.ReadBytes('\n')
		if err != nil {
			return from, nil // what has no newline yet is left for the next time
		}
		from.Offset += int64(len(raw))
		sendLine(t, raw, to)
	}
}

func sendLine(t Transcript, raw []byte, to Sink) {
	var l line
	if strings.HasPrefix(string(raw), "damage") {
		to.(DamageKnower).Damaged()
		return
	}
	if strings.HasPrefix(string(raw), "panic") {
		panic("a fault of the reader")
	}
	if json.Unmarshal(raw, &l) != nil {
		to.Skip("damaged line", t.Path)
		return
	}
	if l.Session == "" {
		l.Session = t.ID
	}
	if l.Parent != "" {
		to.Facts(Session{Key: Key{ID: l.Session}, Subagent: true, Parent: l.Parent})
	}
	if l.Dir != "" {
		to.Facts(Session{Key: Key{ID: l.Session}, Directory: l.Dir})
	}
	role := Assistant
	if l.Kind == Prompt {
		role = User
	}
	if len(l.Undo) > 0 {
		to.Undo(l.Session, l.Undo, true)
		return
	}
	to.Turn(l.Session, Turn{Kind: l.Kind, Role: role, ID: l.ID, Call: l.ID, Text: l.Text}, true)
}

func (f *fake) Aside(_ Root, path string) bool { return filepath.Base(path) == "notes" }

func (f *fake) Notes(_ context.Context, root Root) (map[string]Note, error) {
	text, err := os.ReadFile(filepath.Join(root.Path, "notes"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	notes := make(map[string]Note)
	for l := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n") {
		id, title, _ := strings.Cut(l, " ")
		notes[id] = Note{Title: title}
	}
	return notes, err
}

// put writes a transcript, or any file, of these lines.
func (f *fake) put(t *testing.T, name string, lines ...any) string {
	t.Helper()
	path := filepath.Join(f.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, records(t, lines...), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// add appends lines to a transcript.
func (f *fake) add(t *testing.T, name string, lines ...any) {
	t.Helper()
	file, err := os.OpenFile(filepath.Join(f.dir, name), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.Write(records(t, lines...)); err != nil {
		t.Fatal(err)
	}
}

// records are the bytes of lines: a string is taken as it is.
func records(t *testing.T, lines ...any) []byte {
	t.Helper()
	var all []byte
	for _, l := range lines {
		if text, ok := l.(string); ok {
			all = append(all, text...)
			continue
		}
		raw, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		all = append(append(all, raw...), '\n')
	}
	return all
}

// corpus is what somebody knows who applies all Updates of a Library.
type corpus struct {
	t       *testing.T
	mu      sync.Mutex
	known   map[string]*known // by session id
	order   []string          // ids in the order of their first Updates
	active  map[Key]bool      // Updates being applied
	changed chan struct{}
}

func newCorpus(t *testing.T) *corpus {
	return &corpus{t: t, known: make(map[string]*known), active: make(map[Key]bool), changed: make(chan struct{}, 1)}
}

func (c *corpus) apply(us []Update) {
	c.enter(us, true)
	c.mu.Lock()
	for _, u := range us {
		k := c.known[u.ID]
		if k == nil {
			k = &known{}
			c.known[u.ID] = k
			c.order = append(c.order, u.ID)
		}
		if u.From > len(k.passages) && !u.Reset {
			c.t.Errorf("%s: an update from passage %d of %d", u.ID, u.From, len(k.passages))
		}
		k.apply(u)
		if u.Removed {
			delete(c.known, u.ID)
		}
	}
	c.mu.Unlock()
	c.enter(us, false)
	select {
	case c.changed <- struct{}{}:
	default:
	}
}

// enter watches that no two batches with the same session overlap.
func (c *corpus) enter(us []Update, begins bool) {
	keys := make(map[Key]bool)
	for _, u := range us {
		keys[u.Key] = true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for key := range keys {
		if begins && c.active[key] {
			c.t.Errorf("updates of %v overlap", key)
		}
		c.active[key] = begins
	}
}

// text is all that is known of a session.
func (c *corpus) text(id string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known[id] == nil {
		return ""
	}
	return strings.Join(texts(c.known[id].passages), "|")
}

// applied is what an index would know of a session.
func (c *corpus) applied(key Key) (Session, bool, error) {
	s := c.session(key.ID)
	return s, s.ID != "", nil
}

func (c *corpus) session(id string) Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known[id] == nil {
		return Session{}
	}
	return c.known[id].session
}

func (c *corpus) ids() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Sorted(maps.Keys(c.known))
}

// await waits until the condition holds.
func (c *corpus) await(what string, holds func() bool) {
	c.t.Helper()
	for deadline := time.After(patience); !holds(); {
		select {
		case <-c.changed:
		case <-time.After(5 * time.Millisecond):
		case <-deadline:
			c.t.Fatalf("never happened: %s; sessions %q", what, c.ids())
		}
	}
}

func (c *corpus) awaitText(id, want string) {
	c.t.Helper()
	for deadline := time.After(patience); c.text(id) != want; {
		select {
		case <-c.changed:
		case <-deadline:
			c.t.Fatalf("session %s says %q, want %q", id, c.text(id), want)
		}
	}
}

// readOnce runs a Library over f to its end.
func readOnce(t *testing.T, f *fake, workers int) (*corpus, *Library) {
	t.Helper()
	c := newCorpus(t)
	l := NewLibrary(Options{Sources: []Source{f}, Workers: workers})
	if err := l.Run(t.Context(), c.apply); err != nil {
		t.Fatal(err)
	}
	return c, l
}

// follow runs a Library over f until the test ends, and returns when it has
// read everything that is there.
func follow(t *testing.T, f *fake) (*corpus, *Library) {
	t.Helper()
	c := newCorpus(t)
	l := NewLibrary(Options{Sources: []Source{f}, Watch: true})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- l.Run(ctx, c.apply) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("Run: %v", err)
		}
	})
	select {
	case <-l.Loaded():
	case <-time.After(patience):
		t.Fatal("the first reading does not end")
	}
	return c, l
}
