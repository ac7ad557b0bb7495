package render

import (
	"time"

	"yore/recall"
)

// ReadingOptions says how a reading is shown.
type ReadingOptions struct {
	Zone     *time.Location // of the times shown; UTC when nil
	Tools    bool           // tool calls with input and output, else one line each
	Thinking bool           // reasoning in full, else one line each
}

// ReadingMarkdown is a reading as markdown.
func ReadingMarkdown(r recall.Reading, o ReadingOptions) string { return "" }
