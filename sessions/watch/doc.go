// Package watch tells when something below a set of directories changes.
//
// In: roots. Out: Changes, which are hints (a rescan is the truth), and how
// each root is kept: watched by the system, or polled where it cannot be.
package watch
