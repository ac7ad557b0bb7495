package store

import (
	"path/filepath"
	"slices"

	"yore/sessions"
)

// Roots makes a harness's roots of the places where it may keep sessions, and
// of those that the user added: absolute, each once, the first one's origin
// kept. Places without a path are left out.
func Roots(env sessions.Env, harness string, places ...sessions.Root) []sessions.Root {
	for _, path := range env.Extra[harness] {
		places = append(places, sessions.Root{Path: path, From: "config"})
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
