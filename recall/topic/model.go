package topic

// Model turns text into vectors: a Table, or a model that the user has.
type Model interface {
	Dim() int     // the number of dimensions of its vectors
	Hash() uint64 // stands for its contents: vectors of different models never meet

	// Vector writes the unit vector of text to dst, which has Dim elements; false and
	// zeros when it knows nothing of the text.
	Vector(text string, dst []float32) bool

	// Floor is the cosine from which on two texts count as being about the same thing.
	Floor() float32
}
