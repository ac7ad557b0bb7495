package ui

import (
	"context"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"yore/model"
	"yore/model/modeltest"
	"yore/recall"
)

// TestNothingFollowsWhatWasCut: behind a wide title that is cut with a cell to spare no
// second "…" tells of the next part, and what has its room reserved is still there.
func TestNothingFollowsWhatWasCut(t *testing.T) {
	engine := func() *modeltest.Engine {
		e := modeltest.New()
		read := e.OnRead
		e.OnRead = func(ctx context.Context, l recall.Locator, around int) (recall.Reading, error) {
			r, err := read(ctx, l, around)
			r.Session.Title = strings.Repeat("設計", 40)
			return r, err
		}
		return e
	}
	for _, width := range []int{40, 41, 80, 81} {
		on(t, engine, model.Options{Query: "cache", Here: []string{"/x"}}, width, 12, func(t *testing.T, s stage) {
			s.Type(strings.Repeat("漢字 ", 60) + "ag")
			s.Settle()
			if rows := strings.Split(ansi.Strip(s.frame()), "\n"); !strings.Contains(rows[1], "[everywhere]") {
				t.Errorf("%d: %q", width, rows[1])
			}
			s.Press("enter")
			for row := range strings.SplitSeq(ansi.Strip(s.frame()), "\n") {
				if strings.Contains(row, "……") {
					t.Errorf("%d: %q", width, row)
				}
			}
		})
	}
}
