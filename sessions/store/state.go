package store

import "encoding/json"

// Load reads a state that Save wrote; an unreadable one costs what it
// remembered.
func Load[T any](data []byte) *T {
	state := new(T)
	if len(data) > 0 && json.Unmarshal(data, state) != nil {
		state = new(T)
	}
	return state
}

// Save writes a state for a Mark.
func Save[T any](state *T) []byte {
	data, err := json.Marshal(state)
	if err != nil { // only for what no state holds
		return nil
	}
	return data
}
