package ui

import (
	"reflect"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

const (
	// framesPerSecond is how often a frame is drawn at most, which is Bubble Tea's
	// usual rate: a key is answered within 17 ms.
	framesPerSecond = 60
	// restingPeriod is the time between two looks for a new frame at rest. A frame
	// that the terminal took longer than awakeFor to make room for is drawn then.
	restingPeriod = time.Second
	// awakeFor is how long after a message frames are looked for at the full rate:
	// much longer than it takes a busy machine to draw one.
	awakeFor = 200 * time.Millisecond
)

// paced is a screen that has Bubble Tea look for new frames only when there may be
// one. Left to itself it does so all the time, and nothing else wakes the program at
// rest: 30 looks a second take 0.6 % of a core. Once it sleeps of its own accord
// (bubbletea#1776, #1796 propose it), this can go.
type paced struct {
	*Screen
	program *tea.Program

	mu     sync.Mutex
	ticker *time.Ticker // that of the program; nil while none has been found
	awake  time.Time    // until then; zero at rest
	rest   *time.Timer  // ends being awake
}

// newPaced has program look for frames at s's pace; program is given later, since it
// is made of the screen.
func newPaced(s *Screen) *paced {
	p := &paced{Screen: s}
	p.rest = time.AfterFunc(restingPeriod, p.slowDown)
	return p
}

// Update hands a message to the screen.
func (p *paced) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	_, cmd := p.Screen.Update(msg)
	return p, cmd
}

// View is the screen's. Bubble Tea asks for it after every message, and whatever that
// changed, or sends to the terminal, is on its way then.
func (p *paced) View() tea.View {
	v := p.Screen.View()
	p.wake()
	return v
}

// wake has frames looked for at the full rate from now on.
func (p *paced) wake() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ticker == nil {
		// The renderer runs before the first view is asked for, on this goroutine.
		if p.ticker = tickerOf(p.program); p.ticker == nil {
			return
		}
	}
	if p.awake.IsZero() {
		p.ticker.Reset(time.Second / framesPerSecond)
	}
	p.awake = time.Now().Add(awakeFor)
	p.rest.Reset(awakeFor)
}

// slowDown has frames looked for rarely, unless there was a message meanwhile.
func (p *paced) slowDown() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ticker == nil || time.Now().Before(p.awake) {
		return
	}
	p.awake = time.Time{}
	p.ticker.Reset(restingPeriod)
}

// stop ends pacing; the program has ended.
func (p *paced) stop() { p.rest.Stop() }

// tickerOf is what has program look for frames, nil when it has none: then it looks
// at its own rate. Bubble Tea does not show its ticker.
func tickerOf(program *tea.Program) *time.Ticker {
	f := reflect.ValueOf(program).Elem().FieldByName("ticker")
	if !f.IsValid() || f.Type() != reflect.TypeFor[*time.Ticker]() {
		return nil
	}
	return *(**time.Ticker)(f.Addr().UnsafePointer())
}
