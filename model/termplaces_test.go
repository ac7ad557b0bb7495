package model

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A phrase is marked where it stands as a whole, on two lines or on one; its words
// elsewhere, and longer ones that hold them, are not.
func TestTermPlaces(t *testing.T) {
	for name, c := range map[string]struct {
		before, line, after string
		terms               []string
		want                []string
	}{
		"words":          {line: "the cache of caches, cache", terms: []string{"cache"}, want: []string{"cache", "cache"}},
		"phrase":         {line: "a sharded  cache, not a cache that is sharded", terms: []string{"sharded cache"}, want: []string{"sharded  cache"}},
		"begins here":    {line: "a sharded", after: "  │ cache", terms: []string{"sharded cache"}, want: []string{"sharded"}},
		"ends here":      {before: "a sharded", line: "  │ cache of", terms: []string{"sharded cache"}, want: []string{"cache"}},
		"goes through":   {before: "a very", line: " sharded ", after: "cache", terms: []string{"very sharded cache"}, want: []string{"sharded"}},
		"elsewhere":      {before: "sharded cache", line: "x", after: "sharded cache", terms: []string{"sharded cache"}},
		"markdown":       {line: "sharded cache", terms: []string{"**sharded** `cache`"}, want: []string{"sharded cache"}},
		"signs":          {line: "in c++ and c", terms: []string{"c++"}, want: []string{"c++"}},
		"no blanks":      {line: "修改数据库迁移", terms: []string{"数据库"}, want: []string{"数据库"}},
		"glued":          {line: "shardedcache", terms: []string{"sharded cache"}},
		"part of a word": {line: "unsharded cache", terms: []string{"sharded cache"}},
		"marks alone":    {line: "a ** b", terms: []string{"* *", ""}},
	} {
		var got []string
		for _, at := range termPlaces(c.before, c.line, c.after, c.terms) {
			got = append(got, c.line[at[0]:at[1]])
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
