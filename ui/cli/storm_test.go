package cli

import (
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// resize has the program see another size, up to the one that the emulator keeps.
func (x *terminal) resize(width, height int) {
	x.t.Helper()
	if err := pty.Setsize(x.pty, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)}); err != nil {
		x.t.Fatal(err)
	}
}

// drawn is what the program has drawn since it cleared the screen last, which it does
// at a new size. The emulator that was there all the time keeps a row too few of a
// program that wrote for other sizes meanwhile.
func (x *terminal) drawn() string {
	x.mu.Lock()
	raw := x.raw.String()
	x.mu.Unlock()
	fresh := &terminal{width: x.width, height: x.height, screen: vt.NewEmulator(x.width, x.height)}
	go func() { _, _ = io.Copy(io.Discard, fresh.screen) }()
	_, _ = fresh.screen.WriteString(raw[max(0, strings.LastIndex(raw, "\x1b[2J")):])
	text := fresh.text()
	if pipe, ok := fresh.screen.InputPipe().(io.Closer); ok {
		_ = pipe.Close()
	}
	return text
}

// While the window changes its size without rest and keys come thirty a second, none
// is lost, and the screen is whole afterwards.
func TestResizeStorm(t *testing.T) {
	x := startTerminal(t, demoHomeCopy(t), 220, 75)
	x.shows("❯", "sessions")
	r := rand.New(rand.NewPCG(1, 2))
	const query = "sharded cache because the single file grew"
	for _, key := range query {
		for range 3 {
			x.resize(20+r.IntN(200), 5+r.IntN(70))
			time.Sleep(5 * time.Millisecond)
		}
		x.send(string(key))
		time.Sleep(18 * time.Millisecond)
	}
	x.resize(x.width, x.height)
	x.until("the query whole, its answer and the frame", func(string) bool {
		screen := x.drawn()
		rows := strings.Split(screen, "\n")
		return strings.HasPrefix(rows[0], "── yore ") && strings.Contains(rows[1], "❯ "+query) &&
			strings.Contains(screen, "both") && strings.Contains(rows[74], "F1 help")
	})
	x.send("\x03")
	x.exit()
}

// A paste of 100 kB is one edit: the program says that its beginning was searched, and
// goes on.
func TestPasteOfAHundredKilobytes(t *testing.T) {
	x := startTerminal(t, demoHomeCopy(t), 100, 30)
	x.shows("❯", "sessions")
	x.send("\x1b[200~" + strings.Repeat("word\x1b[31m ", 10_000) + "\n" + strings.Repeat("z", 20_000) + "\x1b[201~")
	x.shows("beginning was searched")
	x.send("\x15sharded cache")
	x.shows("❯ sharded cache", "both")
	x.send("\x03")
	x.exit()
}
