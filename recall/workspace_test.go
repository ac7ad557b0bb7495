package recall

import "testing"

// The room that one large answer took does not stay, that of a usual one does.
func TestRoomOfALargeAnswerIsGivenBack(t *testing.T) {
	for n, stays := range map[int]bool{10: true, groupedMost: true, 100 * groupedMost: false} {
		w := &workspace{grouped: make([]candidate, n)}
		(&search{lent: w}).release()
		if len(w.grouped) > 0 || (cap(w.grouped) > 0) != stays {
			t.Errorf("of %d candidates there is room for %d", n, cap(w.grouped))
		}
	}
}
