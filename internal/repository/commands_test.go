package repository

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// slow are commands of the documentation that take many seconds; the test scripts of the
// packages in cli run them too, with less time and fewer games.
var slow = regexp.MustCompile(`watch --seed 1 --until 2048$|bench --for 1s$|^afterstate train --|watch "ntuple\(model=[a-z0-9-]+\)|^afterstate arena review mine$`)

// elsewhere matches commands that other tests run: make runs this test, TestAPIExamples in cli sends the
// requests of docs/api.md, and TestStaticSite in serve serves the site.
var elsewhere = regexp.MustCompile(`^make|^curl |^python3 -m http\.server `)

// fewer replaces numbers of games and players that take minutes, except in make soak; fewest replaces further ones in
// make test.
var (
	fewer = strings.NewReplacer("train --games 20000", "train --games 2000", `champion "ntuple(plies=1)" --start`, `"ntuple(plies=1)" --start`,
		"greedy --games 100", "greedy --games 20", "arena review mine", "arena review mine --games 1", "arena review course", "arena review course --games 1")
	fewest = strings.NewReplacer("greedy --games 20", "greedy --games 2")
)

// interpreters are the programs that a command may need besides sh.
var interpreters = regexp.MustCompile(`\b(python3|node)\b`)

// longest limits a command, so that the test names commands that never end.
const longest = 15 * time.Minute

// notRun begins the first line of a block marked sh that the test skips. The rest of the line gives the reason.
const notRun = "# not run: "

// Every command in a block marked sh runs, in the order of its page, in a folder that has bot.py. make test runs those
// of README.md, make check those of all pages. A block that
// names a file, as in CONTRIBUTING.md, is written there. A block marked text that directly follows commands is
// what they print.
func TestDocumentedCommands(t *testing.T) {
	var n atomic.Int32
	names := pages(t)
	if !soak.Wanted() {
		names = []string{"README.md"}
	}
	t.Run("pages", func(t *testing.T) {
		for _, name := range names {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				r := newReader(t)
				r.read(t, page(t, name))
				n.Add(int32(len(r.printed)))
				for _, p := range paths {
					if p.pages[len(p.pages)-1] == name && p.test == "" {
						t.Run(p.name, func(t *testing.T) { p.check(t, r.printed) })
					}
				}
			})
		}
	})
	filtered := strings.Contains(flag.Lookup("test.run").Value.String(), "/")
	if least := 4 * len(names) / 3; int(n.Load()) < least && !filtered {
		t.Errorf("ran %d commands of %d pages: must be at least %d", n.Load(), len(names), least)
	}
}

// reader follows a page in an empty home.
type reader struct {
	dir, data string
	printed   map[string]string // output of each command that ran unchanged
}

func newReader(t *testing.T) *reader {
	t.Helper()
	r := &reader{t.TempDir(), t.TempDir(), map[string]string{}}
	must.Do(t, os.WriteFile(filepath.Join(r.dir, "bot.py"), []byte(page(t, "examples/bot/bot.py")), 0o666))
	return r
}

// read runs the commands of a page and compares their output.
func (r *reader) read(t *testing.T, text string) {
	t.Helper()
	end, printed, complete := 0, "", false // these describe the previous block
	for _, at := range blocks.FindAllStringSubmatchIndex(text, -1) {
		kind, file, body := text[at[2]:at[3]], "", text[at[8]:at[9]]
		if at[4] >= 0 {
			file = text[at[4]:at[5]]
		}
		follows := strings.TrimSpace(text[end:at[0]]) == ""
		end = at[1]
		switch {
		case file != "":
			paste(t, filepath.Join(r.dir, file), "", body)
		case kind == "sh":
			printed, complete = r.commands(t, body)
			continue
		case kind == "text" && follows && complete:
			if line := missing(body, printed); line != "" {
				t.Errorf("the page shows %q, where commands print\n%s", line, printed)
			}
		}
		complete = false
	}
}

// commands runs the commands of a block. It returns their output, and whether all ran unchanged.
func (r *reader) commands(t *testing.T, block string) (printed string, complete bool) {
	t.Helper()
	if strings.HasPrefix(block, notRun) {
		return "", false
	}
	complete = true
	for line := range strings.Lines(strings.ReplaceAll(block, "\\\n", "")) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || elsewhere.MatchString(line) {
			continue
		}
		if needs := interpreters.FindString(line); needs != "" {
			if _, err := exec.LookPath(needs); err != nil && os.Getenv("CI") == "true" {
				t.Fatal(err)
			} else if err != nil {
				t.Skipf("NOT RUN: %s is missing, which the page needs from here on: %s", needs, line)
			}
		}
		if slow.MatchString(line) && !soak.Wanted() {
			t.Logf("only in make check (FULL=1): %s", line)
			complete = false
			continue
		}
		command := line
		if soak.Count(1, 0) > 0 {
			command = fewer.Replace(command)
		}
		if !soak.Wanted() {
			command = fewest.Replace(command)
		}
		out := r.run(t, strings.ReplaceAll(command, "go run .", "afterstate"))
		if command != line {
			complete = false
		} else {
			r.printed[line] = out
		}
		printed += out
	}
	return printed, complete
}

// run runs a command, which must succeed.
func (r *reader) run(t *testing.T, command string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), longest)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.WaitDelay = time.Minute // its children may hold the output open
	if !strings.HasPrefix(command, "go ") {
		cmd.Dir = r.dir
	}
	cmd.Env = append(os.Environ(), "XDG_DATA_HOME="+r.data, "PATH="+filepath.Dir(program(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v\n%s", command, err, out)
	}
	return string(out)
}

// missing returns the first line of a page's text that the commands do not print after the lines before it. A
// line that ends with "..." shows the beginning of one, but for the number of spaces, since columns are as wide as the times in
// them; "..." alone matches any lines.
func missing(text, printed string) string {
	rest := strings.Split(printed, "\n")
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \n")
		start, open := strings.CutSuffix(line, "...")
		start = oneSpace(start)
		if start == "" {
			continue
		}
		found := false
		for !found && len(rest) > 0 {
			found = strings.TrimRight(rest[0], " ") == line || open && strings.HasPrefix(oneSpace(rest[0]), start)
			rest = rest[1:]
		}
		if !found {
			return line
		}
	}
	return ""
}

func oneSpace(line string) string { return strings.Join(strings.Fields(line), " ") }

func TestMissing(t *testing.T) {
	const printed = "a  1\nb  2.5 s\n\nc\n"
	for text, want := range map[string]string{
		"a  1\nb  2.5 s\n\nc\n": "", "a  1\n...\nc": "", "b  ...\nc": "", "   b 2.5 ...": "",
		"c\na  1\n": "a  1", "b  2.6 s\n": "b  2.6 s", "a": "a", "c\nc\n": "c", "d ...": "d ...",
	} {
		if got := missing(text, printed); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
