// Package cline reads the tasks and sessions of Cline.
//
// In: the extension's storage in editors, and $CLINE_DATA_DIR, $CLINE_DIR/data or
// ~/.cline/data, with the sessions in $CLINE_SESSION_DATA_DIR. Out: sessions.Source.
//
// Tasks are read by sessions/harness/tasks. Since summer 2026 there are sessions
// instead, whose documents hold the messages as they were exchanged.
package cline
