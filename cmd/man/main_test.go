package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli"
	"github.com/afterstate2048/afterstate/cli/hub"
	"github.com/afterstate2048/afterstate/internal/must"
)

// Every command that users see has a page with all words of its description, and all of its flags.
func TestPages(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "man1")
	must.Do(t, write(folder, cli.New(), hub.New()))
	escapes, spaces := regexp.MustCompile(`(?m)\\f[A-Z]|\\&|^\.(PP|EX|EE|RS|RE|nf|fi)$|\\`), regexp.MustCompile(`[\s*\x60]+`)
	plain := func(text string) string { return spaces.ReplaceAllString(escapes.ReplaceAllString(text, ""), " ") }
	var check func(cmd *cobra.Command)
	check = func(cmd *cobra.Command) {
		name := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
		data := must.Get(os.ReadFile(filepath.Join(folder, name+".1")))(t)
		page := plain(string(data))
		for p := range strings.SplitSeq(cmd.Long, "\n\n") {
			if want := strings.TrimSpace(plain(p)); !strings.Contains(page, want) {
				t.Errorf("%s: lacks %q", name, want)
			}
		}
		for flag := range strings.SplitSeq(cmd.LocalFlags().FlagUsages(), "\n") {
			if _, flag, ok := strings.Cut(flag, "--"); ok && !strings.Contains(page, "--"+strings.Fields(flag)[0]) {
				t.Errorf("%s: lacks --%s", name, flag)
			}
		}
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() && !c.IsAdditionalHelpTopicCommand() {
				check(c)
			}
		}
	}
	check(cli.New())
	check(hub.New())
}
