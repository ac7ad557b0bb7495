package model2vec

import (
	"errors"
	"io/fs"
	"iter"
	"sync"

	"github.com/cespare/xxhash/v2"

	"yore/recall/topic"
)

// The names of a model's files and the sizes in bytes beyond which they are refused:
// several times those of the models that are in use.
const (
	configFile, mostConfig       = "config.json", 64 << 10
	tokenizerFile, mostTokenizer = "tokenizer.json", 8 << 20
	vectorsFile, mostVectors     = "model.safetensors", 128 << 20
)

// Files are the names of a model's files and the most bytes that each may have, in
// the order in which they are read.
func Files() iter.Seq2[string, int64] {
	return func(yield func(string, int64) bool) {
		_ = yield(configFile, mostConfig) && yield(tokenizerFile, mostTokenizer) && yield(vectorsFile, mostVectors)
	}
}

// Model is a static embedding model. It is immutable and safe for concurrent use.
type Model struct {
	dim    int
	hash   uint64
	floor  float32
	tokens *tokenizer

	// The rows as bytes and what they are times: a quarter of the memory, and no
	// measurable difference.
	rows   []byte
	scales []float32

	buffers sync.Pool
}

var _ topic.Model = (*Model)(nil)

// uncalibrated is a floor that no cosine reaches.
const uncalibrated = 2

// Open reads the model in a folder; os.DirFS makes one of a path. Nothing counts as
// being about the same thing until it has a floor: topic.Calibrate finds one,
// WithFloor sets it.
func Open(dir fs.FS) (*Model, error) {
	hash := xxhash.New()
	if err := readConfig(dir, hash); err != nil {
		return nil, err
	}
	tokens, err := readTokenizer(dir, hash)
	if err != nil {
		return nil, err
	}
	m := &Model{floor: uncalibrated, tokens: tokens}
	m.dim, m.rows, m.scales, err = readVectors(dir, hash)
	if err != nil {
		return nil, err
	}
	if len(m.scales) <= tokens.largest {
		return nil, &fileError{tokenizerFile, errors.New("it has more tokens than " + vectorsFile + " has rows")}
	}
	m.hash = hash.Sum64()
	return m, nil
}

// WithFloor gives the same model with a floor.
func (m *Model) WithFloor(floor float32) *Model {
	return &Model{dim: m.dim, hash: m.hash, floor: floor, tokens: m.tokens, rows: m.rows, scales: m.scales}
}

// Dim is the number of dimensions of its vectors.
func (m *Model) Dim() int { return m.dim }

// Hash stands for the contents of the model's three files.
func (m *Model) Hash() uint64 { return m.hash }

// Floor is the cosine from which on two texts count as being about the same thing.
func (m *Model) Floor() float32 { return m.floor }

// Vector writes the mean of the rows of text's tokens to dst, at unit length; false
// and zeros when it has no known token.
func (m *Model) Vector(text string, dst []float32) bool {
	dst = dst[:m.dim]
	clear(dst)
	b, _ := m.buffers.Get().(*buffer)
	if b == nil {
		b = new(buffer)
	}
	defer m.buffers.Put(b)
	m.tokens.tokens(text, b, func(token int) {
		row, scale := m.rows[token*m.dim:(token+1)*m.dim], m.scales[token]
		for i, x := range row {
			dst[i] += scale * float32(int8(x))
		}
	})
	return topic.Normalise(dst)
}
