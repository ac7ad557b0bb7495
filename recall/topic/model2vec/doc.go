// Package model2vec reads a static embedding model in the form that Model2Vec
// writes, for users who have one: it can take the place of the embedded table.
//
// In: a folder with config.json, tokenizer.json (WordPiece, as BERT has it) and
// model.safetensors (one float32 tensor named embeddings, a row for each token).
// Out: a topic.Model. The folder is untrusted: files are bounded in size, nothing
// is allocated because they claim it, and what does not fit is an error that names
// the file.
package model2vec
