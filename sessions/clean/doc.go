// Package clean makes text of a transcript safe to show: it is the one place
// that knows what in a text drives a terminal.
//
// In: any bytes. Out: valid UTF-8 without escape sequences, control characters
// and what turns the direction of text.
package clean
