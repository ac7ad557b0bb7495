package cli

import (
	"slices"
	"strings"
	"testing"
)

// A line that is too long costs itself only, and the numbers go on.
func TestEachLinePassesOverWhatIsTooLong(t *testing.T) {
	most := strings.Repeat("m", queryBytes)
	text := "one\r\n\n" + most + "\n" + most + "m\n" + strings.Repeat(most, 3) + "\nlast"
	var lengths []int
	var left []int
	err := eachLine(strings.NewReader(text), func(n int, line string, ok bool) error {
		lengths = append(lengths, len(line))
		if !ok {
			left = append(left, n)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{3, 0, queryBytes, 0, 0, 4}; !slices.Equal(lengths, want) {
		t.Errorf("lines of %v bytes, want %v", lengths, want)
	}
	if want := []int{4, 5}; !slices.Equal(left, want) {
		t.Errorf("lines %v were left out, want %v", left, want)
	}
}
