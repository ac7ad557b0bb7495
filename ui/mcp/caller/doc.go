// Package caller finds out from which session a question comes, so that an agent is
// not answered with what it has just said itself.
//
// In: the environment, the processes from which this one descends, and what a client
// sends along with a call. Out: ids of sessions, which may be none: nothing is
// guessed from directories or times.
package caller
