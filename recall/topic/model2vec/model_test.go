package model2vec

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"strings"
	"testing"
	"testing/fstest"
)

var vocabulary = []string{"[PAD]", "[UNK]", "cache", "##s", "disk", "cafe", ".", "数", "write", "##r"}

// vectors has one row a token: the row of token i has i+1 as its i%3-th number.
func vectors() []float32 {
	rows := make([]float32, 3*len(vocabulary))
	for i := range vocabulary {
		rows[3*i+i%3] = float32(i + 1)
	}
	return rows
}

func tokenizerFileOf(words []string) string {
	vocab := map[string]int{}
	for i, w := range words {
		vocab[w] = i
	}
	return encode(map[string]any{
		"normalizer":    map[string]any{"type": "BertNormalizer", "lowercase": true, "strip_accents": nil},
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"added_tokens":  []any{map[string]any{"id": 0, "content": "[PAD]", "special": true}},
		"model":         map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "vocab": vocab},
	})
}

func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func safetensors(header string, numbers []float32) string {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	b = append(b, header...)
	for _, x := range numbers {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return string(b)
}

func header(rows, dim int) string {
	return fmt.Sprintf(`{"__metadata__":{"made":"here"},"embeddings":{"dtype":"F32","shape":[%d,%d],"data_offsets":[0,%d]}}`, rows, dim, 4*rows*dim)
}

func folder(config, tokenizer, tensors string) fs.FS {
	return fstest.MapFS{
		configFile:    {Data: []byte(config)},
		tokenizerFile: {Data: []byte(tokenizer)},
		vectorsFile:   {Data: []byte(tensors)},
	}
}

func small() (config, tokenizer, tensors string) {
	return `{"model_type":"model2vec","seq_length":512}`, tokenizerFileOf(vocabulary), safetensors(header(len(vocabulary), 3), vectors())
}

func openSmall(t *testing.T) *Model {
	t.Helper()
	m, err := Open(folder(small()))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestTokens(t *testing.T) {
	m := openSmall(t)
	for text, want := range map[string]string{
		"cache disk":             "cache disk",
		"Caches,DISK":            "cache ##s disk",
		"writers.":               "write ##r ##s .",
		"the cache":              "cache",
		"cachet disk":            "disk", // a word with an unknown part is unknown
		"Café cafe\u0301":        "cafe cafe",
		"数数":                     "数 数",
		"cache\x00s\tdisk\n":     "cache ##s disk",
		"[PAD] [UNK]":            "",
		"":                       "",
		strings.Repeat("s", 200): "",
	} {
		var got []string
		m.tokens.tokens(text, new(buffer), func(token int) { got = append(got, vocabulary[token]) })
		if g := strings.Join(got, " "); g != want {
			t.Errorf("%q: tokens %q, want %q", text, g, want)
		}
	}
}

func TestVector(t *testing.T) {
	m := openSmall(t)
	v := make([]float32, m.Dim())
	// cache is (0, 0, 3), disk (0, 5, 0).
	if !m.Vector("the disk cache", v) {
		t.Fatal("no vector")
	}
	want := []float64{0, 5 / math.Sqrt(34), 3 / math.Sqrt(34)}
	for i, x := range v {
		if math.Abs(float64(x)-want[i]) > 1e-5 {
			t.Errorf("vector %v, want %v", v, want)
		}
	}
	if m.Vector("nothing known", v) || v[0] != 0 || v[1] != 0 || v[2] != 0 {
		t.Errorf("a text without known words has the vector %v", v)
	}
}

func TestModelsAreToldApart(t *testing.T) {
	config, tokenizer, _ := small()
	m := openSmall(t)
	if again := openSmall(t); again.Hash() != m.Hash() || m.Hash() == 0 {
		t.Errorf("hashes %x and %x of the same files", m.Hash(), again.Hash())
	}
	numbers := vectors()
	numbers[6] = .5
	other, err := Open(folder(config, tokenizer, safetensors(header(len(vocabulary), 3), numbers)))
	if err != nil || other.Hash() == m.Hash() {
		t.Errorf("another number gives the same hash (%v)", err)
	}
}

func TestFloor(t *testing.T) {
	m := openSmall(t)
	if m.Floor() <= 1 {
		t.Errorf("a model that was not calibrated has the floor %v, which a cosine can reach", m.Floor())
	}
	if f := m.WithFloor(.4); f.Floor() != .4 || f.Hash() != m.Hash() || m.Floor() == .4 {
		t.Errorf("floor %v", f.Floor())
	}
}

// Every fault is an error that names its file.
func TestOpenRefuses(t *testing.T) {
	config, tokenizer, tensors := small()
	n := len(vocabulary)
	nan := vectors()
	nan[4] = float32(math.NaN())
	for _, tt := range []struct{ name, config, tokenizer, tensors, file string }{
		{"config is no JSON", "{", tokenizer, tensors, configFile},
		{"config of another kind", `{"model_type":"bert"}`, tokenizer, tensors, configFile},
		{"config too large", strings.Repeat(" ", mostConfig+1), tokenizer, tensors, configFile},
		{"tokenizer empty", config, "", tensors, tokenizerFile},
		{"tokenizer of another kind", config, `{"model":{"type":"Unigram","vocab":[["a",0.1]]}}`, tensors, tokenizerFile},
		{"BPE tokenizer", config, `{"model":{"type":"BPE","vocab":{"a":1}}}`, tensors, tokenizerFile},
		{"other normalizer", config, strings.Replace(tokenizer, "BertNormalizer", "NFC", 1), tensors, tokenizerFile},
		{"other pre-tokenizer", config, strings.Replace(tokenizer, "BertPreTokenizer", "Whitespace", 1), tensors, tokenizerFile},
		{"no vocabulary", config, `{"model":{"type":"WordPiece"}}`, tensors, tokenizerFile},
		{"negative token", config, `{"model":{"type":"WordPiece","vocab":{"a":-1}}}`, tensors, tokenizerFile},
		{"token without a row", config, `{"model":{"type":"WordPiece","vocab":{"a":10}}}`, tensors, tokenizerFile},
		{"token number beyond all", config, `{"model":{"type":"WordPiece","vocab":{"a":9223372036854775807}}}`, tensors, tokenizerFile},
		{"vectors empty", config, tokenizer, "", vectorsFile},
		{"vectors cut in the header", config, tokenizer, tensors[:20], vectorsFile},
		{"vectors cut in a row", config, tokenizer, tensors[:len(tensors)-2], vectorsFile},
		{"bytes behind the vectors", config, tokenizer, tensors + "xxxx", vectorsFile},
		{"header beyond the file", config, tokenizer, "\xff\xff\x00\x00\x00\x00\x00\x00{}", vectorsFile},
		{"header beyond all memory", config, tokenizer, "\xff\xff\xff\xff\xff\xff\xff\xff{}", vectorsFile},
		{"header is no JSON", config, tokenizer, safetensors("nonsense", nil), vectorsFile},
		{"header is a list", config, tokenizer, safetensors("[1]", nil), vectorsFile},
		{"no tensor", config, tokenizer, safetensors("{}", nil), vectorsFile},
		{"two tensors", config, tokenizer, safetensors(`{"embeddings":{},"more":{}}`, nil), vectorsFile},
		{"half numbers", config, tokenizer, safetensors(strings.Replace(header(n, 3), "F32", "F16", 1), vectors()), vectorsFile},
		{"rows of one number list", config, tokenizer, safetensors(`{"embeddings":{"dtype":"F32","shape":[30],"data_offsets":[0,120]}}`, vectors()), vectorsFile},
		{"more rows than bytes", config, tokenizer, safetensors(header(1<<40, 3), vectors()), vectorsFile},
		{"product overflows", config, tokenizer, safetensors(`{"embeddings":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,120]}}`, vectors()), vectorsFile},
		{"offsets elsewhere", config, tokenizer, safetensors(strings.Replace(header(n, 3), "[0,", "[4,", 1), vectors()), vectorsFile},
		{"not a number", config, tokenizer, safetensors(header(n, 3), nan), vectorsFile},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := Open(folder(tt.config, tt.tokenizer, tt.tensors))
			if err == nil || m != nil {
				t.Fatalf("opened: %v", m)
			}
			if !strings.Contains(err.Error(), tt.file) {
				t.Errorf("%q does not name %s", err, tt.file)
			}
		})
	}
}

func TestOpenWithoutFiles(t *testing.T) {
	for _, missing := range []string{configFile, tokenizerFile, vectorsFile} {
		dir := folder(small()).(fstest.MapFS)
		delete(dir, missing)
		if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), missing) {
			t.Errorf("without %s: %v", missing, err)
		}
		dir[missing] = &fstest.MapFile{Mode: fs.ModeDir}
		if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), missing) {
			t.Errorf("%s is a directory: %v", missing, err)
		}
	}
}

func FuzzOpen(f *testing.F) {
	config, tokenizer, tensors := small()
	f.Add(config, tokenizer, []byte(tensors), "the Caches")
	f.Add(`{}`, `{"model":{"type":"WordPiece","vocab":{"":0,"a":1,"##":2}}}`, []byte(safetensors(header(3, 1), []float32{1, 2, 3})), "aa a\u0301")
	f.Add(`{}`, tokenizer, []byte("\xff\xff\xff\xff\xff\xff\xff\x7f{}"), "")
	f.Fuzz(func(t *testing.T, config, tokenizer string, tensors []byte, text string) {
		m, err := Open(folder(config, tokenizer, string(tensors)))
		if err != nil {
			return
		}
		v := make([]float32, m.Dim())
		known := m.Vector(text, v)
		var squares float64
		for _, x := range v {
			squares += float64(x) * float64(x)
		}
		if known && math.Abs(squares-1) > 1e-3 || !known && squares != 0 {
			t.Fatalf("known %v, squared length %v", known, squares)
		}
	})
}
