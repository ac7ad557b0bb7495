package sessions

import (
	"context"
	"sync"
)

// notes are what harnesses keep beside their transcripts, by root.
type notes struct {
	mu     sync.Mutex
	byRoot map[Root]map[string]Note
}

// read asks the root's source for its notes and returns the ids of the
// sessions for which they changed. What cannot be read stays as it was.
func (n *notes) read(ctx context.Context, h home) (changed []string, err error) {
	annotator, ok := h.source.(Annotator)
	if !ok {
		return nil, nil
	}
	now, err := annotator.Notes(ctx, h.Root)
	if err != nil && now == nil {
		return nil, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	before := n.byRoot[h.Root]
	for id, note := range now {
		if before[id] != note {
			changed = append(changed, id)
		}
	}
	for id := range before {
		if _, still := now[id]; !still {
			changed = append(changed, id)
		}
	}
	if n.byRoot == nil {
		n.byRoot = make(map[Root]map[string]Note)
	}
	n.byRoot[h.Root] = now
	return changed, err
}

// apply puts what is noted of a session over what its transcript says.
func (n *notes) apply(s *Session) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for root, byID := range n.byRoot {
		note, ok := byID[s.ID]
		if !ok || root.Harness != s.Harness {
			continue
		}
		if note.Title != "" {
			s.Title = note.Title
		}
		if note.Parent != "" {
			s.Parent = note.Parent
		}
		if note.ParentCall != "" {
			s.ParentCall = note.ParentCall
		}
		s.Running = s.Running || note.Running
		if s.Directory == "" {
			s.Directory = note.Directory
		}
		if s.TimeFrom == TimeMtime && !note.Active.IsZero() || note.Active.After(s.LastActive) {
			s.LastActive, s.TimeFrom = note.Active, TimeHeader
		}
	}
}
