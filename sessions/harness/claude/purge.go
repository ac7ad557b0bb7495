package claude

import (
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"yore/sessions"
	"yore/sessions/jsonl"
)

// day of the settings that count in days.
const day = 24 * time.Hour

// keptDays is for how many days Claude Code keeps transcripts where its settings
// do not say, and mostDays more than anybody means.
const (
	keptDays = 30
	mostDays = 100_000
)

var _ sessions.Purger = (*Source)(nil)

// Keeps is what cleanupPeriodDays in the settings beside the projects says.
func (s *Source) Keeps(root sessions.Root) (time.Duration, bool) {
	if isDesktop(root.Path) {
		return 0, false
	}
	written, _ := s.days.Sidecar(filepath.Join(filepath.Dir(projectsOf(root.Path)), "settings.json"), func(doc string) string {
		return strings.Clone(jsonl.Field(doc, "cleanupPeriodDays"))
	})
	days, err := strconv.ParseFloat(written, 64)
	if err != nil || !(days >= 0) {
		days = keptDays
	}
	return time.Duration(min(days, mostDays) * float64(day)), true
}
