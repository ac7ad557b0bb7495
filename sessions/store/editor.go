package store

import (
	"net/url"
	"path/filepath"
	"strings"

	"yore/sessions"
)

// editors are the names under which Visual Studio Code and what is made of it
// keep their data.
var editors = []string{"Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf", "Antigravity"}

// servers are the folders, below a home, of the part that a remote editor runs
// on the machine where the files are.
var servers = []string{
	".vscode-server", ".vscode-server-insiders", ".vscode-remote", ".vscodium-server", ".cursor-server", ".windsurf-server", ".antigravity-server",
}

// EditorFolders are the places where editors of the Visual Studio Code family
// may keep what is below, in the folder of a user's data: an extension's
// storage, for example.
func EditorFolders(env sessions.Env, below ...string) []sessions.Root {
	var places []sessions.Root
	for _, name := range editors {
		places = append(places, EditorFolder(env, name, below...)...)
	}
	if env.Home != "" {
		for _, name := range servers {
			places = append(places, sessions.Root{Path: userData(filepath.Join(env.Home, name, "data"), below), From: "default"})
		}
	}
	return places
}

// EditorFolder is the place where one such editor may keep what is below, in a
// folder that differs from system to system; none when the environment does not
// tell.
func EditorFolder(env sessions.Env, name string, below ...string) []sessions.Root {
	base := AppFolder(env)
	if base.Path == "" {
		return nil
	}
	return []sessions.Root{{Path: userData(filepath.Join(base.Path, name), below), From: base.From}}
}

// userData is what is below the folder of a user's data in an editor's folder.
func userData(editor string, below []string) string {
	return filepath.Join(append([]string{editor, "User"}, below...)...)
}

// AppFolder is the folder in which programs with windows keep a user's data on
// this system, or what is below it; without a path when the environment does not
// tell.
func AppFolder(env sessions.Env, below ...string) sessions.Root {
	base, from := env.Home, "default"
	switch config := env.Getenv("XDG_CONFIG_HOME"); {
	case env.GOOS == "windows":
		base = env.Getenv("APPDATA")
	case base == "" && config == "":
	case env.GOOS == "darwin":
		base = filepath.Join(base, "Library", "Application Support")
	case config != "":
		base, from = config, "XDG_CONFIG_HOME"
	default:
		base = filepath.Join(base, ".config")
	}
	if base == "" {
		return sessions.Root{}
	}
	return sessions.Root{Path: filepath.Join(append([]string{base}, below...)...), From: from}
}

// LocalPath is the path of a file URI, as these editors keep them; "" of any
// other. On Windows it begins with a drive.
func LocalPath(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	if path := strings.TrimPrefix(u.Path, "/"); len(path) > 1 && path[1] == ':' {
		return filepath.FromSlash(path)
	}
	return u.Path
}

// Local is the path that a harness wrote as a path, or as the address of a file.
func Local(written string) string {
	if strings.Contains(written, "://") {
		return LocalPath(written)
	}
	return written
}
