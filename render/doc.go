// Package render turns answers into text, for people and for models.
//
// In: recall.Answers, Readings and Sessions. Out: the digest (Consolidate),
// terminal markdown (Terminal), plain text, JSON; every string from a transcript
// made safe for a terminal on the way (Clean). It queries nothing and reads no
// clock.
//
// A digest is made in four steps: merge joins the hits that touch, stitch puts
// their passages together again, excerpt cuts what is too long around the
// match, and Consolidate fits the result to its budget.
package render
