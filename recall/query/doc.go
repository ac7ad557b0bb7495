// Package query takes apart what somebody typed: words, "phrases", /patterns/,
// what is to be left out (-word), alternatives (OR) and filters (role:user).
//
// It knows the form of a query and nothing of the corpus. Parse never fails: what
// is not in the form of anything is text. Whether a filter's value makes sense is
// for the caller to say, who knows the time and the sessions.
package query
