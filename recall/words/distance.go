package words

// Within gives the number of single-character mistakes between two terms when it
// is at most limit: a character too many, missing, another one, or two neighbours
// swapped, no character being changed twice (optimal string alignment, the
// restricted Damerau-Levenshtein distance).
func Within(a, b string, limit int) (int, bool) {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if limit < 0 || len(y)-len(x) > limit {
		return 0, false
	}
	for len(x) > 0 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	for len(x) > 0 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	var small [3][32]int // rows of words, so that none is made for each
	two, one, now := small[0][:], small[1][:], small[2][:]
	if len(x) >= len(one) {
		two, one, now = make([]int, len(x)+1), make([]int, len(x)+1), make([]int, len(x)+1)
	}
	for i := range len(x) + 1 {
		one[i] = i
	}
	for j := 1; j <= len(y); j++ {
		now[0] = j
		best := j
		for i := 1; i <= len(x); i++ {
			d := one[i-1]
			if x[i-1] != y[j-1] {
				d = 1 + min(d, one[i], now[i-1])
				if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
					d = min(d, two[i-2]+1)
				}
			}
			now[i] = d
			best = min(best, d)
		}
		if best > limit {
			return 0, false
		}
		two, one, now = one, now, two
	}
	if d := one[len(x)]; d <= limit {
		return d, true
	}
	return 0, false
}
