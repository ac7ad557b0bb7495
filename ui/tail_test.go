package ui

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"
	"pgregory.net/rapid"

	"yore/model"
	"yore/model/modeltest"
)

// followed runs a test on a screen that follows feeds of those names.
func followed(t *testing.T, names []string, o model.Options, w, h int, test func(*testing.T, stage, []*modeltest.Feed)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var feeds []*modeltest.Feed
		for _, n := range names {
			f := modeltest.NewFeed(n)
			feeds, o.Tail = append(feeds, f), append(o.Tail, f.Feed)
		}
		d := modeltest.Start(t.Context(), nil, o, w, h)
		d.Settle()
		test(t, stage{d, NewScreen(d.Model)}, feeds)
	})
}

// buildLog is a log as builds write them, of more rows than any window has.
func buildLog(f *modeltest.Feed) {
	for i := range 70 {
		f.Write(fmt.Sprintf("10:%02d:07 compiling package %d of 70\n", i%60, i))
		if i%6 == 3 {
			f.Write(strings.Repeat("waiting for the lock of the build folder\n", i*i))
		}
	}
	f.Write("download 10 %\rdownload 55 %\rdownload 100 %\r\n\x1b[31mwarning\x1b[0m: 依存関係が古いです 🧑‍💻, see the notes of the release before this one, and those before\nlinking")
}

// tailScenes are the states of the view that are kept as golden frames.
var tailScenes = []struct {
	name  string
	feeds []string
	come  func([]*modeltest.Feed)
	keys  []string
	then  func([]*modeltest.Feed)
}{
	{"empty", []string{"/home/ada/shop/build.log"}, nil, nil, nil},
	{"following", []string{"/home/ada/shop/build.log"}, one(buildLog), nil, nil},
	{"paused", []string{"/home/ada/shop/build.log"}, one(buildLog), []string{"k", "k"}, one(func(f *modeltest.Feed) { f.Write("\ndone\ndone\ndone\n") })},
	{"found", []string{"/home/ada/shop/build.log"}, one(buildLog), []string{"/", "l", "o", "c", "k"}, nil},
	{"expanded", []string{"/home/ada/shop/build.log"}, one(buildLog), []string{"k", "enter", "k", "enter"}, nil},
	{"wrapped", []string{"/home/ada/shop/build.log"}, one(buildLog), []string{"w"}, nil},
	{"folded", []string{"/home/ada/shop/server.log"}, one(func(f *modeltest.Feed) {
		for i := range 200 {
			f.Write(fmt.Sprintf("10:%02d:%02d GET /api/items/%d 200\n", i/60, i%60, i*7919))
			if i%40 == 39 {
				f.Write(fmt.Sprintf("10:%02d:%02d error: item %d is gone\n", i/60, i%60, i))
			}
		}
		f.Write(strings.Repeat("poll the queue\nnothing to do, sleep\n漢字の行\n", 100))
	}), []string{"b", "t"}, nil},
	{"opened", []string{"/home/ada/shop/server.log"}, one(func(f *modeltest.Feed) {
		f.Write("start\n" + strings.Repeat("poll the queue\nnothing to do, sleep\n", 4) + "end\n")
	}), []string{"b", "k", "k", "enter"}, nil},
	{"rotated", []string{"/home/ada/shop/build.log"}, one(func(f *modeltest.Feed) {
		f.Write("the old file\nthe old file\n")
		f.Note("rotated")
		f.Write("the old file\n")
	}), nil, nil},
	{"ended", []string{"stdin"}, one(func(f *modeltest.Feed) { f.Write("a\nb\nb\nno newline"); f.End() }), nil, nil},
	{"sessions", []string{"Cache layout", "キャッシュの設計を見直す"}, func(f []*modeltest.Feed) {
		for i := range 40 {
			f[i/2%2].Write(fmt.Sprintf("── assistant · 10:00:%02d\nTests pass in package %d.\n", i, i/4))
		}
	}, nil, nil},
	{"help", []string{"/home/ada/shop/build.log"}, one(buildLog), []string{"?"}, nil},
}

func one(come func(*modeltest.Feed)) func([]*modeltest.Feed) {
	return func(f []*modeltest.Feed) { come(f[0]) }
}

func TestTailFrames(t *testing.T) {
	for _, scene := range tailScenes {
		for _, size := range sizes {
			for _, look := range []string{"plain", "dark"} {
				t.Run(scene.name+"/"+size.name+"/"+look, func(t *testing.T) {
					followed(t, scene.feeds, model.Options{NoColor: look == "plain"}, size.w, size.h, func(t *testing.T, s stage, f []*modeltest.Feed) {
						keys := scene.keys
						for _, come := range []func([]*modeltest.Feed){scene.come, scene.then} {
							if come != nil {
								come(f)
							}
							s.Pass(time.Second)
							s.Press(keys...)
							keys = nil
						}
						checkFrame(t, s.frame(), size.w, size.h)
						golden.RequireEqual(t, []byte(s.frame()))
					})
				})
			}
		}
	}
}

// TestHostileLog follows what would drive a terminal: nothing of it reaches a frame
// raw or makes a row wider than the window, in any state of the view.
func TestHostileLog(t *testing.T) {
	keys := []string{"k", "pgup", "g", "enter", "E", "w", "/", "a", "n", "N", "l", "h", "space", "F", "b", "t", "backspace", "esc"}
	rapid.Check(t, func(rt *rapid.T) {
		w, h := rapid.IntRange(40, 300).Draw(rt, "w"), rapid.IntRange(12, 100).Draw(rt, "h")
		names := rapid.SliceOfN(rapid.SampledFrom(hostile), 1, 3).Draw(rt, "names")
		pressed := rapid.SliceOfN(rapid.SampledFrom(keys), 0, 6).Draw(rt, "keys")
		pieces := rapid.SliceOfN(rapid.Map(rapid.SampledFrom(append(hostile, "\n")), func(s string) string {
			return strings.ReplaceAll(s, long, strings.Repeat("x漢", 5000))
		}), 0, 30).Draw(rt, "pieces")
		noColor := rapid.Bool().Draw(rt, "noColor")
		var fault string
		synctest.Test(t, func(t *testing.T) {
			var feeds []*modeltest.Feed
			o := model.Options{NoColor: noColor}
			for _, n := range names {
				f := modeltest.NewFeed(n)
				feeds, o.Tail = append(feeds, f), append(o.Tail, f.Feed)
			}
			d := modeltest.Start(t.Context(), nil, o, w, h)
			d.Settle() // the feeds begin
			s := stage{d, NewScreen(d.Model)}
			for i, p := range pieces {
				feeds[i%len(feeds)].Write(p)
			}
			s.Pass(time.Second)
			for _, k := range append([]string{""}, pressed...) {
				if k != "" && !s.Gone && (k != "esc" || s.Focus != model.Tail) {
					s.Press(k)
				}
				checkFrame(recorder{&fault}, s.frame(), w, h)
				narrow, low := max(40, w*2/3), max(12, h*2/3)
				s.Send(tea.WindowSizeMsg{Width: narrow, Height: low})
				checkFrame(recorder{&fault}, s.frame(), narrow, low)
				s.Send(tea.WindowSizeMsg{Width: w, Height: h})
			}
		})
		if fault != "" {
			rt.Fatalf("%dx%d, keys %v: %s", w, h, pressed, fault)
		}
	})
}
