package modeltest

import (
	"sync"

	"github.com/charmbracelet/colorprofile"

	"yore/model"
	"yore/render"
)

// Setting markdown starts a clock (of the regular expressions that highlight
// code) that a bubble would wait for in vain. So it is done by a goroutine that
// stands outside of all bubbles, with channels that do too.
var (
	turn   sync.Mutex
	orders = make(chan order)
	texts  = make(chan string)
)

type order struct {
	terminal *render.Terminal
	markdown string
	width    int
}

func init() {
	go func() {
		for o := range orders {
			texts <- o.terminal.Render(o.markdown, o.width)
		}
	}()
}

type outsider struct{ *render.Terminal }

func outside(dark bool, colours colorprofile.Profile) model.Terminal {
	return outsider{render.NewTerminalOf(dark, colours)}
}

// Render implements model.Terminal.
func (t outsider) Render(markdown string, width int) string {
	turn.Lock()
	defer turn.Unlock()
	orders <- order{t.Terminal, markdown, width}
	return <-texts
}
