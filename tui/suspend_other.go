//go:build !unix

package tui

import tea "charm.land/bubbletea/v2"

// suspender does nothing on systems without SIGTSTP.
type suspender struct{}

func newSuspender() *suspender { return &suspender{} }

func (*suspender) forward(*tea.Program) {}

func (*suspender) close() {}

func (*suspender) filter(_ *tea.Program, msg tea.Msg) tea.Msg { return msg }
