package gemini

import (
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"yore/sessions"
	"yore/sessions/jsonl"
	"yore/sessions/lazy"
	"yore/sessions/store"
)

// kept is how long Gemini CLI keeps sessions where its settings do not say.
const kept = 30 * 24 * time.Hour

// age is a time as the settings write it: 24h, 7d, 4w, 3m.
var age = lazy.Regexp(`^(\d{1,4})([hdwm])$`)

var units = map[string]time.Duration{"h": time.Hour, "d": 24 * time.Hour, "w": 7 * 24 * time.Hour, "m": 30 * 24 * time.Hour}

var _ sessions.Purger = (*Source)(nil)

// Keeps is what general.sessionRetention in the settings says.
func (s *Source) Keeps(root sessions.Root) (time.Duration, bool) {
	retention, _ := s.retention.Sidecar(filepath.Join(filepath.Dir(store.Below(root.Path, tmpDir)), "settings.json"), func(doc string) string {
		return strings.Clone(jsonl.Field(jsonl.Field(doc, "general"), "sessionRetention"))
	})
	if jsonl.Field(retention, "enabled") == "false" {
		return 0, false
	}
	if match := age().FindStringSubmatch(jsonl.Text(jsonl.Field(retention, "maxAge"))); match != nil {
		n, _ := strconv.Atoi(match[1]) // it is digits
		return time.Duration(n) * units[match[2]], true
	}
	return kept, true
}
