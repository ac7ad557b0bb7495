// Package judge has a language model say which hits of an answer are about the
// question, when the user has set one up and asks for it.
//
// In: an answer's first hits, cut to short excerpts, and the question; they go
// to an endpoint that speaks OpenAI's chat completions, on this machine unless
// another is named. Out: the same answer, its hits graded and reordered. A judge
// marks and never deletes: what it says nothing readable about stays as it was,
// and when it calls everything off-topic, it is not believed about the first.
//
// Transcripts are hostile input for a model. Their text is sent as JSON strings
// under identifiers drawn anew for each request, so that no text can name
// another's; of the reply only grades of these identifiers are read.
package judge
