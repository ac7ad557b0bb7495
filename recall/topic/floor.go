package topic

// embeddedFloor is the Floor of the embedded table. Measured over 996,068 pairs of
// a question and a passage that have nothing to do with each other: 659 questions
// (100 on subjects that occur nowhere, 59 on the work of a few small programs, 500
// on the lives of invented people) against 1,946 passages (190 of agents'
// sessions, 381 of dated conversations, 1,375 of software documentation), no
// question meeting the passages it was asked about. Share of
// unrelated pairs at or above a cosine, of 59 paraphrases of a turn that do (few
// share a word with it), and of 997 questions about a conversation of which a
// passage with the answer does:
//
//	cosine       .38   .40   .42   .45   .47   .50
//	unrelated    4e-4  2e-4  1e-4  4e-5  2e-5  8e-6
//	paraphrases  .36   .34   .24   .15   .12   .10
//	answers      .57   .51   .44   .32   .27   .19
//
// Of the 100 absent subjects, 4 were alarmed by any of the 1,946 passages at .45,
// none by the 190; at .42 it was 8 and 1. The number of known words in the
// question does not matter: from one to six and more, one pair in 10,000 reaches
// .36 to .42. Neither a z-score against background texts, nor vectors centred on
// their mean, nor weighing the unknown words of the question separated better.
const embeddedFloor = .45

// Floor is the cosine from which on two texts count as being about the same thing:
// about 4 in 100,000 unrelated pairs of a question and a passage reach it.
func (t *Table) Floor() float32 { return t.floor }
