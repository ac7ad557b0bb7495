package cli

import (
	"errors"
	"fmt"
	"testing"
)

// That the index cannot be written is said once, and also beside a note of something else.
func TestWhatIsToldIsNotToldAgain(t *testing.T) {
	err := fmt.Errorf("the index could not be written to /data, and the next start reads more: %w", errors.New("disk full"))
	for _, c := range []struct {
		notes []string
		want  bool
	}{
		{nil, false},
		{[]string{"segment-1 is damaged and was set aside."}, false},
		{[]string{"segment-1 is damaged and was set aside.", "The index could not be written to /data: disk full"}, true},
	} {
		if got := told(c.notes, err); got != c.want {
			t.Errorf("%q: %v", c.notes, got)
		}
	}
}
