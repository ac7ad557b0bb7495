package recall

import (
	"testing"

	"yore/sessions"
)

func TestExclusionIsSticky(t *testing.T) {
	x := newExclusion(Exclude{Paths: []string{"/t/diary"}, Projects: []string{"/home/me/secret"}, Gone: true}, nil)
	key := sessions.Key{Harness: "claude", ID: "a"}
	steps := []struct {
		name    string
		u       sessions.Update
		removed bool
	}{
		{"elsewhere", sessions.Update{Session: sessions.Session{Directory: "/home/me/secrets", Path: "/t/diary.jsonl"}}, false},
		{"in the project", sessions.Update{Session: sessions.Session{Directory: "/home/me/secret/x"}, From: 1}, true},
		{"its rest", sessions.Update{Session: sessions.Session{Directory: "/home/me"}, From: 2}, true},
		{"told from the beginning", sessions.Update{Session: sessions.Session{Directory: "/home/me"}, Reset: true}, false},
		{"in the folder", sessions.Update{Session: sessions.Session{Path: "/t/diary/a.jsonl"}}, true},
		{"gone", sessions.Update{Session: sessions.Session{Gone: true}}, true},
	}
	for _, s := range steps {
		s.u.Key = key
		us := []sessions.Update{s.u}
		x.strike(us)
		if us[0].Removed != s.removed || us[0].Key != key {
			t.Errorf("%s: removed %v", s.name, us[0].Removed)
		}
	}
}
