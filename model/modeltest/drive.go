package modeltest

import (
	"context"
	"fmt"
	"reflect"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"yore/model"
)

// Driver runs a model as Bubble Tea does: commands in goroutines of their own,
// messages one after the other.
type Driver struct {
	*model.Model
	Gone      bool   // the model has asked to leave
	Suspended bool   // the model has asked to be suspended
	Clipboard string // what was sent there last
	Raw       string // what was sent to the terminal as it is, last
	Ran       int    // programs that have had the terminal
	Redrawn   int    // times that the screen was put out anew

	msgs chan tea.Msg
}

// Start runs a model of w by h cells that asks e. The context ends it.
func Start(ctx context.Context, e model.Engine, o model.Options, w, h int) *Driver {
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	if o.Now == nil {
		o.Now = func() time.Time { return Now }
	}
	if o.Home == "" {
		o.Home = "/home/ada"
	}
	if o.Terminal == nil {
		o.Terminal = outside
	}
	d := &Driver{Model: model.New(ctx, e, o), msgs: make(chan tea.Msg, 1024)}
	d.run(d.Init())
	d.Send(tea.WindowSizeMsg{Width: w, Height: h})
	return d
}

// Send gives the model a message without waiting for what follows from it.
func (d *Driver) Send(msg tea.Msg) { d.run(d.Update(msg)) }

// Settle waits until nothing more happens by itself, timers aside.
func (d *Driver) Settle() {
	for {
		synctest.Wait()
		select {
		case msg := <-d.msgs:
			d.take(msg)
		default:
			return
		}
	}
}

// Pass lets time go by, with everything that happens in it, and settles.
func (d *Driver) Pass(t time.Duration) {
	end := time.After(t)
	for {
		d.Settle()
		select {
		case msg := <-d.msgs:
			d.take(msg)
		case <-end:
			d.Settle()
			return
		}
	}
}

// Type types text, one key a character, without waiting.
func (d *Driver) Type(text string) {
	for _, r := range text {
		d.Send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// Press presses keys by name ("ctrl+u", "enter", "G") and settles after each.
func (d *Driver) Press(names ...string) {
	for _, n := range names {
		d.Send(Key(n))
		d.Settle()
	}
}

func (d *Driver) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		if msg := cmd(); msg != nil {
			d.msgs <- msg
		}
	}()
}

// take deals with the messages that Bubble Tea itself would deal with.
func (d *Driver) take(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			d.run(c)
		}
	case tea.QuitMsg:
		d.Gone = true
	case tea.SuspendMsg:
		d.Suspended = true
	case tea.RawMsg:
		d.Raw = fmt.Sprint(msg.Msg)
	default:
		// SetClipboard's message has no exported type.
		if v := reflect.ValueOf(msg); v.Kind() == reflect.String && v.Type().PkgPath() == "charm.land/bubbletea/v2" {
			d.Clipboard = v.String()
			return
		}
		switch reflect.TypeOf(msg).Name() {
		case "execMsg":
			d.Ran++
			return
		case "clearScreenMsg":
			d.Redrawn++
			return
		}
		d.Send(msg)
	}
}

var special = map[string]rune{
	"enter": tea.KeyEnter, "tab": tea.KeyTab, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown,
	"left": tea.KeyLeft, "right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp,
	"pgdown": tea.KeyPgDown, "backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "space": tea.KeySpace,
	"f1": tea.KeyF1, "f2": tea.KeyF2, "f3": tea.KeyF3, "f4": tea.KeyF4,
	"f5": tea.KeyF5, "f6": tea.KeyF6, "f7": tea.KeyF7, "f8": tea.KeyF8, "f9": tea.KeyF9, "f10": tea.KeyF10,
}

// Key is the message of a key by its name.
func Key(name string) tea.KeyPressMsg {
	var k tea.KeyPressMsg
	for {
		switch {
		case len(name) > 5 && name[:5] == "ctrl+":
			k.Mod |= tea.ModCtrl
			name = name[5:]
			continue
		case len(name) > 4 && name[:4] == "alt+":
			k.Mod |= tea.ModAlt
			name = name[4:]
			continue
		case len(name) > 6 && name[:6] == "shift+":
			k.Mod |= tea.ModShift
			name = name[6:]
			continue
		}
		break
	}
	if code, ok := special[name]; ok {
		k.Code = code
		if name == "space" && k.Mod == 0 {
			k.Text = " "
		}
		return k
	}
	k.Code = []rune(name)[0]
	if k.Mod == 0 {
		k.Text = name
	}
	return k
}
