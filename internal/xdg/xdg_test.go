package xdg

import (
	"path/filepath"
	"testing"
)

func TestFolders(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Setenv("home", home)
	t.Setenv("XDG_DATA_HOME", filepath.Join(home, "elsewhere"))
	t.Setenv("XDG_STATE_HOME", "relative") // to be ignored
	if got, err := Data(); err != nil || got != filepath.Join(home, "elsewhere", "afterstate") {
		t.Error(got, err)
	}
	if got, err := State(); err != nil || got != filepath.Join(home, ".local", "state", "afterstate") {
		t.Error(got, err)
	}
}
