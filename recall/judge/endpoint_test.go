package judge

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"yore/recall"
)

// F3: endpoints put what a model says into other places than it is agreed, and the
// verdicts are read there; what is said nowhere leaves the answer as it was.
func TestPlacesOfAReply(t *testing.T) {
	for name, c := range map[string]struct {
		choices string // %s is the verdicts, as a JSON text
		judged  bool
	}{
		"content":                {`[{"message":{"role":"assistant","content":%s}}]`, true},
		"parts":                  {`[{"message":{"content":[{"type":"text","text":%s}]}}]`, true},
		"parts behind a thought": {`[{"message":{"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":%s}]}}]`, true},
		"a call":                 {`[{"message":{"content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"verdicts","arguments":%s}}]},"finish_reason":"tool_calls"}]`, true},
		"an older call":          {`[{"message":{"content":"","function_call":{"name":"verdicts","arguments":%s}}}]`, true},
		"text":                   {`[{"text":%s}]`, true},
		"beside a thought":       {`[{"message":{"reasoning_content":"all are off: [0,0,0]","content":%s}}]`, true},
		"the second choice":      {`[{"message":{"content":""}},{"message":{"content":%s}}]`, true},
		"a thought alone":        {`[{"message":{"content":"","reasoning_content":%s}}]`, false},
		"a refusal":              {`[{"message":{"content":null,"refusal":"I will not"}}]`, false},
		"no choice":              {`[]`, false},
		"no choices":             {`null`, false},
		"a choice of nothing":    {`[null]`, false},
		"choices as an object":   {`{"message":{"content":%s}}`, false},
	} {
		m := newModel(t, func(w http.ResponseWriter, _ *http.Request, q request) {
			grades := make([]int, len(q.ids))
			for i := range grades {
				grades[i] = i % 2 * 3
			}
			text, err := json.Marshal(verdicts(q.ids, grades...))
			if err != nil {
				t.Error(err)
			}
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"id":"x","object":"chat.completion","choices":`+strings.ReplaceAll(c.choices, "%s", string(text))+`}`)
		})
		got, err := m.bench(t).Judge(t.Context(), "cache", []string{"one", "two"})
		if (err == nil) != c.judged {
			t.Errorf("%s: %v", name, err)
		}
		if c.judged && (len(got.Grades) != 2 || got.Grades[0] != recall.OffTopic || got.Grades[1] != recall.Answering) {
			t.Errorf("%s: %v", name, got.Grades)
		}
	}
}
