// Command man writes the man pages of afterstate and afterstate-hub into a folder.
//
//	go run ./cmd/man ~/.local/share/man/man1
//
// If the environment variable SOURCE_DATE_EPOCH is set, the pages bear its date.
package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/afterstate2048/afterstate/cli"
	"github.com/afterstate2048/afterstate/cli/hub"
	"github.com/afterstate2048/afterstate/internal/version"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "man: must be a folder, such as ~/.local/share/man/man1")
		os.Exit(2)
	}
	if err := write(os.Args[1], cli.New(), hub.New()); err != nil {
		fmt.Fprintln(os.Stderr, "man:", err)
		os.Exit(1)
	}
}

// write writes a page for each program and each of its subcommands, such as afterstate-arena-run.1 for the
// command afterstate arena run.
func write(folder string, programs ...*cobra.Command) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for _, cmd := range programs {
		cmd.DisableAutoGenTag = true
		verbatim(cmd)
		header := &doc.GenManHeader{Section: "1", Source: cmd.Name() + " " + version.Version, Manual: "Afterstate"}
		if err := doc.GenManTree(cmd, header, folder); err != nil {
			return err
		}
	}
	return nil
}

// laidOut matches text that is aligned with spaces, such as a table.
var laidOut = regexp.MustCompile(`(?m)^ |\S  +\S`)

// verbatim indents paragraphs that are aligned with spaces. The generator reads Markdown, and keeps
// the layout of indented text.
func verbatim(cmd *cobra.Command) {
	all := strings.Split(cmd.Long, "\n\n")
	for i, p := range all {
		if laidOut.MatchString(p) {
			all[i] = "    " + strings.ReplaceAll(p, "\n", "\n    ")
		}
	}
	cmd.Long = strings.Join(all, "\n\n")
	for _, c := range cmd.Commands() {
		verbatim(c)
	}
}
