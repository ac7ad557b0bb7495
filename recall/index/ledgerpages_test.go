package index

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/packed"
)

// subagents is a page with so many of them, and a session for which they work.
func subagents(n int) *page {
	p := &page{}
	p.entries[0] = &Entry{Session: sessions.Session{Key: sessions.Key{Harness: "claude", ID: "main"}}, Numbered: 1}
	for i := range n {
		p.entries[chunk-1-i] = &Entry{
			Session: sessions.Session{
				Key: sessions.Key{Harness: "claude", ID: fmt.Sprint("side-", i)}, Parent: fmt.Sprint("main-", i/20), Subagent: true,
				Title: fmt.Sprint("title ", i), LastActive: time.Unix(int64(i), 5).UTC(),
			},
			Numbered: i, hung: uint32(2 * i),
		}
	}
	return p
}

// A page of a ledger is the page that was written.
func TestPageIsReadAsWritten(t *testing.T) {
	p := subagents(100).pack()
	body, err := p.appendPacked(nil)
	if err != nil {
		t.Fatal(err)
	}
	for what, later := range map[string]func() ([]byte, error){
		"kept": nil, "read each time": func() ([]byte, error) { return body, nil },
	} {
		again, ok := readPacked(packed.NewReader(body), later)
		if !ok || again.packed != p.packed || later != nil && again.side.data != nil {
			t.Fatalf("%s: read: %v, places %v", what, ok, again)
		}
		for i := range uint32(chunk) {
			if !p.packed.has(i) {
				continue
			}
			if diff := cmp.Diff(p.at(i), again.at(i), cmp.AllowUnexported(Entry{})); diff != "" {
				t.Errorf("%s: entry %d (-want +got):\n%s", what, i, diff)
			}
			if again.side.brief(i) != p.side.brief(i) {
				t.Errorf("%s: brief %d is %+v, not %+v", what, i, again.side.brief(i), p.side.brief(i))
			}
		}
	}
}

// What is known of a great many sub-agents is the same after each start, whatever happened to
// some of them, and of one that is gone nothing is left once the ledger is written anew.
func TestManySubagentsInALedger(t *testing.T) {
	dir := t.TempDir()
	open := func() (*Index, *Store) {
		x, s, _ := keptIn(t, dir, Options{})
		return x, s
	}
	side := func(i int, title string) sessions.Update {
		u := one(fmt.Sprintf("side-%d", i), fmt.Sprint("text ", i))
		u.Session.Subagent, u.Session.Title, u.Session.Parent = true, title, "main"
		return u
	}
	known := func(x *Index) map[sessions.Key]string {
		all := make(map[sessions.Key]string)
		for _, e := range x.Snapshot().dir.each {
			if ord, ok := x.Snapshot().Find(e.Key); !ok || x.Snapshot().dir.at(ord).Title != e.Title {
				t.Errorf("%v is not found", e.Key)
			}
			all[e.Key] = e.Title
		}
		return all
	}
	x, s := open()
	us := []sessions.Update{one("main", "text")}
	for i := range pagedLeast + 3*chunk {
		us = append(us, side(i, "secret"))
	}
	x.Apply(us)
	publish(t, s, "1")
	steps := []func(){
		func() {},
		func() { x.Apply([]sessions.Update{side(300, "renamed")}) },
		func() { x.Apply([]sessions.Update{{Removed: true, Session: side(301, "").Session}}) },
		func() { // most of a page
			for i := range 2 * chunk {
				x.Apply([]sessions.Update{{Removed: true, Session: side(400+i, "").Session}})
			}
		},
		func() { x.Apply([]sessions.Update{side(301, "again")}) },
		func() { s.ledger.live = -1 << 40 }, // so that it is written anew
	}
	for i, step := range steps {
		step()
		x.Apply([]sessions.Update{one("main", fmt.Sprint("text ", i))})
		want := known(x)
		publish(t, s, fmt.Sprint(i+2))
		x.Close()
		s.Close()
		x, s = open()
		if s.ledger.paged == 0 {
			t.Fatal("no pages were written")
		}
		if got := known(x); !maps.Equal(got, want) {
			t.Errorf("step %d: %d sessions are known, not %d", i, len(got), len(want))
		}
		if s.on.ordinals != uint32(x.Snapshot().Sessions()) {
			t.Errorf("step %d: %d ordinals, %d sessions", i, s.on.ordinals, x.Snapshot().Sessions())
		}
	}
	data, err := os.ReadFile(ledgerPath(dir, s.on.ledger.number))
	if err != nil || bytes.Contains(data, []byte("side-450")) || !bytes.Contains(data, []byte("side-399")) {
		t.Errorf("what is removed is still in the ledger: %v", err)
	}
	x.Close()
	s.Close()
}

// A process that ends leaves few records to be read one by one, and writes them anew once.
func TestTheLastWriteLeavesATidyLedger(t *testing.T) {
	dir := t.TempDir()
	x, s, _ := keptIn(t, dir, Options{})
	all := 0
	for part, n := range []int{4 * pagedLeast, pagedLeast - chunk, pagedLeast - chunk} {
		all += n
		var us []sessions.Update
		for i := range n {
			u := one(fmt.Sprintf("side-%d-%d", part, i), "text")
			u.Session.Subagent = true
			us = append(us, u)
		}
		x.Apply(us)
		publish(t, s, fmt.Sprint(part))
	}
	if s.ledger.loose <= pagedLeast {
		t.Fatalf("%d records are of one session each", s.ledger.loose)
	}
	none := func(take func([]sessions.Saved)) { take(nil) }
	for range 2 {
		if err := s.PublishLast(none); err != nil {
			t.Fatal(err)
		}
		if s.ledger.loose > pagedLeast || s.on.generation != 4 {
			t.Errorf("%d records are of one session each, in generation %d", s.ledger.loose, s.on.generation)
		}
	}
	x.Close()
	s.Close()
	x, s, _ = keptIn(t, dir, Options{})
	if n := x.Snapshot().Sessions(); n != all {
		t.Errorf("%d sessions are known", n)
	}
	x.Close()
	s.Close()
}

// Sessions are found by name whether they are packed or not, and a new one gets an ordinal
// of its own.
func TestNamesOfPackedSessions(t *testing.T) {
	dir := t.TempDir()
	x, s, _ := keptIn(t, dir, Options{})
	us := []sessions.Update{one("main", "text")}
	for i := range 2 * chunk {
		u := one(fmt.Sprint("side-", i), "text")
		u.Session.Subagent = true
		us = append(us, u)
	}
	x.Apply(us)
	publish(t, s, "1")
	want := make(map[sessions.Key]uint32)
	for ord, e := range x.Snapshot().Entries() {
		want[e.Key] = ord
	}
	x.Close()
	s.Close()
	x, s, _ = keptIn(t, dir, Options{})
	if ord, ok := x.Snapshot().Find(us[0].Key); !ok || ord != want[us[0].Key] || x.names.packed == nil {
		t.Errorf("one that is not packed is %d, %v, and all names were read: %v", ord, ok, x.names.packed == nil)
	}
	x.Apply([]sessions.Update{one("new", "text")})
	if ord, ok := x.Snapshot().Find(sessions.Key{Harness: us[0].Harness, ID: "new"}); !ok || int(ord) != len(want) {
		t.Errorf("a new one is %d, %v", ord, ok)
	}
	for key, ord := range want {
		if got, ok := x.Snapshot().Find(key); !ok || got != ord {
			t.Fatalf("%v is %d, %v, not %d", key, got, ok, ord)
		}
	}
	x.Close()
	s.Close()
}

// Of a page that cannot be read any more the least that is known stays, and nothing is
// written that would take its place.
func TestPagesThatCannotBeReadAgain(t *testing.T) {
	whole := subagents(100).pack()
	for what, later := range map[string]func() ([]byte, error){
		"no file":      func() ([]byte, error) { return nil, os.ErrClosed },
		"another page": func() ([]byte, error) { return subagents(packFrom).pack().appendPacked(nil) },
	} {
		p := whole.left(later)
		for i := range uint32(chunk) {
			want, ok := (&directory{pages: []*page{whole}, size: chunk}).brief(i)
			if e := p.at(i); (e != nil) != ok || ok && e.brief() != want {
				t.Errorf("%s: entry %d is %+v, not %+v", what, i, e, want)
			}
		}
		p.packed.drop(chunk - 1)
		p.entries[chunk-1] = whole.at(chunk - 1)
		d := &directory{pages: []*page{p}, size: chunk}
		if e, err := d.all(chunk - 2); err == nil || e.brief() != whole.at(chunk-2).brief() {
			t.Errorf("%s: all that is known is said to be %+v, %v", what, e, err)
		}
		if e, err := d.all(chunk - 1); err != nil || e != p.entries[chunk-1] {
			t.Errorf("%s: of one that has a record of its own is known %+v, %v", what, e, err)
		}
		if packed, changed := d.pack(); changed || packed.pages[0] != p {
			t.Errorf("%s: it is packed anew", what)
		}
		if _, err := d.records(func(recordKey, []byte) error { return nil }); err == nil {
			t.Errorf("%s: it is written", what)
		}
	}
}

// What was just written of sub-agents is not kept in memory, and is read where it stands.
func TestPagesAreLeftToANewLedger(t *testing.T) {
	dir := t.TempDir()
	x, s, _ := keptIn(t, dir, Options{})
	defer x.Close()
	defer s.Close()
	var us []sessions.Update
	for i := range pagedLeast + chunk {
		u := one(fmt.Sprint("side-", i), "text")
		u.Session.Subagent, u.Session.Title = true, fmt.Sprint("title ", i)
		us = append(us, u)
	}
	x.Apply(us)
	publish(t, s, "1")
	for i, u := range us {
		ord, _ := x.Snapshot().Find(u.Key)
		if e := x.Snapshot().Session(ord); e == nil || e.Title != us[i].Title {
			t.Fatalf("%v is %+v", u.Key, e)
		}
	}
	for at, p := range x.Snapshot().dir.pages {
		if p.side != nil && (p.side.data != nil || p.side.later == nil) {
			t.Errorf("page %d is in memory", at)
		}
	}
}

// While a page of the ledger cannot be read, the least that is known of its sessions is not
// written as all of it: neither behind the ledger, nor into the file of a segment, from which a
// lost ledger is made up for.
func TestTheLeastThatIsKnownIsNotWritten(t *testing.T) {
	for what, change := range map[string]func(x *Index, pages []*page){
		"records": func(x *Index, pages []*page) { // an Update while the ledger was written anew keeps a page of before
			next := *x.now.Load()
			next.dir.pages = pages
			x.now.Store(&next)
		},
		"owners": func(x *Index, pages []*page) {
			for at, p := range x.now.Load().dir.pages {
				*p = *pages[at]
			}
			x.Compact()
		},
	} {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			x, s, _ := keptIn(t, dir, Options{Brief: true})
			var us []sessions.Update
			for i := range pagedLeast + chunk {
				u := one(fmt.Sprint("side-", i), "text")
				u.Session.Subagent, u.Session.Title = true, fmt.Sprint("title ", i)
				us = append(us, u)
			}
			x.Apply(us)
			publish(t, s, "1")
			late := one("late", "text")
			late.Session.Subagent = true
			x.Apply([]sessions.Update{one("main", "text"), late})
			var fails atomic.Bool
			pages := slices.Clone(x.Snapshot().dir.pages)
			for at, p := range pages {
				if p.paged() {
					later := p.side.later
					pages[at] = p.left(func() ([]byte, error) {
						if fails.Load() {
							return nil, os.ErrClosed
						}
						return later.read()
					})
				}
			}
			fails.Store(true)
			change(x, pages)
			if err := s.Publish(func(take func([]sessions.Saved)) { take(nil) }); !errors.Is(err, os.ErrClosed) {
				t.Errorf("it is written: %v", err)
			}
			fails.Store(false)
			publish(t, s, "2")
			x.Close()
			s.Close()
			if what == "owners" {
				if err := os.Remove(ledgerPath(dir, s.on.ledger.number)); err != nil {
					t.Fatal(err)
				}
			}
			x, s, _ = keptIn(t, dir, Options{Brief: true})
			defer s.Close()
			defer x.Close()
			for _, u := range us {
				if known, ok, err := x.session(u.Key); !ok || err != nil || known.Title != u.Title {
					t.Fatalf("%v is %+v", u.Key, known)
				}
			}
		})
	}
}

// A record of a page that is none is not taken in, though its sum is right.
func TestAPageThatIsNone(t *testing.T) {
	body, err := subagents(100).pack().appendPacked(nil)
	if err != nil {
		t.Fatal(err)
	}
	r := packed.NewReader(body)
	pageParts(r)
	before := body[:len(body)-r.Rest()]
	briefs := r.Bytes()
	for _, left := range []int{0, 1, len(briefs) / 2, len(briefs) - 1, len(briefs)} {
		cut := packed.AppendString(bytes.Clone(before), briefs[:left])
		file := appendRecord(ledgerHead(), recordKey{recordPage, 0}, cut)
		found, err := parseLedger(bytes.NewReader(file), int64(len(file)))
		if err != nil || found.damaged {
			t.Fatalf("%d of %d bytes: %v, damaged %v", left, len(briefs), err, found.damaged)
		}
		whole := left == len(briefs)
		_, _, err = new(Snapshot).enter(found, chunk)
		if whole != (err == nil) || whole != (found.pages[0] != nil) {
			t.Errorf("%d of %d bytes: %v, page %v", left, len(briefs), err, found.pages[0] != nil)
		}
	}
}
