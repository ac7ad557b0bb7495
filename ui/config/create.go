package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Create writes a configuration file that explains every key and sets none to where Load
// looks for one, and returns its path. A file that is there is left as it is. Its errors
// wrap ErrConfig where another path is needed.
func Create(o Options) (string, error) {
	path, _ := o.Path()
	if path == "" {
		return "", fmt.Errorf("%w: no home directory is known to write it to: name a file with --config", ErrConfig)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", fmt.Errorf("%w: %w", ErrConfig, err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("%w: %s is there already, and was left as it is; yore config prints what holds", ErrConfig, path)
	}
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrConfig, err)
	}
	_, err = file.WriteString(initial())
	if err = errors.Join(err, file.Close()); err != nil {
		return "", errors.Join(err, os.Remove(path)) // such as a full disk, at which nothing is mistyped
	}
	return path, nil
}
