package session

import (
	"path/filepath"
	"testing"
)

func TestWithoutPaths(t *testing.T) {
	for text, want := range map[string]string{
		"open /var/lib/x.db: denied":             "open x.db: denied",
		`model="/var/lib/best.model" is broken`:  `model="best.model" is broken`,
		"no run is called x in /srv/runs":        "no run is called x in runs",
		`open C:\Users\me\x.db: denied`:          "open x.db: denied",
		"/a/b and /c/d/":                         "b and d",
		"must be it over the WebSocket /ws":      "must be it over the WebSocket /ws",
		"board 2,4/0,2 with 3 moves/s":           "board 2,4/0,2 with 3 moves/s",
		"2,0,0,4/0,0,8,0/0,0,0,0/0,0,0,2":        "2,0,0,4/0,0,8,0/0,0,0,0/0,0,0,2",
		"see /named/by/client or /not/by/client": "see /named/by/client or client",
	} {
		if got := WithoutPaths(text, "/named/by/client"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if home != "" && len(home) > 1 {
		if got := WithoutPaths("open "+filepath.Join(home, "x", "y.db")+": denied", ""); got != "open y.db: denied" {
			t.Error(got)
		}
	}
}
