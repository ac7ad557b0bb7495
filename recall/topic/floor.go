package topic

// embeddedFloor is the Floor of the embedded table. Measured with
// train/cmd floor over 16,736,000 pairs of a question and a passage of another set,
// which have nothing to do with each other but by chance: 1,000 subjects of a version
// control system's changes and 5,000 of their descriptions, 1,000 short and 3,000 long
// descriptions of software packages, 997 questions about dated conversations of
// invented people and the 381 passages of these. Share of such pairs at or above a
// cosine, and of the 2,997 questions of which an answering passage is:
//
//	cosine     .36   .38   .40   .42   .44   .46
//	unrelated  5e-4  3e-4  2e-4  1e-4  7e-5  5e-5
//	answers    .71   .67   .62   .58   .52   .46
//
// The table before, of 128 numbers a row, had .45, which 1.7e-4 of these pairs and
// .52 of the answers reach; over questions on subjects further from the passages, 4
// in 100,000 pairs did. This floor is where the same share of pairs alarms.
const embeddedFloor = .41

// Floor is the cosine from which on two texts count as being about the same thing:
// about 4 in 100,000 pairs of a question and a passage on far subjects reach it.
func (t *Table) Floor() float32 { return t.floor }
