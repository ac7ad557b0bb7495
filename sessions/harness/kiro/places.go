package kiro

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

// places are where sessions lie, in all roots. Those of today's form may lie in another
// one than what they were made of.
type places struct {
	of        map[string][]sessions.Transcript // by id, in the order in which they are to tell it
	converted map[string][]string              // ids of what the command line made of a session, by that one's id
	excluded  func(path string) bool           // tells what is taken not to be there
	marked    func(path string) []string       // tells what a session was taken over into
}

// Survey looks where sessions lie now. Only names are looked at, and rows of databases.
// One survey ends before the next begins, so that none is replaced by an older one.
func (s *Source) Survey(ctx context.Context, excluded func(path string) bool) {
	s.surveying.Lock()
	defer s.surveying.Unlock()
	p := &places{of: map[string][]sessions.Transcript{}, converted: map[string][]string{}, excluded: excluded, marked: s.marked}
	s.mu.Lock()
	roots := slices.Clone(s.roots)
	s.mu.Unlock()
	for _, path := range roots {
		rows, _ := s.database(ctx, path) // an error is told when that root is listed
		for _, t := range rows {
			p.add(t)
		}
		if store.IsFile(path) {
			continue
		}
		f := &finder{s: s, spot: p.add}
		f.l = store.NewListing(ctx, sessions.Root{Path: path}, nil)
		f.sessions(path)
	}
	for id, all := range p.of {
		p.of[id] = s.ordered(id, all)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.places = p
}

// surveyed are the places of the last survey, none before the first.
func (s *Source) surveyed() *places {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.places
}

// add notes a place, unless it is excluded; one that two roots have counts once.
func (p *places) add(t sessions.Transcript) {
	if t.ID == "" || p.excluded(t.Path) || slices.ContainsFunc(p.of[t.ID], func(o sessions.Transcript) bool { return samePlace(o, t) }) {
		return
	}
	p.of[t.ID] = append(p.of[t.ID], t)
	rest, converted := strings.CutPrefix(t.ID, convertedPrefix)
	if !converted || filepath.Base(t.Path) != messagesName {
		return
	}
	for i := range rest + "_" {
		if of := rest[:i]; of != "" && (i == len(rest) || rest[i] == '_') && !slices.Contains(p.converted[of], t.ID) {
			p.converted[of] = append(p.converted[of], t.ID)
		}
	}
}

func samePlace(a, b sessions.Transcript) bool { return a.Path == b.Path && a.Unit == b.Unit }

// ordered are the places of a session in the order in which they are to tell what
// several have: the one that told it before, databases, of which that of the newer
// program comes first, and files.
func (s *Source) ordered(id string, all []sessions.Transcript) []sessions.Transcript {
	rank := func(t sessions.Transcript) int {
		switch {
		case filepath.Base(t.Path) != databaseName:
			return 2
		case filepath.Base(filepath.Dir(t.Path)) == amazonQ:
			return 1
		}
		return 0
	}
	slices.SortFunc(all, func(a, b sessions.Transcript) int { // the newer table's name is the longer one
		return cmp.Or(rank(a)-rank(b), strings.Compare(a.Path, b.Path), strings.Compare(b.Unit, a.Unit))
	})
	var names []string
	for _, t := range all {
		names = append(names, t.Path+"\x00"+t.Unit)
	}
	at := slices.Index(names, s.twins.Holder(id, names...))
	return slices.Concat(all[at:at+1], all[:at], all[at+1:])
}

// others are what else may tell what a transcript tells.
type others struct {
	before, after []sessions.Transcript // of its id: that are to tell it rather, and less so
	made          []sessions.Transcript // of today's form, that it was taken over into
}

// others are those of a transcript.
func (p *places) others(t sessions.Transcript) (o others) {
	if t.ID == "" || filepath.Base(filepath.Dir(t.Path)) == subDir {
		return others{}
	}
	before := true
	for _, other := range p.of[t.ID] {
		switch {
		case samePlace(other, t):
			before = false
		case sameFile(other, t): // by another path
		case before:
			o.before = append(o.before, other)
		default:
			o.after = append(o.after, other)
		}
	}
	if filepath.Base(t.Path) == messagesName {
		return o
	}
	for _, id := range slices.Concat([]string{nativePrefix + t.ID}, p.marked(t.Path), p.converted[t.ID]) {
		for _, made := range p.of[id] {
			if id != t.ID && filepath.Base(made.Path) == messagesName {
				o.made = append(o.made, made)
			}
		}
	}
	return o
}

// sameFile tells whether two sessions are one file, of which one path is read.
func sameFile(a, b sessions.Transcript) bool {
	if filepath.Base(a.Path) == databaseName || filepath.Base(b.Path) == databaseName {
		return false
	}
	one, err := os.Stat(a.Path)
	other, failed := os.Stat(b.Path)
	return err == nil && failed == nil && os.SameFile(one, other)
}

// origin is the transcript of another session of today's form from which one was made:
// that in the same workspace, if there is one, else one in another. It is "" when there
// is none.
func (p *places) origin(path, id string) (found string) {
	near := filepath.Join(filepath.Dir(filepath.Dir(path)), id, messagesName)
	for _, t := range p.of[id] {
		if filepath.Base(t.Path) == messagesName && (t.Path == near || found == "") && store.IsFile(t.Path) {
			found = t.Path
		}
	}
	return found
}

// marked are the ids that the mark of a session of the editor tells.
func (s *Source) marked(path string) []string {
	if !isWorkspace(path) {
		return nil
	}
	ids, _ := s.marks.Sidecar(markOf(path), func(doc string) (ids []string) {
		for _, match := range nativeID().FindAllStringSubmatch(doc, -1) {
			ids = append(ids, strings.Clone(match[1]))
		}
		return ids
	})
	return ids
}

// heed has it count for a transcript's stamp what else tells its session, in which order,
// which another start may settle otherwise, what it is a fork of, and whether any of that
// changed.
func (s *Source) heed(p *places, t *sessions.Transcript) {
	o := p.others(*t)
	var all []any
	origin := s.forkOf(p, t.Path)
	if info, err := os.Stat(origin); err == nil {
		all = append(all, origin, info)
	}
	for _, other := range slices.Concat(o.before, o.after, o.made) {
		all = append(all, other.Path, other.Unit, other.Stamp)
		for _, path := range []string{other.Path, strings.TrimSuffix(other.Path, documentExt) + linesExt} {
			if info, err := os.Stat(path); err == nil && filepath.Base(path) != databaseName {
				all = append(all, info)
			}
		}
	}
	if all != nil {
		t.Extra = gather.Version(append(all, int64(len(o.before)), t.Extra)...)
	}
}
