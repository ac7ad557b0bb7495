package render

import (
	"io"
)

// ConfigValue is one thing that is set.
type ConfigValue struct {
	Key   string `json:"key" jsonschema:"as it stands in the file"`
	Value any    `json:"value" jsonschema:"what counts"`
	From  string `json:"from" jsonschema:"where that comes from: default, a file, or a variable of the environment"`
}

// ConfigJSON writes what is set as one yore.config/1 object.
func ConfigJSON(w io.Writer, values []ConfigValue, o JSONOptions) error {
	rows, err := rowsOf(values, o.Fields)
	if err != nil {
		return err
	}
	return writeJSON(w, configObject[any]{configSchema, rows, cleanAll(o.Notes)})
}

// ConfigJSONL writes what is set, one JSON object a line.
func ConfigJSONL(w io.Writer, values []ConfigValue, o JSONOptions) error {
	return writeLines(w, values, o.Fields)
}
