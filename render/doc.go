// Package render turns answers into text, for people and for models.
//
// In: recall.Answers, Readings and Sessions. Out: the digest (Consolidate,
// Markdown), terminal markdown, plain text, JSON; every string from a
// transcript made safe for a terminal on the way. It queries nothing.
package render
