// Package hermes reads the sessions of Hermes Agent.
//
// In: $HERMES_HOME or ~/.hermes, with state.db and the files of before, one a
// session: JSON lines, or a document. Out: sessions.Source.
//
// A session that is in several places is read from the database. One that was
// compacted, branched or reset goes on in a session of its own, which begins with
// what it took over; one that was delegated is a sub-agent.
package hermes
