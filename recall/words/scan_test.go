package words

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// show gives the tokens of text as "kind:term" words; plain words without a kind.
func show(text string) string {
	marks := map[Kind]string{Plain: "", Part: "p:", Whole: "w:", Gram: "g:", Symbol: "s:"}
	var out []string
	Scan(text, func(t Token) { out = append(out, marks[t.Kind]+string(t.Term)) })
	return strings.Join(out, " ")
}

func TestScan(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", "", ""},
		{"punctuation only", "?! -- ''' ... _ __ \"", ""},
		{"W1 edge punctuation", "...layout. (cache), -flag- \"quoted\"", "layout cache flag quoted"},
		{"W3 contractions", "Don't we? What's o’clock", "dont we whats oclock"},
		{"apostrophes at edges", "'quoted' the users' list", "quoted the users list"},
		{"string prefixes", "b'hello' f'name' it's", "b hello f name its"},
		{"W5 snake case", "get_user_name __init__", "p:get p:user p:name w:getusername init"},
		{"W5 camel case", "parseQuery HTTPServer", "p:parse p:query w:parsequery p:http p:server w:httpserver"},
		{"acronym plurals", "URLs IDsSeen", "urls p:ids p:seen w:idsseen"},
		{"digits", "utf8 v2.1 42", "p:utf p:8 w:utf8 p:v p:2 w:v2 1 42"},
		{"hashes", "commit 7c1e5b0a 3f52 v1beta1 facade42", "commit 7c1e5b0a p:3 p:f p:52 w:3f52 p:v p:1 p:beta p:1 w:v1beta1 p:facade p:42 w:facade42"},
		{"paths", "/internal/parser/file.go:42", "internal parser file go 42"},
		{"hyphen and underscore", "foo-bar_baz", "foo p:bar p:baz w:barbaz"},
		{"names with operators", "C++ c# F#, c++17 g++ a.c++", "c++ c# f# c++ 17 g++ a c++"},
		{"operators that are no names", "a+b count++ i+++j x#y ##h", "a b count i j x y h"},
		{".net", "use .NET and asp.net, .network .net_x", "use .net and asp net network p:net p:x w:netx"},
		{"W7 single characters", "C R", "c r"},
		{"W6 Han", "我们决定", "g:我们 g:们决 g:决定"},
		{"W6 one character", "库。", "g:库"},
		{"W6 kana", "テストー検索", "g:テス g:スト g:トー g:ー検 g:検索"},
		{"W6 Hangul", "검색 마이그레이션을", "g:검색 g:마이 g:이그 g:그레 g:레이 g:이션 g:션을"},
		{"W6 Latin glued on", "youer服务端v2", "youer g:服务 g:务端 p:v p:2 w:v2"},
		{"Thai marks stay on", "ที่นี่", "g:ที่นี่"},
		{"accents", "Café cafe\u0301 naïve Ångström", "cafe cafe naive angstrom"},
		{"decomposed Hangul and kana", "\u1100\u1161\u11a8\u1102\u1161 か\u3099き", "g:각나 g:がき"},
		{"E2 letters that change length", "İstanbul \u212aelvin Straße ﬁle", "istanbul kelvin strasse file"},
		{"full width", "ＡＢＣ１", "p:abc p:1 w:abc1"},
		{"Cyrillic and Greek", "ПарсерКод λόγος", "p:парсер p:код w:парсеркод λογοσ"},
		{"Devanagari keeps its vowel signs", "हिन्दी", "हिन्दी"},
		{"emoji", "ship🚀it 👩‍👩‍👧 👍🏽 ❤️", "ship s:🚀 it s:👩‍👩‍👧 s:👍 s:❤"},
		{"invalid bytes separate", "ab\xffcd \xf0\x9f", "ab cd"},
		{"soft hyphen", "data\u00adbase", "database"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, show(tt.text)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
