package chosen

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"

	"yore/recall/topic/model2vec"
	"yore/sessions/lazy"
)

// Hub is where models are fetched from unless $HF_ENDPOINT, the variable of that
// hub's own programs, names another place.
const Hub = "https://huggingface.co"

// modelName is OWNER/NAME as the hub has them.
var modelName = lazy.Regexp(`^[A-Za-z0-9][A-Za-z0-9._-]{0,95}/[A-Za-z0-9][A-Za-z0-9._-]{0,95}$`)

// ErrName is wrapped by the error for a name that is none.
var ErrName = errors.New("not the name of a model")

// Fetch gets the files of a model from a hub into a folder that is there. progress
// is told each file and how many bytes of it came.
func Fetch(ctx context.Context, hub, name, into string, progress func(file string, bytes int64)) error {
	if !modelName().MatchString(name) {
		return fmt.Errorf("%w: %q; one is OWNER/NAME, such as minishlab/potion-retrieval-32M", ErrName, name)
	}
	for file, most := range model2vec.Files() {
		address, err := url.JoinPath(hub, name, "resolve", "main", file)
		if err != nil {
			return fmt.Errorf("%s: %w", hub, err)
		}
		if err := fetchFile(ctx, address, filepath.Join(into, file), most, func(n int64) { progress(file, n) }); err != nil {
			return err
		}
	}
	return nil
}

// client follows no redirection to an address that is less protected.
var client = http.Client{CheckRedirect: func(r *http.Request, via []*http.Request) error {
	if len(via) > 5 {
		return errors.New("too many redirections")
	}
	if via[0].URL.Scheme == "https" && r.URL.Scheme != "https" {
		return errors.New("it leads to an address without https")
	}
	return nil
}}

func fetchFile(ctx context.Context, address, path string, most int64, progress func(int64)) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", address, response.Status)
	}
	return write(path, &counted{in: response.Body, progress: progress}, most)
}

// counted tells how many bytes were read.
type counted struct {
	in       io.Reader
	n        int64
	progress func(int64)
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.n += int64(n)
	c.progress(c.n)
	return n, err
}
