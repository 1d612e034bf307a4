package repository

import (
	"regexp"
	"strings"
	"testing"
)

// The image runs the program as a numeric user other than root, who owns the data folder.
func TestImageIsNotRoots(t *testing.T) {
	text := page(t, "Containerfile")
	image := text[strings.LastIndex(text, "\nFROM "):]
	user := regexp.MustCompile(`(?m)^USER ([1-9][0-9]*:[1-9][0-9]*)$`).FindStringSubmatch(image)
	if user == nil || strings.Count(image, "\nUSER ") != 1 {
		t.Fatalf("want one USER with numbers above 0 in%s", image)
	}
	if !strings.Contains(image, "\nCOPY --from=folders --chown="+user[1]+" /folders/ /\n") || !strings.Contains(text, "\nWORKDIR /folders/data\n") ||
		!strings.Contains(image, "\nVOLUME /data\n") {
		t.Errorf("/data is not %s's, or no volume, in\n%s", user[1], text)
	}
}

// The packages that build the wheels are pinned by version and hash, which the script makes pip check.
func TestReleaseToolsHaveHashes(t *testing.T) {
	text := strings.ReplaceAll(page(t, "tools/release/requirements.txt"), "\\\n", "")
	pinned := regexp.MustCompile(`^[a-z0-9-]+==[0-9.]+( +--hash=sha256:[0-9a-f]{64})+$`)
	n := 0
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if n++; !pinned.MatchString(line) {
			t.Errorf("%.60s: must be a version and hashes", line)
		}
	}
	if n < 3 {
		t.Errorf("%d packages", n)
	}
	for line := range strings.Lines(page(t, "tools/release/wheels.sh")) {
		if strings.Contains(line, "pip\" install") && !(strings.Contains(line, " --require-hashes ") && strings.Contains(line, " --only-binary=:all: ")) {
			t.Errorf("%swant pip to require hashes, and to build nothing", line)
		}
	}
}
