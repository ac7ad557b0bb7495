// Package sqlite opens the databases in which harnesses keep sessions, so that
// they are read as the harness left them and never disturbed.
//
// In: the path of a database that another program may be writing to. Out: a
// read-only *sql.DB that sees what its write-ahead log holds, and a Stamp that
// tells whether anything changed since. It knows no harness's tables.
package sqlite
