//go:build !js

package catalog

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/afterstate2048/afterstate/player/bot"
	"github.com/afterstate2048/afterstate/player/spec"
)

// interpreters are the programs that run files with an extension; "" runs the file itself.
var interpreters = map[string]string{
	".py": "python3", ".js": "node", ".mjs": "node", ".ts": "deno run", ".rb": "ruby", ".pl": "perl", ".lua": "lua",
	".sh": "sh", ".jar": "java -jar", ".jl": "julia", ".go": "go run", ".exe": "",
}

// unquoted is an exec whose command lacks the key or the quotes, as in exec(python3 bot.py). A shell
// removes the quotes of exec(cmd="python3 bot.py") within double quotes.
var unquoted = regexp.MustCompile(`^\s*exec\(\s*(?:cmd\s*=\s*)?["']?([^"'=,()]+)["']?\s*\)\s*$`)

// meantBot returns an error that suggests the spec that a wrong spec was probably meant to be: exec with a
// command of a bot. It returns nil for other texts.
func meantBot(text string) error {
	command := strings.TrimSpace(text)
	if found := unquoted.FindStringSubmatch(text); found != nil {
		command = found[1]
	}
	words, err := bot.SplitCommand(command)
	if err != nil || len(words) == 0 {
		return nil
	}
	if found := unquoted.MatchString(text); !found && !isCommand(words) {
		return nil
	}
	if runs, script := interpreters[strings.ToLower(filepath.Ext(words[0]))]; script && runs != "" {
		words = append(strings.Fields(runs), words...)
	} else if !strings.ContainsAny(words[0], `/\`) && isFile(words[0]) {
		words[0] = "." + string(filepath.Separator) + words[0]
	}
	meant := spec.Spec{Name: "exec", Args: []spec.Arg{{Key: "cmd", Value: spec.Value{Text: bot.JoinCommand(words), Quoted: true}}}}
	return fmt.Errorf("%q is not a spec: did you mean %s? In a shell, put single quotes around it", text, meant.String())
}

// isCommand reports whether words look like the command of a bot: a script, a file, or a program
// with a file.
func isCommand(words []string) bool {
	if _, script := interpreters[strings.ToLower(filepath.Ext(words[0]))]; script || isFile(words[0]) {
		return true
	}
	if len(words) < 2 || strings.ContainsAny(words[0], "(=") {
		return false
	}
	_, err := exec.LookPath(words[0])
	return err == nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
