package player_test

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// plain is a decorator that changes nothing.
type plain struct{ player.Player }

func (p plain) Unwrap() player.Player { return p.Player }

// hasty is one that prepares in its own way.
type hasty struct {
	plain
	prepared bool
}

func (h *hasty) Prepare(context.Context, board.Size) error {
	h.prepared = true
	return nil
}

// bare has no optional interface.
type bare struct{ player.Player }

// Every optional interface is found through decorators, and none where there is none.
func TestDecoratorsKeepEveryInterface(t *testing.T) {
	for name, wrap := range map[string]func(player.Player) player.Player{
		"alone": func(p player.Player) player.Player { return p },
		"once":  func(p player.Player) player.Player { return plain{p} },
		"twice": func(p player.Player) player.Player { return plain{plain{p}} },
	} {
		f := new(fake)
		p := wrap(f)
		player.See(p, newGame(t))
		must.Do(t, player.Prepare(t.Context(), p, board.Size{Rows: 2, Cols: 2}))
		if s, ok := player.As[player.Searcher](p); !ok {
			t.Errorf("%s: no searcher", name)
		} else {
			_, _, _ = s.Tree(t.Context(), search.Query{}, search.TreeOptions{})
		}
		must.Do(t, player.Close(p))
		if want := []string{"see", "prepare 2x2", "tree"}; !slices.Equal(f.log, want) || f.closed != 1 {
			t.Errorf("%s: asked for %v, closed %d times", name, f.log, f.closed)
		}
		none := wrap(bare{f})
		_, sees := player.As[player.Seer](none)
		_, prepares := player.As[player.Preparer](none)
		_, searches := player.As[player.Searcher](none)
		_, closes := player.As[io.Closer](none)
		if sees || prepares || searches || closes {
			t.Errorf("%s: sees %v, prepares %v, searches %v, closes %v", name, sees, prepares, searches, closes)
		}
	}
}

// A decorator's own interface goes before that of the player inside.
func TestDecoratorChangesAnInterface(t *testing.T) {
	f := new(fake)
	h := &hasty{plain: plain{f}}
	if err := player.Prepare(t.Context(), plain{h}, board.Size{Rows: 2, Cols: 2}); err != nil || !h.prepared || len(f.log) > 0 {
		t.Errorf("prepared %v, asked for %v, %v", h.prepared, f.log, err)
	}
}

// No code uses a type assertion for an optional interface of a player, which would miss what a decorator hides.
func TestNoDirectAssertions(t *testing.T) {
	optional := []string{"Seer", "Preparer", "Searcher"}
	err := filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && slices.Contains([]string{"node_modules", ".git"}, e.Name()) {
			return filepath.SkipDir
		}
		if e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			a, ok := n.(*ast.TypeAssertExpr)
			if !ok {
				return true
			}
			name := ""
			switch x := a.Type.(type) {
			case *ast.SelectorExpr:
				name = x.Sel.Name
			case *ast.Ident:
				name = x.Name
			}
			if slices.Contains(optional, name) {
				t.Errorf("%v asserts a %s: must be player.As", files.Position(n.Pos()), name)
			}
			return true
		})
		return nil
	})
	must.Do(t, err)
}
