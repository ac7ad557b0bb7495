package topic

import "math"

// unit is what 1 becomes in a quantised vector.
const unit = 127

// UnitDot is the Dot of two equal quantised unit vectors, rounding aside:
// Dot(a, b) / UnitDot is their cosine.
const UnitDot = unit * unit

// Quantise rounds the elements of a unit vector to steps of 1/127. The cosine of
// two vectors then errs by less than sqrt(dim)/127, in practice by about 0.003.
func Quantise(v []float32, dst []int8) {
	dst = dst[:len(v)]
	for i, x := range v {
		dst[i] = int8(max(-unit, min(unit, math.RoundToEven(float64(x)*unit))))
	}
}

// Dot is the inner product of two quantised vectors of equal length.
func Dot(a, b []int8) int32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 int32
	for len(a) >= 8 && len(b) >= 8 {
		s0 += int32(a[0])*int32(b[0]) + int32(a[4])*int32(b[4])
		s1 += int32(a[1])*int32(b[1]) + int32(a[5])*int32(b[5])
		s2 += int32(a[2])*int32(b[2]) + int32(a[6])*int32(b[6])
		s3 += int32(a[3])*int32(b[3]) + int32(a[7])*int32(b[7])
		a, b = a[8:], b[8:]
	}
	for i := range a {
		s0 += int32(a[i]) * int32(b[i])
	}
	return s0 + s1 + s2 + s3
}

// QuantiseRows gives each row of dim numbers as bytes (two's complement) and the
// number that they are times: the row's largest element becomes 127. Vectors of a
// table differ from those of the rows it was made of by less than any ranking shows.
func QuantiseRows(rows []float32, dim int) (bytes []byte, scales []float32) {
	bytes, scales = make([]byte, len(rows)), make([]float32, len(rows)/dim)
	for r := range scales {
		row := rows[r*dim : (r+1)*dim]
		var largest float32
		for _, x := range row {
			largest = max(largest, x, -x)
		}
		if largest == 0 {
			continue
		}
		scales[r] = largest / unit
		for i, x := range row {
			bytes[r*dim+i] = byte(int8(math.RoundToEven(float64(x / scales[r]))))
		}
	}
	return bytes, scales
}

// QuantiseHalves gives each row of dim numbers, an even count, as half bytes and the
// number that they are times, chosen so that the row changes least.
func QuantiseHalves(rows []float32, dim int) (halves []byte, scales []float32) {
	halves, scales = make([]byte, len(rows)/2), make([]float32, len(rows)/dim)
	for r := range scales {
		row := rows[r*dim : (r+1)*dim]
		scales[r] = bestHalfScale(row)
		for i := 0; i < dim; i += 2 {
			halves[(r*dim+i)/2] = byte(half(row[i], scales[r])+halfZero) | byte(half(row[i+1], scales[r])+halfZero)<<4
		}
	}
	return halves, scales
}

const largestHalf = 7

// half rounds x to a number of scales.
func half(x, scale float32) int8 {
	if scale == 0 {
		return 0
	}
	return int8(max(-largestHalf, min(largestHalf, math.RoundToEven(float64(x/scale)))))
}

// bestHalfScale tries to cut off the largest numbers of a row by more and more: finer
// steps for all others are worth it up to a point.
func bestHalfScale(row []float32) float32 {
	var largest float32
	for _, x := range row {
		largest = max(largest, x, -x)
	}
	best, least := float32(0), float32(math.Inf(1))
	for cut := float32(1); cut > .4; cut -= .05 {
		scale := cut * largest / largestHalf
		var change float32
		for _, x := range row {
			d := x - scale*float32(half(x, scale))
			change += d * d
		}
		if change < least {
			best, least = scale, change
		}
	}
	return best
}
