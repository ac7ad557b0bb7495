// Package chosen keeps the search model that the user put in the place of the
// embedded table: a model2vec folder, copied into our own, with the floor that was
// calibrated for it.
//
// In: a folder with config.json, tokenizer.json and model.safetensors, from disk or
// fetched by name on the user's word. Out: a topic.Model.
package chosen
