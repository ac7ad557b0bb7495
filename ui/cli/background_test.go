package cli

import "testing"

// TestLightBackground reads what terminals set, and takes nothing else for light.
func TestLightBackground(t *testing.T) {
	for value, light := range map[string]bool{
		"0;15": true, "0;default;15": true, "0;7": true, "0;11": true,
		"15;0": false, "15;default;0": false, "7;8": false, "default;default": false,
		"": false, ";": false, "0;-1": false, "0;255": false, "15": true,
	} {
		if lightBackground(value) != light {
			t.Errorf("%q is light: %v", value, !light)
		}
	}
}
