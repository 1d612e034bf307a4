package cli

import (
	"fmt"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/afterstate2048/afterstate/internal/must"
)

//go:generate env UPDATE=1 go test -run ^TestCommandReference$ .

const referenceFile = "../docs/commands.md"

// docs/commands.md is what the help of all commands says today.
func TestCommandReference(t *testing.T) {
	fresh := reference(New())
	must.Golden(t, referenceFile, []byte(fresh))
	for _, command := range []string{"## afterstate watch\n", "### afterstate arena run\n", "`--games N`"} {
		must.Contains(t, fresh, command, "the reference")
	}
}

// The backquotes in the flags' help mark the names of values. No --help shows them.
func TestHelpHasNoMarks(t *testing.T) {
	commands := available(New())
	if len(commands) < 20 {
		t.Fatalf("%d commands are found", len(commands))
	}
	for _, c := range commands {
		words := append(strings.Fields(c.CommandPath())[1:], "--help")
		var out, errOut strings.Builder
		status := Run(t.Context(), words, nil, &out, &errOut)
		_, flags, found := strings.Cut(out.String(), "FLAGS")
		if status != 0 || !found || strings.Contains(flags, "`") {
			t.Errorf("%q: status %d, %s%s", words, status, errOut.String(), flags)
		}
	}
}

// cobra.MousetrapHelpText is empty: otherwise cobra refuses a start by a double click on Windows.
func TestDoubleClick(t *testing.T) {
	must.Equal(t, cobra.MousetrapHelpText, "", "a double click on Windows prints")
}

// reference is the command reference in Markdown.
func reference(root *cobra.Command) string {
	var w strings.Builder
	w.WriteString("<!-- Generated from the commands' help: go generate ./cli -->\n\n# Command reference\n\n" +
		"This page has the text of `afterstate COMMAND --help` for every command except `completion` and `help`.\n\n" +
		"Results go to stdout, progress and messages to stderr. The exit status is 0 for success,\n" +
		"2 for bad input, 1 for a failure at run time, and 130 after Ctrl-C.\n\n| command | purpose |\n|---|---|\n")
	commands := available(root)
	for _, c := range commands {
		anchor := strings.ReplaceAll(c.CommandPath(), " ", "-")
		fmt.Fprintf(&w, "| [`%s`](#%s) | %s |\n", strings.TrimPrefix(c.CommandPath(), "afterstate "), anchor, c.Short)
	}
	describe(&w, root)
	for _, c := range commands {
		describe(&w, c)
	}
	return w.String()
}

// available lists all commands below one, each before its own subcommands.
func available(cmd *cobra.Command) (all []*cobra.Command) {
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			all = append(append(all, c), available(c)...)
		}
	}
	return all
}

func describe(w *strings.Builder, cmd *cobra.Command) {
	level := "##"
	if strings.Count(cmd.CommandPath(), " ") > 1 {
		level = "###"
	}
	fmt.Fprintf(w, "\n%s %s\n\n", level, cmd.CommandPath())
	usage := cmd.UseLine()
	if cmd.Runnable() {
		fmt.Fprintf(w, "```text\n%s\n```\n\n", usage)
	}
	long := cmd.Long
	if long == "" {
		long = cmd.Short + "."
	}
	w.WriteString(paragraphs(long))
	flagTable(w, cmd)
	if cmd.Example != "" {
		fmt.Fprintf(w, "\n```console\n%s\n```\n", strings.TrimSpace(cmd.Example))
	}
}

// paragraphs turns help text into Markdown: text that is aligned by spaces becomes a code block.
func paragraphs(text string) string {
	var w strings.Builder
	for p := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		if regexp.MustCompile(`(?m)^ |\S  +\S`).MatchString(p) {
			fmt.Fprintf(&w, "```text\n%s\n```\n\n", p)
			continue
		}
		p = strings.NewReplacer("<", "&lt;", "*", `\*`, "_", `\_`, "|", `\|`, "[", `\[`, "--", `\-\-`).Replace(p)
		w.WriteString(p + "\n\n")
	}
	return strings.TrimSuffix(w.String(), "\n")
}

func flagTable(w *strings.Builder, cmd *cobra.Command) {
	var rows strings.Builder
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		kind, text := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		switch kind {
		case "":
		case "int", "uint", "float", "ints":
			name += " N"
		default:
			name += " " + kind
		}
		fmt.Fprintf(&rows, "| `%s` | %s | %s |\n", name, defaultOf(f), strings.ReplaceAll(text, "|", `\|`))
	})
	if rows.Len() > 0 {
		w.WriteString("\n| flag | default | meaning |\n|---|---|---|\n" + rows.String())
	}
}

// defaultOf is a flag's default, the same on every machine.
func defaultOf(f *pflag.Flag) string {
	threads := f.Name == "workers" || f.Name == "threads"
	switch {
	case threads && (f.DefValue == strconv.Itoa(runtime.GOMAXPROCS(0)) || f.DefValue == strconv.Itoa(runtime.NumCPU())):
		return "all cores"
	case f.DefValue == "" || f.DefValue == "[]" || f.DefValue == "false":
		return ""
	}
	return "`" + f.DefValue + "`"
}
