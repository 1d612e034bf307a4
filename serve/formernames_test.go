package serve

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"afterstate/player/spec/former"
)

// The page's table of former names is that of package former.
func TestFormerNamesOfThePage(t *testing.T) {
	data, err := os.ReadFile("ui/src/former.ts")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`'([a-z_]+)=([a-z]*)': '([a-z_]+=[a-z]*)'`).FindAllStringSubmatch(string(data), -1)
	known := map[string]bool{}
	for _, row := range rows {
		key, value, want := row[1], row[2], row[3]
		known[key], known[value] = true, true
		if strings.HasSuffix(want, "=") {
			value, want = "1", want+"1"
		}
		text := key + "=" + value
		all := []string{former.Spec("x(" + text + ")"), former.Spec("x(eval=sum(" + text + "))"), former.Spec("x(eval=lines(" + text + "))")}
		if !strings.Contains(strings.Join(all, " "), "("+want+")") {
			t.Errorf("%s is %s on the page: want one of %q", text, want, all)
		}
	}
	for _, name := range former.Names() {
		if !known[name] {
			t.Errorf("the page does not know %s", name)
		}
	}
}
