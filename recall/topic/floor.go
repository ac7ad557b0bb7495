package topic

// Floor is the cosine above which two texts count as being about the same thing.
func (t *Table) Floor() float32 { return .5 }
