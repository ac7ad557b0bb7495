package render

// The objects that the JSON forms are, R being a row of the main list: its type in their
// schema, and whatever rowsOf gives when they are written.

type recallObject[R any] struct {
	Schema   string   `json:"schema"`
	Query    string   `json:"query" jsonschema:"as it was asked"`
	Topical  bool     `json:"topical" jsonschema:"the topic took part"`
	Sessions int      `json:"sessions_matched" jsonschema:"sessions with a passage that matches by words, before any cap"`
	Passages int      `json:"passages_matched" jsonschema:"passages that match by words, before any cap"`
	Topic    int      `json:"topic_matched" jsonschema:"passages near enough by topic"`
	Complete bool     `json:"complete" jsonschema:"false while transcripts are read that are not searched yet, when the search for a pattern was ended since it took too long, and when something of the index cannot be read"`
	Notes    []string `json:"notes" jsonschema:"what was ignored, left out or emptied the answer, in sentences"`
	Cursor   string   `json:"cursor" jsonschema:"goes on behind these passages; empty at the end"`
	Rows     []R      `json:"passages" jsonschema:"best first"`
}

type readObject[R any] struct {
	Schema  string     `json:"schema"`
	Session sessionRow `json:"session" jsonschema:"the session that is read"`
	Passage int        `json:"passage" jsonschema:"the one asked for"`
	Of      int        `json:"of" jsonschema:"passages of the session"`
	Around  int        `json:"around" jsonschema:"neighbours asked for on either side"`
	Notes   []string   `json:"notes" jsonschema:"in sentences"`
	Rows    []R        `json:"passages" jsonschema:"in the order of the session"`
}

type sessionsObject[R any] struct {
	Schema string   `json:"schema"`
	Rows   []R      `json:"sessions" jsonschema:"newest first"`
	Notes  []string `json:"notes" jsonschema:"in sentences"`
}

type contextObject[R any] struct {
	Schema    string   `json:"schema"`
	Query     string   `json:"query" jsonschema:"as it was asked"`
	Budget    int      `json:"budget" jsonschema:"tokens that the digest may have"`
	Tokens    int      `json:"tokens" jsonschema:"tokens that it has"`
	Estimator string   `json:"estimator" jsonschema:"how they were counted"`
	Markdown  string   `json:"markdown" jsonschema:"the digest"`
	Rows      []R      `json:"hits" jsonschema:"what the digest shows, in its order"`
	Withheld  int      `json:"withheld" jsonschema:"hits that found no room"`
	Notes     []string `json:"notes" jsonschema:"in sentences"`
}

type doctorObject[R any] struct {
	Schema string   `json:"schema"`
	Rows   []R      `json:"harnesses" jsonschema:"every agent program that can be read"`
	Index  indexRow `json:"index" jsonschema:"what is kept"`
	Notes  []string `json:"notes" jsonschema:"in sentences"`
}

type configObject[R any] struct {
	Schema string   `json:"schema"`
	Rows   []R      `json:"values" jsonschema:"everything that can be set"`
	Notes  []string `json:"notes" jsonschema:"what stands in the file and in the environment without a meaning, in sentences"`
}
