package main

import (
	"context"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"yore/recall/topic"
	"yore/recall/topic/train"
	"yore/recall/topic/train/texts"
)

// maker makes a table.
type maker struct {
	docs, goSource, glove, out string

	dim, epochs, batch, workers int
	rate, drop                  float64
	seed                        uint64
	halves                      bool
}

func (m *maker) make(ctx context.Context) error {
	if m.docs == "" || m.out == "" {
		return fmt.Errorf("make: -docs and -out must be given")
	}
	c := newCorpus()
	if err := m.read(c); err != nil {
		return err
	}
	start, err := m.start()
	if err != nil {
		return err
	}
	vocabulary := c.vocabulary(start.order)
	pairs := c.bags(vocabulary)
	rows := start.rows(vocabulary, c.idf(vocabulary), m.dim, m.seed)
	fmt.Printf("%d pairs, %d rows of %d\n", len(pairs), len(vocabulary), m.dim)
	err = train.Run(ctx, rows, m.dim, pairs, train.Options{
		Epochs: m.epochs, Batch: m.batch, Rate: m.rate, Drop: m.drop, Seed: m.seed, Workers: m.workers,
		Report: func(epoch int, loss float64) { fmt.Printf("epoch %d: loss %.4f\n", epoch+1, loss) },
	})
	if err != nil {
		return err
	}
	return m.write(rows, vocabulary)
}

// read takes the pairs of every package, in the order of their names, and of the
// Go source.
func (m *maker) read(c *corpus) error {
	packages, err := os.ReadDir(m.docs)
	if err != nil {
		return err
	}
	for _, entry := range packages {
		dir := filepath.Join(m.docs, entry.Name())
		read, at, most := texts.HTML, dir, perSource
		if data := filepath.Join(dir, "usr/share/wordnet"); isDir(data) {
			read, at, most = texts.WordNet, data, perDictionary
		}
		kept, err := c.source(most, func(yield func(texts.Pair)) (texts.Stats, error) {
			return read(os.DirFS(at), yield)
		})
		if err != nil {
			return err
		}
		fmt.Printf("%s: %d pairs\n", entry.Name(), kept)
	}
	if m.goSource == "" {
		return nil
	}
	kept, err := c.source(perSource, func(yield func(texts.Pair)) (texts.Stats, error) {
		return texts.GoSource(os.DirFS(m.goSource), yield)
	})
	fmt.Printf("Go source: %d pairs\n", kept)
	return err
}

func isDir(path string) bool {
	info, err := fs.Stat(os.DirFS(path), ".")
	return err == nil && info.IsDir()
}

// gloveDim is the length of the vectors that training starts with.
const gloveDim = 100

// starts are the vectors that training starts with, by stem.
type starts struct {
	order   []string // stems by their commonest word
	vectors map[string][]float32
}

// start reads the start vectors: a stem's is the mean of its words', each weighted
// by one over its place in the order of how common words are.
func (m *maker) start() (*starts, error) {
	s := &starts{vectors: map[string][]float32{}}
	if m.glove == "" {
		return s, nil
	}
	f, err := os.Open(m.glove)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	place := 0
	err = texts.Glove(f, gloveDim, func(word string, vector []float32) {
		place++
		stem := ""
		topic.Words(word, func(w []byte) {
			if string(w) == word {
				stem = topic.Stem(word)
			}
		})
		if stem == "" {
			return
		}
		sum := s.vectors[stem]
		if sum == nil {
			sum = make([]float32, gloveDim)
			s.vectors[stem] = sum
			s.order = append(s.order, stem)
		}
		for i, x := range vector {
			sum[i] += x / float32(place)
		}
	})
	return s, err
}

const (
	startLength = .5  // of a start vector
	startNoise  = .05 // in each number, so that rows without a start vector differ
)

func (s *starts) rows(vocabulary []string, idf []float32, dim int, seed uint64) []float32 {
	draw := rand.New(rand.NewPCG(seed, 0))
	rows := make([]float32, len(vocabulary)*dim)
	for row, stem := range vocabulary {
		v := rows[row*dim : (row+1)*dim]
		var squares float64
		for _, x := range s.vectors[stem] {
			squares += float64(x) * float64(x)
		}
		for i, x := range s.vectors[stem] {
			if i < dim {
				v[i] = x * float32(startLength/math.Sqrt(squares))
			}
		}
		for i := range v {
			v[i] = (v[i] + startNoise*float32(draw.NormFloat64())) * idf[row]
		}
	}
	return rows
}

// write writes the three files of the table.
func (m *maker) write(rows []float32, vocabulary []string) error {
	if err := os.MkdirAll(m.out, 0o700); err != nil {
		return err
	}
	name, quantise := "table.i8", topic.QuantiseRows
	if m.halves {
		name, quantise = "table.i4", topic.QuantiseHalves
	}
	vectors, scales := quantise(rows, m.dim)
	for name, content := range map[string]string{name: string(vectors), "scale.f32": topic.PackScales(scales), "vocab.txt": topic.JoinStems(vocabulary)} {
		if err := os.WriteFile(filepath.Join(m.out, name), []byte(content), 0o600); err != nil {
			return err
		}
	}
	return nil
}
