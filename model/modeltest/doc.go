// Package modeltest is a model.Engine with invented sessions, and a driver that
// runs a model without a terminal: for the tests of model and ui.
//
// Both are to be used inside a testing/synctest bubble, in which "settled" can
// be known: every goroutine waits.
package modeltest
