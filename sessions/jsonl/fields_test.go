package jsonl

import "testing"

// Fields walks valid JSON only, but must come to an end on anything.
func TestFieldsEndOnTextThatIsNoJSON(*testing.T) {
	for _, text := range []string{"{\"a\":[\x01]}", "[\x02\x03", "{\x00:\x00}", "{\"a\":\x7f", "[}"} {
		for range Fields(text) {
		}
		for range Elements(text) {
		}
	}
}
