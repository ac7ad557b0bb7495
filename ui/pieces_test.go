package ui

import "testing"

// What bytes of a terminal end in the midst of, for every way of cutting them.
func TestTornEnd(t *testing.T) {
	for _, x := range []struct {
		bytes, part string
		kind        tearing
	}{
		{"", "", entire},
		{"cache", "", entire},
		{"a\x1b", "\x1b", keyed},
		{"\x1b\x1b", "\x1b", keyed},
		{"\x1b[", "\x1b[", keyed},
		{"\x1b]", "\x1b]", keyed},
		{"\x1bP", "\x1bP", keyed},
		{"\x1bx", "", entire},
		{"\x1bX1", "", entire},
		{"\x1b]x", "", entire}, // alt+], and x
		{"\x1bPx", "", entire},
		{"\x1b[A", "", entire},
		{"\x1b[[A", "", entire},
		{"\x1b[1;5", "\x1b[1;5", torn},
		{"x\x1b[<0;3", "\x1b[<0;3", torn},
		{"\x1b[<0;3;10M\x1b[<35", "\x1b[<35", torn},
		{"\x1b[<0;3;10M\x1b[<35;4;10m", "", entire},
		{"\x1b]1", "\x1b]1", torn},
		{"\x1b]11;rgb:1a1a/1b1b/26", "\x1b]11;rgb:1a1a/1b1b/26", torn},
		{"\x1b]11;rgb:1a1a/1b1b/2626\x1b", "\x1b]11;rgb:1a1a/1b1b/2626\x1b", torn},
		{"\x1b]11;rgb:1a1a/1b1b/2626\x1b\\", "", entire},
		{"\x1b]11;rgb:1a1a/1b1b/2626\a", "", entire},
		{"\x1b]11;rgb:1a1a\x1b[", "\x1b[", keyed},
		{"\x1b]1\rcache", "", entire},
		{"\x1bP>|xterm", "\x1bP>|xterm", torn},
		{"\x1bP>|xterm(390)\x1b\\", "", entire},
		{"\x1b[200~two\rlines\x1b[20", "\x1b[20", torn},
		{"\xc3", "\xc3", torn},
		{"é", "", entire},
		{"x\xe0\xb8", "\xe0\xb8", torn},
		{"\xff\xfe", "", entire},
	} {
		if part, kind := tornEnd([]byte(x.bytes)); string(part) != x.part || kind != x.kind {
			t.Errorf("tornEnd(%q) = %q, %d, want %q, %d", x.bytes, part, kind, x.part, x.kind)
		}
	}
}
