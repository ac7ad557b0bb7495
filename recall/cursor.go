package recall

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/cespare/xxhash/v2"
)

// ErrCursor says that a cursor does not continue this query.
var ErrCursor = errors.New("the cursor belongs to another query")

// cursor says what the pages before have shown. The next page is what stands first in the
// order as that is by then and was not shown: what is read or forgotten between two pages
// changes what all words are worth, and with it the order of the old, so that neither a
// place nor a score would tell where to go on.
type cursor struct {
	shown int      // how many hits
	names []uint32 // of the passages of the last of them, at most cursorNames; the first of each hit has beginsHit
}

// cursorNames is how many passages a cursor names, so that it stays short enough to be
// copied: eight pages of the usual size, where no neighbours are merged. Of what was shown
// before those only the number is known, as a place in the order by then.
const cursorNames = 8 * DefaultLimit

// beginsHit is the bit that is set in the name of the first passage of a hit and in no other.
const beginsHit = 1 << 31

// A written cursor is the number of hits shown, a check of all else and of the query, and the
// names, four bytes each. Its first byte is 0 up to sixteen million hits, so that it never
// looks like a flag.
const (
	cursorWord = 4
	cursorHead = 2 * cursorWord
)

func writeCursor(q Query, c cursor) string {
	b := binary.BigEndian.AppendUint32(make([]byte, 0, cursorHead+cursorWord*len(c.names)), uint32(c.shown))
	b = binary.BigEndian.AppendUint32(b, c.check(q))
	for _, name := range c.names {
		b = binary.BigEndian.AppendUint32(b, name)
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

func readCursor(q Query) (c cursor, err error) {
	if q.Cursor == "" {
		return cursor{}, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(q.Cursor)
	if err == nil && len(b) >= cursorHead && len(b)%cursorWord == 0 {
		c.shown = int(binary.BigEndian.Uint32(b))
		for at := cursorHead; at < len(b); at += cursorWord {
			c.names = append(c.names, binary.BigEndian.Uint32(b[at:]))
		}
		if binary.BigEndian.Uint32(b[cursorWord:]) == c.check(q) {
			return c, nil
		}
	}
	return cursor{}, fmt.Errorf("%w: ask again without it", ErrCursor)
}

// check tells a cursor from one of another query, and from one that was copied badly.
func (c cursor) check(q Query) uint32 {
	return uint32(xxhash.Sum64String(fmt.Sprintf("%q %v %q %q %v %v %v %d %d %d %v", q.Text, q.Filters, q.Within, q.Exclude, q.All, q.Uncapped, q.Typing, q.Time, q.Sort, c.shown, c.names)))
}

// unshown are the groups behind a cursor, in their order. Of neighbours that were shown in
// part, as others join them by now, the others are left.
func (s *search) unshown(groups []group, c cursor) []group {
	if c.shown == 0 {
		return groups
	}
	named, unnamed := make(map[uint32]bool, len(c.names)), c.shown
	for _, name := range c.names {
		named[name&^beginsHit] = true
		if name&beginsHit != 0 {
			unnamed--
		}
	}
	var rest []group
	for _, g := range groups {
		left := slices.DeleteFunc(slices.Clone(g.members), func(m candidate) bool { return s.named(&m, named) })
		switch {
		case len(left) < len(g.members):
			sortByScore(left)
			rest = append(rest, s.mergeNeighbours(left)...)
		case unnamed > 0:
			unnamed--
		default:
			rest = append(rest, g)
		}
	}
	return rest
}

// named tells whether a passage was shown, or one that is folded into it by now, since the
// session that owns the text was read later than its copy.
func (s *search) named(c *candidate, names map[uint32]bool) bool {
	if names[s.nameOf(c)] {
		return true
	}
	if len(c.alsoIn) == 0 {
		return false
	}
	keys := s.corpus.segs[c.seg].TurnKeys(c.doc)
	return slices.ContainsFunc(s.copies(*c), func(k copyOf) bool {
		other, ok := s.candidateAt(k.ref)
		return ok && names[s.nameOf(&other)] && slices.Equal(keys, k.ref.Seg.TurnKeys(k.ref.Doc))
	})
}

// behind is the cursor behind some groups that were shown behind this one. Of hits too many
// to be named the first are named no more, each as a whole.
func (c cursor) behind(s *search, shown []group) cursor {
	names := slices.Clone(c.names)
	for _, g := range shown {
		for i := range g.members {
			name := s.nameOf(&g.members[i])
			if i == 0 {
				name |= beginsHit
			}
			names = append(names, name)
		}
	}
	from := max(0, len(names)-cursorNames)
	for from < len(names) && names[from]&beginsHit == 0 {
		from++
	}
	return cursor{c.shown + len(shown), names[from:]}
}

// nameOf names a candidate by its session and its place there, which stay as they are in an
// index made anew: a few in two billion have the same.
func (s *search) nameOf(c *candidate) uint32 {
	b, _ := s.corpus.snap.Brief(c.ord)
	return uint32(xxhash.Sum64String(fmt.Sprintf("%q %q %d", b.Harness, b.ID, uint32(c.order)))) &^ beginsHit
}
