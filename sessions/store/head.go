package store

import (
	"io"
	"strings"
	"sync"

	"yore/sessions"
	"yore/sessions/lazy"
)

// headBytes is how much of a file's beginning is searched for an id.
const headBytes = 4 << 10

// Heads are ids that stand at the beginning of files whose names do not tell
// them. Each file is read once. The zero Heads is empty.
type Heads struct {
	mu  sync.Mutex
	ids map[string]string
}

var idField = lazy.Regexp(`"sessionId"\s*:\s*"([^"\\]{1,200})"`)

// ID is the first sessionId in the file at path, "" when its beginning has none.
// Begun is false while nothing is written: such a file is better listed later,
// since it is then known under its id from the first.
func (h *Heads) ID(path string) (id string, begun bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if id := h.ids[path]; id != "" {
		return id, true
	}
	head := Part(path, 0, headBytes)
	match := idField().FindSubmatch(head)
	if match == nil {
		return "", len(head) > 0
	}
	if h.ids == nil {
		h.ids = map[string]string{}
	}
	id = strings.ToValidUTF8(string(match[1]), "\uFFFD")
	h.ids[path] = id
	return id, true
}

// Part is up to size bytes of a plain file: from an offset on, or with a
// negative one as many from its end. What cannot be read is empty.
func Part(path string, offset, size int64) []byte {
	file, err := sessions.OpenFile(path)
	if err != nil {
		return nil
	}
	defer func() { _ = file.Close() }() // only read
	if offset < 0 {
		info, err := file.Stat()
		if err != nil {
			return nil
		}
		offset = max(0, info.Size()+offset)
	}
	data, _ := io.ReadAll(io.NewSectionReader(file, offset, size)) // what came before an error counts
	return data
}
