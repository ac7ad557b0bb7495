// Package crush reads the sessions of Crush.
//
// In: the database that Crush keeps in each project (.crush/crush.db), found by
// its list of projects, and below the folders that the user configured. Out:
// sessions.Source.
package crush
