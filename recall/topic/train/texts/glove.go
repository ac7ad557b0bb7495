package texts

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// Glove reads word vectors from the JSON form in which an npm package ships GloVe:
// {"words":[...],"vectors":{"word":[100 numbers, length, index],...}}, words in the
// order of how common they are. It hands on each word with its vector, which is
// overwritten by the next, in the order of the file.
func Glove(r io.Reader, dim int, yield func(word string, vector []float32)) error {
	d := json.NewDecoder(bufio.NewReaderSize(r, 1<<20))
	if err := expect(d, json.Delim('{')); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		if name != "vectors" {
			var skipped json.RawMessage
			if err := d.Decode(&skipped); err != nil {
				return err
			}
			continue
		}
		if err := expect(d, json.Delim('{')); err != nil {
			return err
		}
		return gloveVectors(d, dim, yield)
	}
	return fmt.Errorf("word vectors: no \"vectors\" in the file")
}

func gloveVectors(d *json.Decoder, dim int, yield func(string, []float32)) error {
	var vector []float32
	for d.More() {
		word, err := d.Token()
		if err != nil {
			return err
		}
		vector = vector[:0]
		if err := d.Decode(&vector); err != nil {
			return err
		}
		if name, ok := word.(string); ok && len(vector) >= dim {
			yield(name, vector[:dim])
		}
	}
	return nil
}

func expect(d *json.Decoder, want json.Delim) error {
	t, err := d.Token()
	if err != nil {
		return err
	}
	if t != want {
		return fmt.Errorf("word vectors: %v where %v should stand", t, want)
	}
	return nil
}
