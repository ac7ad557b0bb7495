package model2vec

import (
	"strings"
	"testing"
)

// What is wrong with a file is told in words of the file, not of this program.
func TestMalformedFilesAreToldInPlainWords(t *testing.T) {
	config, tokenizer, tensors := small()
	for _, c := range []struct{ config, tokenizer, tensors, want string }{
		{config, "[]", tensors, "model file tokenizer.json: it has an array where an object is expected"},
		{config, "", tensors, "model file tokenizer.json: it is empty, JSON is expected"},
		{config, `{"model":{`, tensors, "model file tokenizer.json: it ends in the middle of its JSON: get it again"},
		{config, "<html>", tensors, "model file tokenizer.json: it is no JSON from byte 1 on: get it again"},
		{config, `{"model":{"type":"Unigram","vocab":[["a",0.1]]}}`, tensors, "model file tokenizer.json: its model.vocab has an array where an object is expected"},
		{config, `{"model":{"vocab":{"a":1.5}}}`, tensors, "model file tokenizer.json: its model.vocab has a number where a whole number is expected"},
		{config, `{"model":{"type":` + strings.Repeat("9", 999) + `}}`, tensors, "model file tokenizer.json: its model.type has a number where a string is expected"},
		{`{"model_type":true}`, tokenizer, tensors, "model file config.json: its model_type has true or false where a string is expected"},
		{config, tokenizer, safetensors("[]", nil), "model file model.safetensors: its header: it has an array where an object is expected"},
		{config, tokenizer, safetensors(`{"embeddings":{"shape":"x"}}`, nil), "model file model.safetensors: its header: its shape has a string where an array is expected"},
	} {
		if _, err := Open(folder(c.config, c.tokenizer, c.tensors)); err == nil || err.Error() != c.want {
			t.Errorf("%.200v, want %s", err, c.want)
		}
	}
}
