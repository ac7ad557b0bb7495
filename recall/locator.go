package recall

import "errors"

// Locator names a session, a passage of it, or what hangs on a passage.
// Grammar (contract.md, Locators):
//
//	SESSION            full id or unique prefix
//	SESSION N          also SESSION:N, passage N
//	SESSION N.tK       the K-th tool call that hangs on passage N; N.hK thinking
//	SESSION#ID+OFFSET  a ref: byte OFFSET of the turn ID
type Locator struct {
	Session string
	Passage int  // -1 when none was named
	Hung    byte // 't', 'h', or 0
	Index   int  // of the hung turn
	Turn    string
	Offset  int // of Turn
}

// The ways a Locator can fail; errors.Is finds them.
var (
	ErrNoSession = errors.New("no such session")
	ErrAmbiguous = errors.New("ambiguous session")
	ErrPast      = errors.New("past the end")
	ErrLocator   = errors.New("not a locator")
)
