package xdg

import (
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
)

func TestCheckName(t *testing.T) {
	for _, name := range []string{"a", "4x6-1", "A.b_c-d", strings.Repeat("x", 100)} {
		must.Do(t, CheckName("run", name))
	}
	for _, name := range []string{"", ".", "..", ".a", "-a", "a/b", `a\b`, "a b", "ä", "a\n", strings.Repeat("x", 101)} {
		if err := CheckName("run", name); err == nil || !strings.HasPrefix(err.Error(), "run \"") {
			t.Errorf("%q: %v", name, err)
		}
	}
}
