package render

import "yore/sessions/clean"

// Clean makes transcript text safe for a terminal and for JSON: see clean.Text.
func Clean(s string) string { return clean.Text(s) }

// Line is Clean on one line: see clean.Line.
func Line(s string) string { return clean.Line(s) }

// Reason is what an error says, on one line: see clean.Error.
func Reason(err error) string { return clean.Error(err) }

// CleanAt is Clean that also says where byte offsets went: see clean.TextAt.
func CleanAt(s string, at []int) (string, []int) { return clean.TextAt(s, at) }
