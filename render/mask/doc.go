// Package mask keeps credentials that stand in transcripts from being shown:
// what has the shape of one is replaced by a word that says so.
//
// In: an engine's answers, readings and sessions. Out: the same with their texts
// cleaned and masked, and with every offset moved to where it belongs in the new
// text. All that is made from transcripts passes here once (Engine), so that no
// form of output can forget it. Shapes are declared as data: those of
// credentials (shapes.go) and of the places where they stand (frames.go).
package mask
