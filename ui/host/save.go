package host

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"
)

// maxSaves bounds the search for a name that is not taken.
const maxSaves = 1000

// Save writes a text into a new file of the current directory, readable by its
// owner alone, and returns its path. No file is ever overwritten.
func (h *Host) Save(name, text string) (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("the current directory is not there: %w", err)
	}
	return saveIn(dir, name, text)
}

func saveIn(dir, name, text string) (string, error) {
	name = fileName(name)
	for n := 1; n <= maxSaves; n++ {
		path := filepath.Join(dir, name+".md")
		if n > 1 {
			path = filepath.Join(dir, fmt.Sprintf("%s-%d.md", name, n))
		}
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = file.WriteString(text)
		if err = errors.Join(err, file.Close()); err != nil {
			return "", errors.Join(err, os.Remove(path))
		}
		return path, nil
	}
	return "", fmt.Errorf("%s has too many files named %s", dir, name)
}

// nameBytes is the longest name that is made of a title.
const nameBytes = 60

// fileName makes a title a file's name: letters and digits, joined by hyphens.
func fileName(title string) string {
	words := strings.FieldsFunc(title, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	name := ""
	for _, w := range words {
		if len(name)+len(w) >= nameBytes {
			break
		}
		name += "-" + strings.ToLower(w)
	}
	return "yore" + name
}
