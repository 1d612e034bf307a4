package tui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/help"
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"github.com/afterstate2048/afterstate/rules/board"
)

// action is what a screen does on some keys. Its help has the keys and what they do as the list of all keys shows them; the
// footer shows the beginning of both. An action without help is in neither.
type action struct {
	key.Binding
	do func() tea.Cmd
}

// act returns an action. names are the names of the keys, separated by spaces.
func act(keys, help string, do func() tea.Cmd, names string) action {
	return action{key.NewBinding(key.WithKeys(strings.Fields(names)...), key.WithHelp(keys, help)), do}
}

// just is the function of an action without a command.
func just(do func()) func() tea.Cmd {
	return func() tea.Cmd {
		do()
		return nil
	}
}

// moveKeys are the names of the keys of each direction.
var moveKeys = [4]string{board.Up: "up w W k K", board.Right: "right d D l L", board.Down: "down s S j J", board.Left: "left a A h H"}

// moves returns the actions of the four directions; the first has the help of all.
func moves(help string, do func(board.Direction) tea.Cmd) (all []action) {
	keys := "arrows, WASD, HJKL"
	for _, d := range board.Directions {
		all = append(all, act(keys, help, func() tea.Cmd { return do(d) }, moveKeys[d]))
		keys, help = "", ""
	}
	return all
}

// perform does the first action of a key.
func perform(name string, actions []action) tea.Cmd {
	for _, a := range actions {
		if slices.Contains(a.Keys(), name) {
			return a.do()
		}
	}
	return nil
}

// shortKeys returns the actions for the footer.
func shortKeys(actions []action) (words []string) {
	for _, a := range actions {
		if h := a.Help(); h.Key != "" {
			keys, _, _ := strings.Cut(h.Key, ",")
			what, _, _ := strings.Cut(h.Desc, ";")
			words = append(words, strings.TrimSpace(keys+" "+what))
		}
	}
	return words
}

// keyHelp returns the list of all keys.
func keyHelp(actions []action) []string {
	var all []key.Binding
	for _, a := range actions {
		if a.Help().Key != "" {
			all = append(all, a.Binding)
		}
	}
	text := uv.TrimSpace(help.Model{}.FullHelpView([][]key.Binding{all}))
	return append(append([]string{"Keys", ""}, strings.Split(text, "\n")...), "", "Any key closes this.")
}

// fit joins as many of the words as a width has room for.
func fit(words []string, width int) (text string) {
	for i, w := range words {
		if i > 0 {
			w = "  " + w
		}
		if ansi.StringWidth(text+w) > width {
			break
		}
		text += w
	}
	return text
}
