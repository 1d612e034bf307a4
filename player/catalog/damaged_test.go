package catalog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
	"github.com/afterstate2048/afterstate/search/solve"
)

func query(t *testing.T, text string) search.Query {
	t.Helper()
	b := must.Get(board.Parse(text))(t)
	return search.NewQuery(b, 0)
}

// A damaged layer is an error that says how to repair it: no other player takes over.
func TestDamagedLayer(t *testing.T) {
	f := solve.Folder(t.TempDir())
	p := Standard(board.Size{Rows: 2, Cols: 3})
	table := must.Get(f.Solve(context.Background(), p, solve.Options{}))(t)
	table.Close()
	data := must.Get(os.ReadFile(f.Path(p)))(t)
	end := bytes.LastIndex(data, []byte(`{"Problem"`)) // the directory
	for at := 200; at < end-100; at += 20 {
		data[at] ^= 1
	}
	must.Do(t, os.WriteFile(f.Path(p), data, 0o600))
	table = must.Get(f.Open(p))(t)
	defer table.Close()
	auto := &exactFirst{exact: perfect{spec: "auto", problem: p, table: table}, fallback: func() player.Player {
		t.Error("another player is asked")
		return new(perfect)
	}}
	for _, pl := range []player.Player{auto, &auto.exact} {
		_, err := pl.Decide(context.Background(), query(t, "2,4,0/0,2,0"))
		var unable *player.BoardError
		if want := f.Path(p) + " is damaged: to rebuild it, use afterstate solve 2x3"; !errors.As(err, &unable) || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// auto decides once whether it plays a size by its table. Later changes of the table are errors.
func TestAutoDecidesOnce(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	p := Standard(board.Size{Rows: 2, Cols: 4})
	folder := must.Get(solve.DefaultFolder())(t)
	path := folder.Path(p)
	write := func() {
		t.Helper()
		must.Do(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("damaged"), 0o600)))
	}
	auto := func() Maker {
		t.Helper()
		m := must.Get(Parse("auto", Capabilities{Networks: NoNetworks}))(t)
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
	_, err := after.New().Decide(context.Background(), q)
	must.Equal(t, fmt.Sprint(err), path+" is damaged: to rebuild it, use afterstate solve 2x4", "a damaged table")
	must.Do(t, os.Remove(path))
	want := "the table that auto plays from is gone: 2x4 is not solved yet: use afterstate solve 2x4 ("
	if _, err := after.New().Decide(context.Background(), q); err == nil || !strings.HasPrefix(err.Error(), want) || !after.Exact(p.Size) {
		t.Errorf("the table has gone: %v", err)
	}
}
