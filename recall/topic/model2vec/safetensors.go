package model2vec

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"

	"yore/recall/topic"
)

const (
	tensorName = "embeddings"

	// mostHeader bounds the description in front of the numbers; that of one tensor
	// takes about 100 bytes.
	mostHeader = 64 << 10

	mostDim = 4_096 // several times the widest model in use
)

// tensor is the description of one in a safetensors file.
type tensor struct {
	DType   string  `json:"dtype"`
	Shape   []int64 `json:"shape"`
	Offsets []int64 `json:"data_offsets"`
}

// readVectors reads the rows of the model, each as bytes and what they are times.
func readVectors(dir fs.FS, hash io.Writer) (dim int, rows []byte, scales []float32, err error) {
	content, size, closeFile, err := open(dir, vectorsFile, mostVectors, hash)
	if err != nil {
		return 0, nil, nil, err
	}
	defer closeFile()
	dim, rows, scales, err = readRows(bufio.NewReader(content), size)
	if err != nil {
		return 0, nil, nil, &fileError{vectorsFile, err}
	}
	return dim, rows, scales, nil
}

// readRows reads a safetensors file of size bytes: the length of a JSON header in
// eight bytes, the header, the numbers. Space is taken row by row, as they come.
func readRows(content *bufio.Reader, size int64) (dim int, rows []byte, scales []float32, err error) {
	t, left, err := readHeader(content, size)
	if err != nil {
		return 0, nil, nil, err
	}
	count, width, err := t.shape(left)
	if err != nil {
		return 0, nil, nil, err
	}
	dim = int(width)
	packed, row := make([]byte, 4*dim), make([]float32, dim)
	for range count {
		if _, err := io.ReadFull(content, packed); err != nil {
			return 0, nil, nil, fmt.Errorf("it ends too early: %w", err)
		}
		for i := range row {
			row[i] = math.Float32frombits(binary.LittleEndian.Uint32(packed[4*i:]))
			if x := float64(row[i]); math.IsNaN(x) || math.Abs(x) > largestNumber {
				return 0, nil, nil, fmt.Errorf("row %d holds %v", len(scales), x)
			}
		}
		bytes, scale := topic.QuantiseRows(row, dim)
		rows, scales = append(rows, bytes...), append(scales, scale...)
	}
	return dim, rows, scales, nil
}

// largestNumber is beyond any number of a model, and leaves sums of them finite.
const largestNumber = 1e9

func readHeader(content io.Reader, size int64) (t tensor, left int64, err error) {
	var length [8]byte
	if _, err := io.ReadFull(content, length[:]); err != nil {
		return t, 0, fmt.Errorf("it ends too early: %w", err)
	}
	n := binary.LittleEndian.Uint64(length[:])
	if n > mostHeader || int64(n) > size-int64(len(length)) {
		return t, 0, fmt.Errorf("its header claims %d bytes, the file has %d and at most %d are read", n, size, mostHeader)
	}
	header := make([]byte, n)
	if _, err := io.ReadFull(content, header); err != nil {
		return t, 0, fmt.Errorf("it ends too early: %w", err)
	}
	var entries map[string]json.RawMessage
	if err := decode(header, &entries); err != nil {
		return t, 0, fmt.Errorf("its header: %w", err)
	}
	delete(entries, "__metadata__")
	only, ok := entries[tensorName]
	if !ok || len(entries) != 1 {
		return t, 0, fmt.Errorf("it holds %d tensors, one named %s should be there", len(entries), tensorName)
	}
	if err := decode(only, &t); err != nil {
		return t, 0, fmt.Errorf("its header: %w", err)
	}
	return t, size - int64(len(length)) - int64(n), nil
}

// shape gives the rows and numbers a row of a tensor that fills exactly the bytes
// that are left.
func (t tensor) shape(left int64) (rows, dim int64, err error) {
	if t.DType != "F32" {
		return 0, 0, fmt.Errorf("its numbers are %.20q, only F32 is read", t.DType)
	}
	if len(t.Shape) != 2 || t.Shape[0] < 1 || t.Shape[1] < 1 || t.Shape[1] > mostDim || t.Shape[0] > left {
		return 0, 0, errors.New("its tensor is not a table of rows of 1 to 4,096 numbers")
	}
	if len(t.Offsets) != 2 || t.Offsets[0] != 0 || t.Offsets[1] != left || 4*t.Shape[0]*t.Shape[1] != left {
		return 0, 0, fmt.Errorf("%d rows of %d numbers do not fill its %d bytes", t.Shape[0], t.Shape[1], left)
	}
	return t.Shape[0], t.Shape[1], nil
}
