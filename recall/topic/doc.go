// Package topic is the embedded search model: a table of word vectors whose
// mean is what a text is about.
//
// In: text. Out: unit vectors, quantised to bytes, and the cosine floor above
// which two texts are about the same thing. The table is part of the binary
// (NOTICE says from which texts it was made); nothing is ever fetched. Adapt makes
// another of it for a corpus; package train trains both, model2vec reads other
// models.
package topic
