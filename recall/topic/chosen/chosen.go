package chosen

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"yore/recall/topic"
	"yore/recall/topic/model2vec"
	"yore/sessions"
)

const (
	folder    = "model"      // in the data directory
	factsFile = "floor.json" // of ours, beside the model's files
	mostFacts = 64 << 10
)

// Model is a chosen model.
type Model struct {
	topic.Model
	Name string // as the user named it
}

// facts is what is kept of a model beside its files.
type facts struct {
	Name  string  `json:"name"`
	Floor float32 `json:"floor"`
	Hash  uint64  `json:"hash,string"`
}

// ErrUnseen is wrapped where the data directory lets nothing in it be seen, so that nobody
// knows whether a model was chosen.
var ErrUnseen = errors.New("whether a model was chosen cannot be seen")

// Open is the model that was chosen; nil without an error when none was.
func Open(dataDir string) (*Model, error) {
	dir := filepath.Join(dataDir, folder)
	text, err := readFacts(dir)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENAMETOOLONG) {
		return nil, nil // where there can be no folder, none was chosen
	}
	if err != nil {
		return nil, cmp.Or(unseen(dataDir, dir), err)
	}
	var f facts
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, factsFile), err)
	}
	if f.Floor <= 0 {
		return nil, fmt.Errorf("%s has a floor of %v, which everything reaches", filepath.Join(dir, factsFile), f.Floor)
	}
	m, err := model2vec.Open(os.DirFS(dir))
	if err != nil {
		return nil, err
	}
	if m.Hash() != f.Hash {
		return nil, fmt.Errorf("%s holds another model than the one that was chosen", dir)
	}
	return &Model{Model: m.WithFloor(f.Floor), Name: f.Name}, nil
}

// unseen is an error that wraps ErrUnseen when the data directory is to blame that a folder
// in it was not read.
func unseen(dataDir, dir string) error {
	_, err := os.Lstat(dir)
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%w in %s: %w", ErrUnseen, dataDir, path.Err)
	}
	return nil
}

func readFacts(dir string) ([]byte, error) {
	file, err := sessions.OpenFile(filepath.Join(dir, factsFile))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, mostFacts))
}

// Use copies the model in a folder into the data directory, where Open finds it
// from then on. calibrate gives its floor. Nothing changes when it fails.
func Use(ctx context.Context, dataDir string, from fs.FS, name string, calibrate func(context.Context, topic.Model) (float32, error)) (*Model, error) {
	if _, err := model2vec.Open(from); err != nil { // before anything is copied
		return nil, err
	}
	if err := os.MkdirAll(dataDir, 0o700); err != nil {
		return nil, err
	}
	fresh, err := os.MkdirTemp(dataDir, folder+"-new-") // 0700
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(fresh) }() // gone already when all went well
	for file, most := range model2vec.Files() {
		if err := copyFile(fresh, from, file, most); err != nil {
			return nil, err
		}
	}
	m, err := model2vec.Open(os.DirFS(fresh)) // what was copied, not what lay there
	if err != nil {
		return nil, err
	}
	floor, err := calibrate(ctx, m)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(facts{name, floor, m.Hash()})
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(fresh, factsFile), text, 0o600); err != nil {
		return nil, err
	}
	if err := replace(dataDir, fresh); err != nil {
		return nil, err
	}
	return &Model{Model: m.WithFloor(floor), Name: name}, nil
}

// replace puts a folder into the place of the chosen one.
func replace(dataDir, fresh string) error {
	place := filepath.Join(dataDir, folder)
	old := fresh + "-old"
	err := os.Rename(place, old)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(fresh, place); err != nil {
		return errors.Join(err, os.Rename(old, place))
	}
	return os.RemoveAll(old)
}

// copyFile copies a file that is no larger than most bytes.
func copyFile(to string, from fs.FS, name string, most int64) error {
	in, err := from.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	return write(filepath.Join(to, name), in, most)
}

// write makes a file of what a reader gives, at most so many bytes.
func write(path string, in io.Reader, most int64) error {
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	n, err := io.Copy(out, io.LimitReader(in, most+1))
	if err == nil && n > most {
		err = fmt.Errorf("%s is larger than %d bytes", filepath.Base(path), most)
	}
	return errors.Join(err, out.Sync(), out.Close())
}

// Drop has the embedded table in use again, and tells whether another was.
func Drop(dataDir string) (bool, error) {
	place := filepath.Join(dataDir, folder)
	if _, err := os.Lstat(place); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return true, os.RemoveAll(place)
}
