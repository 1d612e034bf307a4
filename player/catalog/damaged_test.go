package catalog

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
	"github.com/afterstate2048/afterstate/search/solve"
)

func query(t *testing.T, text string) search.Query {
	t.Helper()
	b, err := board.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return search.NewQuery(b, 0)
}

// A damaged layer is an error that says how to repair it: no other player takes over.
func TestDamagedLayer(t *testing.T) {
	f := solve.Folder(t.TempDir())
	p := Standard(board.Size{Rows: 2, Cols: 3})
	table, err := f.Solve(context.Background(), p, solve.Options{})
	if err != nil {
		t.Fatal(err)
	}
	table.Close()
	data, err := os.ReadFile(f.Path(p))
	if err != nil {
		t.Fatal(err)
	}
	end := bytes.LastIndex(data, []byte(`{"Problem"`)) // the directory
	for at := 200; at < end-100; at += 20 {
		data[at] ^= 1
	}
	if err := os.WriteFile(f.Path(p), data, 0o600); err != nil {
		t.Fatal(err)
	}
	if table, err = f.Open(p); err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	auto := &exactFirst{exact: perfect{spec: "auto", problem: p, table: table}, fallback: func() player.Player {
		t.Error("another player is asked")
		return new(perfect)
	}}
	for _, asked := range []player.Player{auto, &auto.exact} {
		_, err := asked.Decide(context.Background(), query(t, "2,4,0/0,2,0"))
		var unable *player.BoardError
		if want := f.Path(p) + " is damaged: repeat afterstate solve 2x3 to make it again"; !errors.As(err, &unable) || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// auto decides once whether it plays a size by its table. Later changes of the table are errors.
func TestAutoDecidesOnce(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	p := Standard(board.Size{Rows: 2, Cols: 4})
	folder, err := solve.DefaultFolder()
	if err != nil {
		t.Fatal(err)
	}
	path := folder.Path(p)
	write := func() {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("damaged"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	auto := func() Maker {
		t.Helper()
		m, err := Parse("auto", Capabilities{Networks: NoNetworks})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	q := query(t, "2,4,0,0/0,2,0,0")
	before := auto()
	if before.Exact(p.Size) {
		t.Fatal("exact without a table")
	}
	write()
	if d, err := before.New().Decide(context.Background(), q); err != nil || d.Source == player.Exact || before.Exact(p.Size) {
		t.Errorf("decided without a table: %+v, %v", d, err)
	}
	after := auto()
	if !after.Exact(p.Size) {
		t.Fatal("not exact with a table")
	}
	if _, err := after.New().Decide(context.Background(), q); err == nil || err.Error() != path+" is damaged: repeat afterstate solve 2x4 to make it again" {
		t.Errorf("a damaged table: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	want := "the table by which auto plays has gone: 2x4 is not solved: do it once with afterstate solve 2x4 ("
	if _, err := after.New().Decide(context.Background(), q); err == nil || !strings.HasPrefix(err.Error(), want) || !after.Exact(p.Size) {
		t.Errorf("the table has gone: %v", err)
	}
}
