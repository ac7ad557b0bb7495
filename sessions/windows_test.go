package sessions

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// where is a Source that keeps sessions as most do on each system, and remembers for
// which it was asked last.
type where struct {
	fake
	system string
}

func (w *where) Roots(env Env) []Root {
	w.system = env.GOOS
	base := env.Getenv("APPDATA")
	if env.GOOS == "linux" {
		base = filepath.Join(env.Home, ".config")
	}
	return []Root{{Path: filepath.Join(env.Home, ".agent"), From: "default"}, {Path: filepath.Join(base, "Agent"), From: "default"}}
}

// From Linux in Windows, what the users of Windows run there is read too, where
// there is something.
func TestWindowsFromWithin(t *testing.T) {
	users := t.TempDir()
	for _, dir := range []string{
		"mira/.agent", "mira/AppData/Roaming/Agent", "jo/AppData/Roaming/Agent", "Public/.agent", "file/AppData",
	} {
		if err := os.MkdirAll(filepath.Join(users, filepath.FromSlash(dir)), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(users, "desktop.ini"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	in := func(name string) Env {
		return Env{Home: "/h", GOOS: "linux", Getenv: func(variable string) string {
			if variable == "WSL_DISTRO_NAME" {
				return name
			}
			return ""
		}}
	}
	own := []Root{{Path: "/h/.agent", From: "default"}, {Path: "/h/.config/Agent", From: "default"}}
	path := func(below string) Root {
		return Root{Path: filepath.Join(users, filepath.FromSlash(below)), From: "WSL_DISTRO_NAME"}
	}
	source := &where{}
	want := append(own[:2:2], path("jo/AppData/Roaming/Agent"), path("mira/.agent"), path("mira/AppData/Roaming/Agent"))
	if diff := cmp.Diff(want, rootsOf(source, in("Ubuntu"), windowsSide(in("Ubuntu"), users))); diff != "" || source.system != "linux" {
		t.Errorf("asked for %s last, -want +got:\n%s", source.system, diff)
	}
	for name, got := range map[string][]Root{
		"no Windows": rootsOf(source, in(""), windowsSide(in(""), users)), "no users": rootsOf(source, in("Ubuntu"), windowsSide(in("Ubuntu"), filepath.Join(users, "none"))),
	} {
		if diff := cmp.Diff(own, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
