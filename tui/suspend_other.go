//go:build !unix

package tui

import tea "charm.land/bubbletea/v2"

// suspend does nothing on systems without SIGTSTP.
func suspend() {}

// watchSize does nothing on systems without SIGWINCH.
func watchSize(*tea.Program) (end func()) { return func() {} }
