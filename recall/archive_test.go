package recall

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"yore/sessions"
)

// plainSource reads the invented harness "plain": a file ending in .log is a
// session, each line of it a turn; one that begins with $ is a tool's output. That of
// side1fors2 worked for s2.
type plainSource struct{ dir string }

func (p plainSource) Name() string                       { return "plain" }
func (p plainSource) Roots(sessions.Env) []sessions.Root { return []sessions.Root{{Path: p.dir}} }
func (p plainSource) Resume(s sessions.Session) []string { return []string{"plain", s.ID} }
func (p plainSource) List(_ context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	paths, err := filepath.Glob(filepath.Join(root.Path, "*.log"))
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			id := strings.TrimSuffix(filepath.Base(path), ".log")
			send(sessions.Transcript{Path: path, ID: id, Stamp: sessions.StampOf(info), Side: strings.HasPrefix(id, "side")})
		}
	}
	return err
}

func (p plainSource) Read(_ context.Context, t sessions.Transcript, from sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	f, err := os.Open(t.Path)
	if err != nil {
		return from, err
	}
	defer f.Close()
	if _, err := f.Seek(from.Offset, io.SeekStart); err != nil {
		return from, err
	}
	to.Facts(sessions.Session{Key: sessions.Key{ID: t.ID}, Subagent: t.Side, Parent: parentOf(t.ID)})
	for r := bufio.NewReader(f); ; {
		line, err := r.ReadString('\n')
		if err != nil {
			return from, nil
		}
		turn := sessions.Turn{Kind: sessions.Reply, Role: sessions.Assistant, Text: line, At: testNow}
		if strings.HasPrefix(line, "$") {
			turn.Kind = sessions.ToolOutput
		}
		to.Turn(t.ID, turn, false)
		from.Offset += int64(len(line))
	}
}

func parentOf(id string) string {
	_, parent, _ := strings.Cut(id, "for")
	return parent
}

// busy changes transcripts as programs do, the same for the same seed.
type busy struct {
	dir  string
	rand *rand.Rand
	made int
}

func newBusy(dir string, seed uint64) *busy {
	return &busy{dir: dir, rand: rand.New(rand.NewPCG(seed, 0))}
}

var busyWords = strings.Fields("the cache is sharded because lattice retries were slow and lunch café layout")

// line is a line of a session, which says its name somewhere.
func (b *busy) line(name string) string {
	words := []string{"$ ", ""}[min(b.rand.IntN(4), 1)]
	for range 1 + b.rand.IntN(60) {
		words += busyWords[b.rand.IntN(len(busyWords))] + " "
	}
	b.made++
	return words + wordOf(name) + " " + strconv.Itoa(b.made) + "\n"
}

func (b *busy) step() error {
	name := fmt.Sprintf("%s%d", []string{"s", "side"}[b.rand.IntN(2)], b.rand.IntN(8))
	path := filepath.Join(b.dir, name+".log")
	switch b.rand.IntN(12) {
	case 0:
		err := os.Remove(path)
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		return err
	case 1:
		return os.WriteFile(path, []byte(b.line(name)+b.line(name)), 0o600)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteString(b.line(name))
	return err
}

// told is all that an engine knows of sessions that are on disk.
type told struct {
	sessions map[string]sessions.Session
	passages map[string][]sessions.Passage
	hung     map[string]int
}

func tell(t *testing.T, e *Engine) told {
	t.Helper()
	if err := e.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	all := told{map[string]sessions.Session{}, map[string][]sessions.Passage{}, map[string]int{}}
	snap := e.edition().index.Snapshot()
	for ord := range uint32(snap.Sessions()) {
		entry := snap.Session(ord)
		if entry == nil || entry.Gone {
			continue
		}
		all.sessions[entry.ID] = entry.Session
		for n := range uint32(entry.Numbered) {
			ref, ok := snap.At(ord, n)
			if !ok {
				t.Fatalf("%s: passage %d is missing", entry.ID, n)
			}
			all.passages[entry.ID] = append(all.passages[entry.ID], ref.Seg.Passage(ref.Doc))
			all.hung[entry.ID] += len(snap.HungAt(ord, n))
		}
	}
	return all
}

// sameAsFresh compares what an engine knows with what one does that reads
// everything now.
func sameAsFresh(t *testing.T, e *Engine, dir string) {
	t.Helper()
	fresh := Open(Config{Sources: []sessions.Source{plainSource{dir}}, Zone: time.UTC, Now: func() time.Time { return testNow }})
	defer fresh.Close()
	got, want := tell(t, e), tell(t, fresh)
	want.without(t, e.cfg.DataDir)
	if !reflect.DeepEqual(got, want) {
		for id, s := range want.sessions {
			if !reflect.DeepEqual(got.sessions[id], s) || !reflect.DeepEqual(got.passages[id], want.passages[id]) || got.hung[id] != want.hung[id] {
				t.Errorf("%s: %+v\n%d passages, %d hang; want %+v\n%d passages, %d", id, got.sessions[id], len(got.passages[id]), got.hung[id], s, len(want.passages[id]), want.hung[id])
			}
		}
		t.Fatalf("%d sessions, want %d", len(got.sessions), len(want.sessions))
	}
	if s := e.Status(); len(s.Notes) > 0 {
		t.Fatal(s.Notes)
	}
}

// matched are the sessions that answer, those that are gone aside: they count in
// what is rare, so that another passage of a session may be its best.
func matched(t *testing.T, e *Engine, word string) (ids []string) {
	t.Helper()
	for _, h := range ask(t, e, Query{Text: word, All: true, Limit: 10_000}).Hits {
		if !h.Session.Gone {
			ids = append(ids, h.Session.ID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

func keptConfig(dir, data string) Config {
	return Config{
		Sources: []sessions.Source{plainSource{dir}}, Zone: time.UTC, DataDir: data,
		Now: func() time.Time { return testNow },
	}
}

// However transcripts change between starts, what is kept plus what is read is
// what a reading of everything gives.
func TestIncrementalEqualsFull(t *testing.T) {
	for seed := range uint64(4) {
		dir, data := t.TempDir(), t.TempDir()
		b := newBusy(dir, seed)
		for range 12 {
			for range b.rand.IntN(30) {
				if err := b.step(); err != nil {
					t.Fatal(err)
				}
			}
			e := Open(keptConfig(dir, data))
			sameAsFresh(t, e, dir)
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}
		}
		e := Open(keptConfig(dir, data))
		fresh := Open(keptConfig(dir, ""))
		for _, word := range busyWords {
			_, _ = tell(t, e), tell(t, fresh)
			if got, want := matched(t, e, word), matched(t, fresh, word); !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", word, got, want)
			}
		}
		e.Close()
		fresh.Close()
	}
}

// childEnv names the directory that a child process of a test is to work on.
const childEnv = "YORE_TEST_CHILD"

// TestChild is no test: it is what the processes do that others kill. It changes
// transcripts and keeps an index of them until it is killed.
func TestChild(t *testing.T) {
	place := os.Getenv(childEnv)
	if place == "" {
		t.Skip("only as a child of another test")
	}
	home, seed, _ := strings.Cut(place, "|")
	n, err := strconv.ParseUint(seed, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	b := newBusy(filepath.Join(home, "logs"), n)
	for {
		cfg := keptConfig(b.dir, filepath.Join(home, "data"))
		cfg.Watch = b.rand.IntN(2) == 0
		e := Open(cfg)
		for range b.rand.IntN(6) {
			for range b.rand.IntN(6) {
				if err := b.step(); err != nil {
					t.Fatal(err)
				}
			}
			if b.rand.IntN(2) == 0 {
				if err := e.Keep(); err != nil {
					t.Fatal(err)
				}
			}
			if err := b.forget(t.Context(), e); err != nil {
				t.Fatal(err)
			}
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func startChild(t *testing.T, home string, seed uint64) *exec.Cmd {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestChild$")
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%s|%d", childEnv, home, seed))
	c.Stdout, c.Stderr = os.Stderr, os.Stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c
}

// killedAt is how many moments TestKilledAtAnyMoment tries.
var killedAt = flag.Int("killed", 200, "how often a process that indexes, merges and forgets is killed")

// A process that is killed at any moment costs what it had not written yet, and
// that is read again; meanwhile another one answers.
func TestKilledAtAnyMoment(t *testing.T) {
	home := t.TempDir()
	logs, data := filepath.Join(home, "logs"), filepath.Join(home, "data")
	if err := os.MkdirAll(logs, 0o700); err != nil {
		t.Fatal(err)
	}
	moments, r := *killedAt, rand.New(rand.NewPCG(1, 2))
	if testing.Short() {
		moments = 5
	}
	for i := range moments {
		c := startChild(t, home, uint64(i))
		time.Sleep(time.Duration(20+r.IntN(150)) * time.Millisecond)
		if i%4 == 0 {
			reader := Open(keptConfig(logs, data))
			if err := reader.Wait(t.Context()); err != nil {
				t.Error(err)
			}
			ask(t, reader, Query{Text: "lattice"})
			if notes := reader.Status().Notes; len(notes) > 0 {
				t.Error(notes)
			}
			_ = reader.Close() // it may have become the one that writes
		}
		_ = c.Process.Kill()
		_ = c.Wait() // it was killed
		e := Open(keptConfig(logs, data))
		sameAsFresh(t, e, logs)
		if i%4 == 0 {
			if err := e.Keep(); err != nil {
				t.Fatal(err)
			}
			saysNothing(t, e)
		}
		if i%2 == 0 {
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}
			continue
		}
		e.cancel() // as if it had been killed before it wrote
		e.waiting.Wait()
		n := e.edition()
		<-n.done
		e.closed.Do(n.index.Close)
		<-n.archive.done
		n.archive.store.Close()
	}
}

// Two processes at once: each sees new lines without waiting for the other.
func TestTwoAtOnce(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	write := func(line string) {
		f, err := os.OpenFile(filepath.Join(dir, "a.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(line + "\n"); err != nil {
			t.Fatal(err)
		}
	}
	write("the lattice")
	cfg := keptConfig(dir, data)
	cfg.Watch = true
	one := Open(cfg)
	defer one.Close()
	if err := one.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := one.Keep(); err != nil {
		t.Fatal(err)
	}
	two := Open(cfg)
	defer two.Close()
	if got := matched(t, two, "lattice"); len(got) != 1 {
		t.Fatalf("before anything is read the second one knows %q", got)
	}
	if err := two.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	write("a zeppelin")
	for _, e := range []*Engine{one, two} {
		for deadline := time.After(10 * time.Second); len(matched(t, e, "zeppelin")) == 0; {
			select {
			case <-e.Changes():
			case <-deadline:
				t.Fatal("the new line is not seen")
			}
		}
	}
	if one.Status().Kept.Writes == two.Status().Kept.Writes {
		t.Error("not just one of them writes")
	}
	sameAsFresh(t, two, dir)
}

// What is kept is damaged: the answer is the same, and it is said.
func TestDamagedIndexIsReadAnew(t *testing.T) {
	for _, kind := range []string{".seg", ".vec", ".log", "manifest"} {
		dir, data := t.TempDir(), t.TempDir()
		b := newBusy(dir, 9)
		for range 60 {
			if err := b.step(); err != nil {
				t.Fatal(err)
			}
		}
		e := Open(keptConfig(dir, data))
		if err := e.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		paths, _ := filepath.Glob(filepath.Join(data, "*"+kind))
		for _, path := range paths {
			if err := os.WriteFile(path, []byte("no index"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		e = Open(keptConfig(dir, data))
		got, fresh := tell(t, e), Open(keptConfig(dir, ""))
		if want := tell(t, fresh); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %d sessions, want %d", kind, len(got.sessions), len(want.sessions))
		}
		fresh.Close()
		if notes := e.Status().Notes; len(notes) == 0 && kind != ".vec" {
			t.Errorf("%s: nothing is said", kind)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		e = Open(keptConfig(dir, data))
		sameAsFresh(t, e, dir)
		e.Close()
	}
}

// What is kept becomes unreadable while it is open: no answer passes for whole that lacks
// what stood there, and the next start has it again.
func TestUnreadableWhileOpen(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	write(t, dir, "a", "the lattice of a")
	end(t, loadedEngine(t, keptConfig(dir, data)))
	e := loadedEngine(t, keptConfig(dir, data))
	paths, err := filepath.Glob(filepath.Join(data, "*.seg"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%v, %v", paths, err)
	}
	for _, path := range paths {
		if err := os.Truncate(path, 1); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		a := ask(t, e, Query{Text: "lattice"})
		if len(a.Hits) > 0 || a.Complete || !strings.Contains(strings.Join(a.Notes, " "), "next start") {
			t.Errorf("%d hits, complete %v, %q", len(a.Hits), a.Complete, a.Notes)
		}
		if r, err := e.Read(t.Context(), Locator{Session: "a"}, 1); err == nil {
			t.Errorf("%d passages are read of it", len(r.Passages))
		}
	}
	end(t, e)
	e = loadedEngine(t, keptConfig(dir, data))
	defer end(t, e)
	if a := ask(t, e, Query{Text: "lattice"}); len(a.Hits) != 1 || !a.Complete {
		t.Errorf("%d hits, complete %v", len(a.Hits), a.Complete)
	}
}

// Nothing can be written: the answer says so once and is the same.
func TestNowhereToKeep(t *testing.T) {
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "file")
	for path, text := range map[string]string{file: "", filepath.Join(dir, "a.log"): "the lattice\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e := Open(keptConfig(dir, filepath.Join(file, "yore")))
	if err := e.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	a := ask(t, e, Query{Text: "lattice"})
	if len(a.Hits) != 1 || len(a.Notes) != 1 || !strings.Contains(a.Notes[0], file) {
		t.Errorf("%d hits, notes %q", len(a.Hits), a.Notes)
	}
	if err := e.Close(); err != nil {
		t.Errorf("it is said again: %v", err)
	}
}

// Who asks for it has the engine before what is kept is there. Nothing can be wrong for
// that: an answer until then says that it is not complete, all is there at the end, what
// is left out is never to be seen, and leaving at once loses nothing.
func TestOpenEarly(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	b := newBusy(dir, 5)
	for range 80 {
		if err := b.step(); err != nil {
			t.Fatal(err)
		}
	}
	e := Open(keptConfig(dir, data))
	if err := e.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := e.Status()
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	early := keptConfig(dir, data)
	early.Early = true
	for range 5 {
		if err := Open(early).Close(); err != nil {
			t.Fatal(err)
		}
	}
	e = Open(early)
	for ; e.Status().Opening; <-e.Changes() {
		if a := ask(t, e, Query{Text: "lattice"}); a.Complete && e.Status().Opening {
			t.Error("an answer before all is there says that it is complete")
		}
	}
	sameAsFresh(t, e, dir)
	if after := e.Status(); after.Sessions != before.Sessions || after.Passages != before.Passages {
		t.Errorf("%+v, want %+v", after, before)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	early.Exclude = Exclude{Paths: []string{filepath.Join(dir, "s1.log")}, Gone: true}
	e = Open(early)
	defer e.Close()
	for {
		all, err := e.Sessions(t.Context(), SessionFilter{Subagents: "on"})
		if err != nil || slices.ContainsFunc(all, func(s sessions.Session) bool { return s.ID == "s1" || s.Gone }) {
			t.Fatalf("%v: what is left out is there", err)
		}
		if e.Status().Progress.Complete {
			return
		}
		<-e.Changes()
	}
}
