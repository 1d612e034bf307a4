// Package manual writes man pages from the help of commands, and prepares that help for the screen.
package manual

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"afterstate/cli/internal/usage"
	"afterstate/internal/atomicfile"
	"afterstate/internal/version"
)

// New returns the hidden command man, which writes the man pages of a program into a folder.
func New() *cobra.Command {
	return &cobra.Command{
		Use:    "man FOLDER",
		Short:  "Write the man pages into a folder",
		Hidden: true,
		Args:   usage.Args(1, 1, "a folder, such as ~/.local/share/man/man1"),
		RunE:   func(cmd *cobra.Command, args []string) error { return Write(cmd.Root(), args[0]) },
	}
}

// value is the annotation of a flag that has the name of its value.
const value = "afterstate_value"

// Plain removes the backquotes that mark the name of a value in the help of flags, such as `FILE`, since
// --help and completions would show them. Pages that are written later name the values all the same.
func Plain(cmd *cobra.Command) {
	plain := func(f *pflag.Flag) {
		if !strings.Contains(f.Usage, "`") {
			return
		}
		name, text := pflag.UnquoteUsage(f)
		if f.Annotations == nil {
			f.Annotations = map[string][]string{}
		}
		f.Annotations[value], f.Usage = []string{name}, text
	}
	cmd.PersistentFlags().VisitAll(plain)
	cmd.Flags().VisitAll(plain)
	for _, c := range cmd.Commands() {
		Plain(c)
	}
}

// Write writes a page for a command and for each one below it: afterstate-arena-run.1 for afterstate
// arena run. It creates the folder. The pages have no dates, so that the same version writes the
// same bytes.
func Write(cmd *cobra.Command, folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	if err := atomicfile.Write(filepath.Join(folder, name(cmd)+".1"), []byte(Page(cmd)), 0o666); err != nil {
		return err
	}
	for _, c := range below(cmd) {
		if err := Write(c, folder); err != nil {
			return err
		}
	}
	return nil
}

// Page returns the man page of a command, in roff with the man macros.
func Page(cmd *cobra.Command) string {
	var w strings.Builder
	fmt.Fprintf(&w, ".TH %s 1 \"\" \"%s %s\" \"Afterstate\"\n", quote(strings.ToUpper(name(cmd))), cmd.Root().Name(), version.Version)
	fmt.Fprintf(&w, ".SH NAME\n%s \\- %s\n", escape(name(cmd)), escape(cmd.Short))
	if cmd.Runnable() {
		fmt.Fprintf(&w, ".SH SYNOPSIS\n.B %s\n", escape(cmd.UseLine()))
	}
	w.WriteString(".SH DESCRIPTION\n")
	long := cmd.Long
	if long == "" {
		long = cmd.Short + "."
	}
	w.WriteString(paragraphs(long))
	options(&w, "OPTIONS", cmd.LocalFlags())
	options(&w, "OPTIONS OF ALL COMMANDS", cmd.InheritedFlags())
	if all := below(cmd); len(all) > 0 {
		w.WriteString(".SH COMMANDS\n")
		for _, c := range all {
			fmt.Fprintf(&w, ".TP\n.BR %s (1)\n%s\n", escape(name(c)), line(c.Short))
		}
	}
	if cmd.Example != "" {
		w.WriteString(".SH EXAMPLES\n" + verbatim(cmd.Example))
	}
	if cmd.HasParent() {
		fmt.Fprintf(&w, ".SH SEE ALSO\n.BR %s (1)\n", escape(name(cmd.Parent())))
	}
	return w.String()
}

func name(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// below lists the commands directly below one that users see.
func below(cmd *cobra.Command) (all []*cobra.Command) {
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() && c.Name() != "help" {
			all = append(all, c)
		}
	}
	return all
}

func options(w *strings.Builder, title string, flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		if title != "" {
			fmt.Fprintf(w, ".SH %s\n", title)
			title = ""
		}
		kind, text := pflag.UnquoteUsage(f)
		if named := f.Annotations[value]; named != nil {
			kind = named[0]
		}
		flag := `\fB` + escape("--"+f.Name) + `\fR`
		if f.Shorthand != "" {
			flag = `\fB` + escape("-"+f.Shorthand) + `\fR, ` + flag
		}
		if kind != "" {
			flag += ` \fI` + escape(kind) + `\fR`
		}
		switch f.DefValue {
		case "", "false", "0", "[]", "0s":
		default:
			text += " (default " + f.DefValue + ")"
		}
		fmt.Fprintf(w, ".TP\n%s\n%s\n", flag, line(text))
	})
}

// laidOut matches text that is laid out by spaces.
var laidOut = regexp.MustCompile(`(?m)^ |\S  +\S`)

func paragraphs(text string) string {
	var w strings.Builder
	for p := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		w.WriteString(".PP\n")
		if laidOut.MatchString(p) {
			w.WriteString(verbatim(p))
			continue
		}
		for l := range strings.SplitSeq(p, "\n") {
			w.WriteString(line(l) + "\n")
		}
	}
	return w.String()
}

func verbatim(text string) string {
	var w strings.Builder
	w.WriteString(".nf\n")
	for l := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		w.WriteString(line(l) + "\n")
	}
	w.WriteString(".fi\n")
	return w.String()
}

// line escapes a line of text, which may begin with what roff reads as a request.
func line(text string) string {
	text = escape(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		return `\&` + text
	}
	return text
}

func escape(text string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(text)
}

func quote(text string) string { return `"` + escape(text) + `"` }
