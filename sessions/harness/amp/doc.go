// Package amp reads the threads that Amp kept on disk.
//
// In: the threads folder of $XDG_DATA_HOME/amp or ~/.local/share/amp, and the
// storage of Amp's extension in editors. Out: sessions.Source.
//
// Each thread is one JSON document that was rewritten whole. Since spring 2026
// threads live on Amp's server, and what is written here are stubs without
// messages: those are no sessions. What older releases wrote stays readable.
package amp
