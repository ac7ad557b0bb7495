package render

import "io"

// ConfigValue is one thing that is set.
type ConfigValue struct {
	Key   string `json:"key"`
	Value any    `json:"value"`
	From  string `json:"from"` // "default", a file, or an environment's variable
}

// ConfigJSON writes what is set as one yore.config/1 object.
func ConfigJSON(w io.Writer, values []ConfigValue) error {
	return writeJSON(w, struct {
		Schema string        `json:"schema"`
		Values []ConfigValue `json:"values"`
	}{configSchema, values})
}
