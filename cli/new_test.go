package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/cli/scaffold"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/internal/testenv"
)

// The three commands in the README of a new bot repository work, in an empty home.
func TestNewBot(t *testing.T) {
	soak.Full(t, "builds and starts bots in three languages; TestBot of package scaffold has their files, TestExampleBots a bot that is started")
	program := clitest.Program(t)
	var bots []string // a line of the report for each language that is installed
	installed := 0
	needs := map[string]string{"python": "python3", "go": "go", "js": "node"}
	for _, language := range scaffold.Languages {
		t.Run(language, func(t *testing.T) {
			testenv.Interpreter(t, needs[language])
			installed++
			folder := filepath.Join(t.TempDir(), "corner")
			status, out, errOut := clitest.Run(t.Context(), nil, "new", "bot", folder, "--lang", language)
			if status != 0 || !strings.Contains(out, "README.md") || !strings.Contains(out, "afterstate watch 'exec(cmd=") {
				t.Fatalf("status %d, %s%s", status, out, errOut)
			}
			blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(must.Get(os.ReadFile(folder+"/README.md"))(t)), -1)
			if len(blocks) != 3 {
				t.Fatalf("%d commands", len(blocks))
			}
			wants := []string{`"over":true`, "corner 1", ""}
			for i, b := range blocks {
				cmd := exec.Command("sh", "-ec", strings.Replace(b[1], "--games 100", "--games 3", 1))
				cmd.Dir = folder
				cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(program)+string(os.PathListSeparator)+os.Getenv("PATH"), "XDG_DATA_HOME="+t.TempDir(),
					"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
				out, err := cmd.CombinedOutput()
				if err != nil || !strings.Contains(string(out), wants[i]) {
					t.Errorf("%s%v, want %q\n%s", b[1], err, wants[i], out)
				}
				bots = append(bots, regexp.MustCompile(`(?m)^corner 1 +[\d,]+ ± [\d,]+ +[\d,]+ +[\d,]+`).FindAllString(string(out), 1)...)
			}
			if language != "go" {
				return
			}
			// The bot plays differently from greedy, so that a first comparison shows a difference.
			status, out, errOut = clitest.Run(t.Context(), nil, "arena", `exec(cmd="'`+folder+`/bot'")`, "greedy", "--games", "60")
			if status != 0 || !regexp.MustCompile(`(?m)^greedy +-[\d,]+ ± [\d,]+ .* lower$`).MatchString(out) {
				t.Errorf("status %d, %s%s", status, out, errOut)
			}
		})
	}
	if len(bots) != installed || slices.ContainsFunc(bots, func(b string) bool { return b != bots[0] }) {
		t.Errorf("the bots play differently: %q", bots)
	}
}

// The command to watch the bot works for a folder with an apostrophe and spaces.
func TestNewBotQuotes(t *testing.T) {
	home := t.TempDir()
	folder := filepath.Join(home, "it's mine")
	status, out, errOut := clitest.Run(t.Context(), nil, "new", "bot", folder)
	_, command, _ := strings.Cut(out, "watch it: ")
	command, _, found := strings.Cut(command, " && ")
	if status != 0 || !found {
		t.Fatalf("status %d, %s%s", status, out, errOut)
	}
	if out, err := exec.Command("sh", "-c", command+" && ls").CombinedOutput(); err != nil || !strings.Contains(string(out), "bot.py") {
		t.Errorf("%s: %v\n%s", command, err, out)
	}
}

func TestNewBotRefuses(t *testing.T) {
	folder := t.TempDir()
	must.Do(t, os.WriteFile(folder+"/mine.txt", nil, 0o600))
	for want, args := range map[string][]string{
		"afterstate: " + folder + ": the folder is not empty: must be new or empty\n": {"new", "bot", folder},
		"afterstate: language \"rust\": must be python or go or js\n":                 {"new", "bot", folder + "/x", "--lang", "rust"},
		"afterstate: give a subcommand: afterstate new bot DIR\n":                     {"new"},
	} {
		if status, _, errOut := clitest.Run(t.Context(), nil, args...); status != 2 || errOut != want {
			t.Errorf("%q: status %d, %q, want %q", args, status, errOut, want)
		}
	}
}
