package recall

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/cespare/xxhash/v2"
)

// ErrCursor says that a cursor does not continue this query.
var ErrCursor = errors.New("the cursor belongs to another query")

// A cursor is the number of hits already given and a check of the query they
// answered, so that it cannot go on with another one. It is a place in the order as that
// is by then: what is read or forgotten between two pages moves hits across it, of which
// one may be given twice or be left out. No key of the last hit would prevent that, since
// what is new changes what all words are worth, and with it the order of the old.
const cursorBytes = 8

func writeCursor(q Query, shown int) string {
	var b [cursorBytes]byte
	binary.BigEndian.PutUint32(b[:4], uint32(shown))
	binary.BigEndian.PutUint32(b[4:], queryCheck(q))
	return hex.EncodeToString(b[:])
}

// readCursor is how many hits to pass over.
func readCursor(q Query) (int, error) {
	if q.Cursor == "" {
		return 0, nil
	}
	b, err := hex.DecodeString(q.Cursor)
	if err != nil || len(b) != cursorBytes || binary.BigEndian.Uint32(b[4:]) != queryCheck(q) {
		return 0, fmt.Errorf("%w: ask again without it", ErrCursor)
	}
	return int(binary.BigEndian.Uint32(b[:4])), nil
}

func queryCheck(q Query) uint32 {
	return uint32(xxhash.Sum64String(fmt.Sprintf("%q %v %q %q %v %v %v %d %d", q.Text, q.Filters, q.Within, q.Exclude, q.All, q.Uncapped, q.Typing, q.Time, q.Sort)))
}
