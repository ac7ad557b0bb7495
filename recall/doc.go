// Package recall finds the passages that answer a question.
//
// In: sessions.Updates (text as it is read) and Queries. Out: Answers (ranked
// passages with excerpts, badges and exact counts) and Readings (a passage with
// its neighbours). It draws nothing and prints nothing.
//
// recall/words cuts text into the words that are searched; recall/topic is the
// embedded search model; recall/index keeps passages, postings and vectors in
// immutable segments plus a tail. Engine puts them together.
package recall
