package picture

import (
	"encoding/xml"
	"strings"
	"testing"
)

func TestThePictureShowsWhatATerminalWould(t *testing.T) {
	svg := string(SVG("\x1b[1;38;2;255;0;0mred <b>\x1b[0m plain\n东京", 20, 2, Dark))
	if err := xml.Unmarshal([]byte(svg), new(struct{})); err != nil {
		t.Fatalf("no XML: %v", err)
	}
	for _, want := range []string{`fill="#ff0000" font-weight="bold">red &lt;b&gt;<`, "> plain", ">东<", ">京<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("%s is missing in\n%s", want, svg)
		}
	}
	if strings.Contains(svg, "\x1b") {
		t.Error("an escape sequence stands in the picture")
	}
}
