// Package kiro reads the sessions of Kiro and of Amazon Q Developer, which it
// was called before.
//
// In: the databases of both command line programs, the files that later releases
// of it and of Kiro's editor keep in $KIRO_HOME and ~/.kiro, and the older files of
// the editor. Out: sessions.Source.
//
// The databases also hold what signs the user in; only the tables of
// conversations are ever asked for.
package kiro
