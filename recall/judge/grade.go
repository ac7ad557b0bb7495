package judge

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"yore/recall"
)

// gradeNames are what models call the grade of an item, the asked-for name first.
var gradeNames = []string{"grade", "relevance", "relevant", "score", "rating", "verdict", "keep"}

// gradeWords are grades in words. What is called relevant without a degree is
// about the question.
var gradeWords = map[string]recall.Grade{
	"true": recall.Related, "yes": recall.Related, "relevant": recall.Related, "related": recall.Related, "on topic": recall.Related,
	"false": recall.OffTopic, "no": recall.OffTopic, "irrelevant": recall.OffTopic, "unrelated": recall.OffTopic,
	"not relevant": recall.OffTopic, "off topic": recall.OffTopic,
}

// gradeOf is the grade that a value means; Unjudged when it means none.
func gradeOf(v gjson.Result, depth int) recall.Grade {
	switch {
	case depth > replyDepth:
		return recall.Unjudged
	case v.Type == gjson.True:
		return recall.Related
	case v.Type == gjson.False:
		return recall.OffTopic
	case v.Type == gjson.Number:
		return gradeOfText(v.Raw)
	case v.Type == gjson.String:
		return gradeOfText(v.Str)
	case v.IsObject():
		return gradeOfObject(v, depth+1)
	}
	return recall.Unjudged
}

// gradeOfObject is that of the first name that models use for it. An object with
// the name twice says nothing clear.
func gradeOfObject(v gjson.Result, depth int) recall.Grade {
	members := map[string][]gjson.Result{}
	v.ForEach(func(key, value gjson.Result) bool {
		name := asciiLower(key.Str)
		members[name] = append(members[name], value)
		return true
	})
	for _, name := range gradeNames {
		if m := members[name]; len(m) == 1 {
			return gradeOf(m[0], depth)
		} else if len(m) > 1 {
			return recall.Unjudged
		}
	}
	return recall.Unjudged
}

// gradeOfText reads a number from 0 to 3 or a word. Fractions and other numbers
// are of some other scale, and no grade.
func gradeOfText(text string) recall.Grade {
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil {
		words := strings.FieldsFunc(asciiLower(text), func(r rune) bool { return r == ' ' || r == '-' || r == '_' })
		return gradeWords[strings.Join(words, " ")]
	}
	switch n {
	case 0:
		return recall.OffTopic
	case 1:
		return recall.Touching
	case 2:
		return recall.Related
	case 3:
		return recall.Answering
	}
	return recall.Unjudged
}
