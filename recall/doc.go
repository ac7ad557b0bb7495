// Package recall finds the passages that answer a question.
//
// In: sessions.Updates (text as it is read) and Queries. Out: Answers (ranked
// passages with excerpts, badges and exact counts) and Readings (a passage with
// its neighbours). It draws nothing and prints nothing.
//
// recall/query takes apart what somebody typed; recall/words cuts text into the
// words that are searched; recall/topic is the embedded search model; recall/index
// keeps passages, postings and vectors in immutable segments plus a tail;
// recall/tombstone keeps the names of what is forgotten. Engine puts them together.
//
// One question goes through these steps:
//
//	query      the text taken apart: words, phrases, patterns, exclusions, filters
//	plan       what is to be found: words with their alternatives, dates
//	filter     which sessions and turns pass; scope: whether tools and thinking do
//	tally      what every passage holds of the words; BM25
//	rule       which passages hold enough of them
//	condition  phrases, patterns and exclusions, verified on the text
//	scan       every text, the newest first, where no word leads to it
//	topical    the passages nearest by topic, above two floors
//	candidate  the best of both, measured by all features and fused
//	fold       copies of one text become one
//	merge      neighbours become one hit, a session gets two
//	hit        excerpts and what is known of the turn that matches best
//
// What repeats from one keystroke to the next is kept (columns by segment and word,
// sums by session, spellings), and the work on segments is split between two
// goroutines (parallel). None of it changes an answer: plain_test.go has the ranking
// without all that, and a property test compares them number by number.
package recall
