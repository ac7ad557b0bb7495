package words

import (
	"strings"
	"testing"
)

var prose = strings.Repeat("We decided to keep the cache sharded because a single file grows without bound; "+
	"the layout constant moved to config, and the reader no longer takes the lock. Tests pass. ", 50)

var mixed = strings.Repeat("The parser's HTTPServer calls get_user_name(id) in internal/parser/file.go:42, "+
	"and don't forget v2.1 of FooBar: it's 3 ms faster (see `parseQuery`). ", 50)

var chinese = strings.Repeat("我们决定把缓存分片，youer服务端的数据库迁移计划在下周完成。", 100)

func BenchmarkScan(b *testing.B) {
	for _, tt := range []struct{ name, text string }{{"prose", prose}, {"mixed", mixed}, {"chinese", chinese}} {
		b.Run(tt.name, func(b *testing.B) {
			b.SetBytes(int64(len(tt.text)))
			b.ReportAllocs()
			tokens := 0
			for b.Loop() {
				Scan(tt.text, func(t Token) { tokens += len(t.Term) })
			}
		})
	}
}

func BenchmarkStem(b *testing.B) {
	terms := strings.Fields("decided caches running wrote children internal parsers layout")
	for i := 0; b.Loop(); i++ {
		Stem(terms[i%len(terms)])
	}
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Parse("what did we decide about the cache layout in internal/parser getUserName")
	}
}
