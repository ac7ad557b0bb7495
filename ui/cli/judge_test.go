package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// startJudge is an endpoint on this machine whose models do what their names say.
// It gives its address.
func startJudge(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var sent struct {
			Model    string
			Messages []struct{ Content string }
		}
		var data struct {
			Passages []struct{ ID, Text string }
		}
		if json.NewDecoder(r.Body).Decode(&sent) != nil || len(sent.Messages) != 2 || json.Unmarshal([]byte(sent.Messages[1].Content), &data) != nil {
			http.Error(w, "not as agreed", http.StatusTeapot)
			return
		}
		grades := map[string]int{}
		for _, p := range data.Passages {
			switch sent.Model {
			case "renames":
				grades[p.ID] = 0
				if strings.Contains(p.Text, "Rename") {
					grades[p.ID] = 3
				}
			case "all-off":
				grades[p.ID] = 0
			case "secret":
				if strings.Contains(sent.Messages[1].Content, "invented-pass") {
					http.Error(w, "a credential was sent", http.StatusTeapot)
					return
				}
				grades[p.ID] = 3
			case "needs-key":
				if r.Header.Get("Authorization") != "Bearer of-the-endpoint" {
					http.Error(w, "no key", http.StatusUnauthorized)
					return
				}
				grades[p.ID] = 2
			}
		}
		switch sent.Model {
		case "hanging":
			<-r.Context().Done()
			return
		case "busy":
			http.Error(w, "{}", http.StatusTooManyRequests)
			return
		case "refusing":
			http.Error(w, `{"error":{"message":"bad key sk-`+strings.Repeat("a1B2", 10)+`"}}`, http.StatusUnauthorized)
			return
		}
		text, _ := json.Marshal(grades) // a map of numbers
		content, _ := json.Marshal("Here you are: " + string(text))
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"choices":[{"message":{"role":"assistant","content":%s}}]}`, content)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}
