package sessions

import (
	"os"
	"path/filepath"
)

// In the Windows Subsystem for Linux, a variable names the distribution, and the
// drives of Windows are mounted below /mnt unless its configuration says
// otherwise.
const (
	distribution = "WSL_DISTRO_NAME"
	windowsUsers = "/mnt/c/Users"
)

// appData is the folder, below a home on Windows, that the folders of programs are
// in.
const appData = "AppData"

// rootsOf are the roots of a source. From Linux in Windows, those that the users of
// Windows have count too, of whatever programs they run there; sides is how these see
// things. A source is asked for its own system's last, so that what it
// remembers is of that one.
func rootsOf(source Source, env Env, sides []Env) []Root {
	var beside []Root
	for _, windows := range sides {
		for _, root := range source.Roots(windows) {
			if _, err := os.Stat(root.Path); err == nil { // there are too many places to keep an eye on those without anything
				root.From = distribution
				beside = append(beside, root)
			}
		}
	}
	return append(source.Roots(env), beside...)
}

// windowsSide is how programs of Windows see things, for each of its users; nil
// elsewhere. What variables are set to there is not known here: they are as Windows
// sets them. Users without folders of programs, such as the public one, and those
// whose may not be looked into, have no side.
func windowsSide(env Env, users string) []Env {
	if env.GOOS != "linux" || env.Getenv(distribution) == "" {
		return nil
	}
	entries, _ := os.ReadDir(users)
	var sides []Env
	for _, e := range entries {
		home := filepath.Join(users, e.Name())
		if info, err := os.Stat(filepath.Join(home, appData)); !e.IsDir() || err != nil || !info.IsDir() {
			continue
		}
		variables := map[string]string{
			"USERPROFILE": home, "APPDATA": filepath.Join(home, appData, "Roaming"), "LOCALAPPDATA": filepath.Join(home, appData, "Local"),
		}
		sides = append(sides, Env{Home: home, GOOS: "windows", Getenv: func(name string) string { return variables[name] }})
	}
	return sides
}
