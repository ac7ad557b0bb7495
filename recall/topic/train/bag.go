package train

import "math"

// NewBag counts sorted rows: each distinct one gets the square root of how often it
// occurs as its weight, as topic.Table weighs it.
func NewBag(sorted []int32) Bag {
	var b Bag
	for from := 0; from < len(sorted); {
		to := from + 1
		for to < len(sorted) && sorted[to] == sorted[from] {
			to++
		}
		b.Rows = append(b.Rows, sorted[from])
		b.Weights = append(b.Weights, float32(math.Sqrt(float64(to-from))))
		from = to
	}
	return b
}
