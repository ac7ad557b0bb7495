package model2vec

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// errNotRegular is why a pipe, a device or a folder is not read.
var errNotRegular = errors.New("it is no regular file")

// fileError says which file of the folder is wrong.
type fileError struct {
	name string
	err  error
}

func (e *fileError) Error() string { return fmt.Sprintf("model file %s: %v", e.name, e.err) }
func (e *fileError) Unwrap() error { return e.err }

// open opens a file that is no larger than most bytes, and gives its size. What is
// read of it enters hash.
func open(dir fs.FS, name string, most int64, hash io.Writer) (content io.Reader, size int64, closeFile func(), err error) {
	// Asked before it is opened: opening a pipe that nobody writes lasts for ever.
	if info, err := fs.Stat(dir, name); err == nil && !info.Mode().IsRegular() {
		return nil, 0, nil, &fileError{name, errNotRegular}
	}
	f, err := dir.Open(name)
	if err != nil {
		return nil, 0, nil, &fileError{name, err}
	}
	closeFile = func() { _ = f.Close() }
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	if err == nil && info.Size() > most {
		err = fmt.Errorf("it has %d bytes, at most %d are read", info.Size(), most)
	}
	if err != nil {
		closeFile()
		return nil, 0, nil, &fileError{name, err}
	}
	return io.TeeReader(io.LimitReader(f, info.Size()), hash), info.Size(), closeFile, nil
}

// readJSON reads a file whole into value.
func readJSON(dir fs.FS, name string, most int64, hash io.Writer, value any) error {
	content, _, closeFile, err := open(dir, name, most, hash)
	if err != nil {
		return err
	}
	defer closeFile()
	all, err := io.ReadAll(content)
	if err == nil {
		err = decode(all, value)
	}
	if err != nil {
		return &fileError{name, err}
	}
	return nil
}

// readConfig checks that the folder is of this kind of model, where it says so.
// Nothing in it changes the vectors: they are brought to unit length in any case.
func readConfig(dir fs.FS, hash io.Writer) error {
	var config struct {
		ModelType string `json:"model_type"`
	}
	if err := readJSON(dir, configFile, mostConfig, hash, &config); err != nil {
		return err
	}
	if config.ModelType != "" && config.ModelType != "model2vec" {
		return &fileError{configFile, fmt.Errorf("model_type is %.40q, only model2vec is read", config.ModelType)}
	}
	return nil
}
