package claude

import (
	"path/filepath"
	"strconv"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/store"
)

// Live is the id of the session that the process pid has open, as Claude Code notes it
// in sessions/PID.json of its configuration directory; "" when there is no such note.
func Live(env sessions.Env, pid int) string {
	dir := env.Getenv(configVar)
	if dir == "" {
		if env.Home == "" {
			return ""
		}
		dir = filepath.Join(env.Home, ".claude")
	}
	note := filepath.Join(filepath.Dir(projectsBelow(dir)), "sessions", strconv.Itoa(pid)+".json")
	return gjson.Get(store.Sidecar(note), "sessionId").String()
}
