package recall

// Grade is how much a hit is about the question, as a judge says
// (recall/judge): from 0 for something else to 3 for the answer.
type Grade uint8

// The grades.
const (
	Unjudged  Grade = iota // nobody was asked, or nothing readable was said of it
	OffTopic               // 0: about something else
	Touching               // 1: touches the question in passing
	Related                // 2: about the question
	Answering              // 3: answers it
)

// Degree is the grade as a number from 0 to 3; false when there is none.
func (g Grade) Degree() (degree int, judged bool) {
	if g == Unjudged {
		return 0, false
	}
	return int(g - OffTopic), true
}

// Standing orders hits by grade, the higher the better. A hit of which nothing
// was said has the benefit of the doubt: it is never taken for off-topic, and
// does not pass one that was found to be about the question.
func (g Grade) Standing() int {
	if g == Unjudged {
		g = Touching
	}
	return int(g)
}
