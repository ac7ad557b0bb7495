package mask

import "strings"

// pairs are the pairs of bytes that stand side by side in a text, a bit each. There
// are about a hundred keywords, hardly one of which is in a usual text: to read it
// once and ask the pairs takes a fifth of looking for each of them.
type pairs [1 << 16 / 64]uint64

func pairsOf(text string) *pairs {
	var p pairs
	for i := 1; i < len(text); i++ {
		n := uint(text[i-1])<<8 | uint(text[i])
		p[n/64] |= 1 << (n % 64)
	}
	return &p
}

// holds tells whether a keyword stands in the text.
func (p *pairs) holds(text, keyword string) bool {
	for i := 1; i < len(keyword); i++ {
		if n := uint(keyword[i-1])<<8 | uint(keyword[i]); p[n/64]&(1<<(n%64)) == 0 {
			return false
		}
	}
	return strings.Contains(text, keyword)
}
