// Package harnesstest reads transcripts for the tests of a harness's reader:
// it plays the Library, and puts what a reader sends into a form that can be
// compared and reviewed.
//
// In: a sessions.Source and an Env whose home is a folder of samples. Out:
// sessions with their turns and counts, and golden dumps of them. Only tests
// import it.
package harnesstest
