package openhands

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"yore/sessions/harness/gather"
	"yore/sessions/lazy"
)

// event matches the names of events: those of the command line, whose numbers
// have five digits or more, and those of the older server.
var event = lazy.Regexp(`^(?:event-(\d{5,18})-[0-9A-Za-z-]+|(\d{1,18}))\.json$`)

// numbered is the file of an event.
type numbered struct {
	number int64
	name   string
}

// inOrder are the events among the files of a folder, by their numbers: by their
// names 100000 would come before 99999.
func inOrder(files []string) []numbered {
	var events []numbered
	for _, name := range files {
		match := event().FindStringSubmatch(name)
		if match == nil {
			continue
		}
		n, err := strconv.ParseInt(match[1]+match[2], 10, 64)
		if err == nil {
			events = append(events, numbered{n, name})
		}
	}
	slices.SortFunc(events, func(a, b numbered) int { return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.name, b.name)) })
	return events
}

// recent is how many events, the last ones, are looked at again: one may still be
// written when the next is there.
const recent = 16

// version differs when other events are in a folder, or one of the last has changed.
func version(dir string, events []numbered) int64 {
	last := versions(dir, events[max(0, len(events)-recent):])
	values := make([]any, 0, len(events)+len(last))
	for _, e := range events {
		values = append(values, e.name)
	}
	for _, v := range last {
		values = append(values, v)
	}
	return gather.Version(values...)
}

// versions are those of single events.
func versions(dir string, events []numbered) []int64 {
	all := make([]int64, len(events))
	for i, e := range events {
		if info, err := os.Stat(filepath.Join(dir, e.name)); err == nil {
			all[i] = gather.Version(info)
		}
	}
	return all
}
