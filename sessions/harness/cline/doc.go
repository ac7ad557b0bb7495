// Package cline reads the tasks of Cline.
//
// In: the extension's storage in editors, and $CLINE_DIR/data or ~/.cline/data. Out: sessions.Source, by
// sessions/harness/tasks.
package cline
