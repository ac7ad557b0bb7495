// Package masktest holds the table of what is masked and what is not: the shapes of
// credentials and texts that look like one. Enters: nothing; leaves: lines for tests.
// The credentials are made when asked for, so that none stands in the repository.
package masktest
