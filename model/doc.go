// Package model is what the terminal program knows and how that changes: a
// Bubble Tea model without any styling, which runs without a terminal.
//
// In: messages (keys, answers, live changes, window sizes). Out: commands (ask,
// read, render) and the state that ui paints: lists, panes, focus, and the
// rectangles they take.
package model
