package store

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"yore/sessions"
)

// Roots makes a harness's roots of the places where it may keep sessions, and
// of those that the user added: absolute, each once, the first one's origin
// kept. Places without a path are left out. A folder that the user added may be one on
// the way to places: see reached.
func Roots(env sessions.Env, harness string, places ...sessions.Root) []sessions.Root {
	known := slices.Clip(places)
	for _, path := range env.Extra[harness] {
		for _, root := range reached(path, known) {
			places = append(places, sessions.Root{Path: root, From: "config"})
		}
	}
	var roots []sessions.Root
	for _, place := range places {
		if place.Path == "" {
			continue
		}
		path, err := filepath.Abs(place.Path)
		if err != nil { // no working directory to be relative to
			continue
		}
		same := func(r sessions.Root) bool { return r.Path == path }
		if !slices.ContainsFunc(roots, same) {
			roots = append(roots, sessions.Root{Harness: harness, Path: path, From: place.From})
		}
	}
	return roots
}

// reached are the places that are there below a folder from another machine which has the
// name of one on the way to them, as Code has to Code/User/workspaceStorage; the folder
// itself where there are none, or where places have its name themselves.
func reached(folder string, places []sessions.Root) []string {
	var found []string
	name := filepath.Base(folder)
	for _, place := range places {
		parts := strings.Split(filepath.ToSlash(place.Path), "/")
		for i, part := range parts {
			if part != name {
				continue
			}
			if i == len(parts)-1 {
				return []string{folder}
			}
			below := filepath.Join(folder, filepath.Join(parts[i+1:]...))
			if _, err := os.Stat(below); err == nil && !slices.Contains(found, below) {
				found = append(found, below)
			}
		}
	}
	if found == nil {
		return []string{folder}
	}
	return found
}

// Home is the folder that a variable names, or else the one of the given name
// in the user's home folder.
func Home(env sessions.Env, variable, name string) sessions.Root {
	if dir := env.Getenv(variable); dir != "" {
		return sessions.Root{Path: dir, From: variable}
	}
	if env.Home == "" {
		return sessions.Root{}
	}
	return sessions.Root{Path: filepath.Join(env.Home, name), From: "default"}
}

// Expand puts the home folder in place of the "~" that a path in somebody's
// settings begins with.
func Expand(home, path string) string {
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || rest[0] == '/' || rest[0] == '\\') {
		return filepath.Join(home, filepath.FromSlash(strings.ReplaceAll(rest, `\`, "/")))
	}
	return path
}

// DataFolder is the folder in which programs of the command line keep a user's
// data (XDG Base Directory Specification), or what is below it.
func DataFolder(env sessions.Env, below ...string) sessions.Root {
	data := Home(env, dataVar, filepath.Join(".local", "share"))
	if data.Path != "" {
		data.Path = filepath.Join(append([]string{data.Path}, below...)...)
	}
	return data
}

// dataVar names another data folder than ~/.local/share.
const dataVar = "XDG_DATA_HOME"

// LocalFolder is the folder in which programs of Windows keep a user's data that
// stays on the machine, or what is below it.
func LocalFolder(env sessions.Env, below ...string) sessions.Root {
	base := env.Getenv("LOCALAPPDATA")
	switch {
	case base != "":
	case env.Home == "":
		return sessions.Root{}
	default:
		base = filepath.Join(env.Home, "AppData", "Local")
	}
	return sessions.Root{Path: filepath.Join(append([]string{base}, below...)...), From: "default"}
}

// Below is the folder of this name in dir, or dir itself where it is that folder
// already or has none: so a root may be named by either.
func Below(dir, name string) string {
	if filepath.Base(dir) == name {
		return dir
	}
	if below := filepath.Join(dir, name); IsDir(below) {
		return below
	}
	return dir
}
