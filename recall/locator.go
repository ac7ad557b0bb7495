package recall

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"yore/recall/query"
	"yore/sessions"
)

// Locator names a session, a passage of it, or what hangs on a passage.
// Grammar (contract.md, Locators):
//
//	SESSION            full id or unique prefix
//	SESSION N          also SESSION:N, passage N; as two arguments or one
//	SESSION N.tK       the K-th tool call that hangs on passage N; N.hK thinking
//	SESSION#ID+OFFSET  a ref: byte OFFSET of the turn ID
//
// All numbers count from 0 and are written without sign and leading zeros.
type Locator struct {
	Session string
	Passage int  // -1 when none was named
	Hung    byte // 't', 'h', or 0
	Index   int  // of the hung turn
	Turn    string
	Offset  int // of Turn

	// Whole is the argument as typed when one argument alone was read. Ids may
	// hold any of the marks above, so Engine.Read first looks for a session
	// whose id is exactly this.
	Whole string
}

// The ways a Locator can fail; errors.Is finds them.
var (
	ErrNoSession = errors.New("no such session")
	ErrAmbiguous = errors.New("ambiguous session")
	ErrPast      = errors.New("past the end")
	ErrLocator   = errors.New("not a locator")
)

// ParseLocator reads a locator from one argument, or from two: the session and
// the place in it. It reads from the right, because ids may hold colons and
// number signs. The error wraps ErrLocator.
func ParseLocator(args ...string) (Locator, error) {
	switch len(args) {
	case 1:
		return parseWhole(args[0])
	case 2:
		if strings.TrimSpace(args[0]) == "" {
			return Locator{}, fmt.Errorf("%w: the session is empty", ErrLocator)
		}
		l := Locator{Session: args[0], Passage: -1}
		if !l.parsePlace(args[1]) {
			return Locator{}, fmt.Errorf("%w: %s is not a passage: it is a number from 0, or a number with .tK or .hK", ErrLocator, query.Quoted(args[1]))
		}
		return l, nil
	}
	return Locator{}, fmt.Errorf("%w: give SESSION, SESSION N, SESSION:N or SESSION#ID+OFFSET", ErrLocator)
}

func parseWhole(s string) (Locator, error) {
	if strings.TrimSpace(s) == "" {
		return Locator{}, fmt.Errorf("%w: it is empty", ErrLocator)
	}
	if l, ok := splitRef(s, strings.IndexByte(s, '#')); ok {
		return l, nil
	}
	if l, ok := splitPlace(s, ':'); ok {
		l.Whole = s
		return l, nil
	}
	if l, ok := splitPlace(strings.TrimSpace(s), ' '); ok { // blanks around the two are none of the id
		l.Session, l.Whole = strings.TrimRight(l.Session, " "), s
		return l, nil
	}
	return Locator{Session: s, Passage: -1, Whole: s}, nil
}

// splitPlace reads s as a session and a place in it, with the last mark between them.
func splitPlace(s string, mark byte) (Locator, bool) {
	at := strings.LastIndexByte(s, mark)
	if at <= 0 || strings.TrimSpace(s[:at]) == "" {
		return Locator{}, false
	}
	l := Locator{Session: s[:at], Passage: -1}
	return l, l.parsePlace(s[at+1:])
}

// splitRef reads s as a ref whose session ends at byte mark, a number sign.
func splitRef(s string, mark int) (Locator, bool) {
	plus := strings.LastIndexByte(s, '+')
	if mark <= 0 || plus <= mark+1 {
		return Locator{}, false
	}
	offset, ok := ordinal(s[plus+1:])
	return Locator{Session: s[:mark], Passage: -1, Turn: s[mark+1 : plus], Offset: offset, Whole: s}, ok
}

// parsePlace reads N, N.tK or N.hK.
func (l *Locator) parsePlace(s string) bool {
	number, hung, cut := strings.Cut(s, ".")
	n, ok := ordinal(number)
	if !ok {
		return false
	}
	if cut {
		if len(hung) < 2 || (hung[0] != 't' && hung[0] != 'h') {
			return false
		}
		k, ok := ordinal(hung[1:])
		if !ok {
			return false
		}
		l.Hung, l.Index = hung[0], k
	}
	l.Passage = n
	return true
}

// ordinal reads a canonical number from 0. One too large for an int is the
// largest int: it is a number all the same, and past every end.
func ordinal(s string) (int, bool) {
	if s == "" || (len(s) > 1 && s[0] == '0') {
		return 0, false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		return math.MaxInt, true
	}
	return n, true
}

// String is the locator as one argument that ParseLocator reads.
func (l Locator) String() string {
	switch {
	case l.Turn != "":
		return l.Session + "#" + l.Turn + "+" + strconv.Itoa(l.Offset)
	case l.Passage < 0:
		return l.Session
	}
	return l.Session + ":" + place(l)
}

// place is the part of a locator behind its session: N, N.tK or N.hK.
func place(l Locator) string {
	n := strconv.Itoa(l.Passage)
	if l.Hung == 0 {
		return n
	}
	return n + "." + string(l.Hung) + strconv.Itoa(l.Index)
}

// ref is the locator of a passage that outlives renumbering: the first of its
// turns that has an id, at the place where its part in the passage begins.
// Without any id it is the passage's number.
func ref(session string, p sessions.Passage) string {
	for _, s := range p.Spans {
		if s.ID != "" {
			return Locator{Session: session, Passage: -1, Turn: s.ID, Offset: s.Offset}.String()
		}
	}
	return Locator{Session: session, Passage: p.Number}.String()
}
