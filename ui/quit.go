package ui

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// quitPatience is how long a program that hangs may take to give the terminal back.
const quitPatience = time.Second

// releaseOnQuit gives the terminal back before SIGQUIT does what it always does: Go
// prints what all goroutines are at, and ends the process. Written to a terminal in raw
// mode, on its second screen, nobody could read that, and the shell would be left with
// it. That is so also where whoever started this process had it ignore SIGQUIT: Go takes
// that signal in any case, and keeps nothing of what was to become of it before. What is
// returned ends the waiting.
func releaseOnQuit(release func() error) (stop func()) {
	quit, stopped := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(quit, syscall.SIGQUIT)
	go func() {
		select {
		case <-stopped:
			return
		case <-quit:
		}
		released := make(chan struct{})
		go func() {
			_ = release() // the process ends whatever comes of it
			close(released)
		}()
		select {
		case <-released:
		case <-time.After(quitPatience):
		}
		signal.Reset(syscall.SIGQUIT)
		if self, err := os.FindProcess(os.Getpid()); err == nil {
			_ = self.Signal(syscall.SIGQUIT)
		}
	}()
	return func() {
		signal.Stop(quit)
		close(stopped)
	}
}
