package draw

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

func position(t testing.TB, text string, score int64) eval.Position {
	t.Helper()
	b := must.Get(board.Parse(text))(t)
	return eval.Position{Board: b, Score: score}
}

func evaluator(t testing.TB, name string) eval.Evaluator {
	t.Helper()
	return must.Get(eval.New(name))(t)
}

// pictures returns small pictures of every kind of search, with every kind of board.
func pictures(t testing.TB) map[string]*Picture {
	t.Helper()
	all := map[string]*Picture{}
	add := func(name, player string, p eval.Position, o search.TreeOptions, s interface {
		Tree(context.Context, search.Query, search.TreeOptions) (*search.Tree, error)
	}) {
		tree := must.Get(s.Tree(t.Context(), search.Query{Position: p}, o))(t)
		all[name] = &Picture{Tree: tree, Player: player, Unit: eval.Heuristic, Evaluator: "gradient", Source: "search"}
	}
	gradient := evaluator(t, "gradient")
	dead := -300.0
	add("expectimax", "expectimax(eval=gradient,leaf=spawn,plies=2)", position(t, "2,4/8,0", 0), search.TreeOptions{Width: 2, Boards: 14},
		search.NewExpectimax(search.ExpectimaxOptions{Eval: gradient, Plies: 2, Leaf: search.LeafSpawn}))
	add("minimax", `minimax("<&>")`, position(t, "2,2/0,4/0,0", 0), search.TreeOptions{Depth: 1, Width: 1},
		search.NewMinimax(search.MinimaxOptions{Eval: gradient, Layers: 2}))
	add("over", "auto", position(t, "2,4/4,2", 8), search.TreeOptions{},
		search.NewExpectimax(search.ExpectimaxOptions{Eval: gradient, Plies: 2, DeathValue: &dead}))
	add("mild", "auto", position(t, "131072,4/8,0", 0), search.TreeOptions{Width: 3},
		search.NewExpectimax(search.ExpectimaxOptions{Eval: gradient, Plies: 1, Leaf: search.LeafSpawn, DeathValue: &dead}))
	add("pruned", "expectimax(eval=gradient,plies=3,prune_margin=1)", position(t, "2,4/0,2", 4), search.TreeOptions{Width: 1},
		search.NewExpectimax(search.ExpectimaxOptions{Eval: gradient, Plies: 3, PruneMargin: 1}))
	return all
}

func TestGolden(t *testing.T) {
	for name, p := range pictures(t) {
		for ending, write := range map[string]func(io.Writer) error{"svg": p.WriteSVG, "json": p.WriteJSON} {
			if ending == "svg" && name != "expectimax" && name != "pruned" {
				continue // the other pictures are similar
			}
			var out bytes.Buffer
			must.Do(t, write(&out))
			must.Golden(t, "testdata/"+name+"."+ending, out.Bytes())
		}
	}
}

// Every picture is well-formed, self-contained, and has its text as text.
func TestSVGIsXML(t *testing.T) {
	for name, p := range pictures(t) {
		var out bytes.Buffer
		must.Do(t, p.WriteSVG(&out))
		var text strings.Builder
		titles, boards := 0, 0
		for d := xml.NewDecoder(bytes.NewReader(out.Bytes())); ; {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			switch x := token.(type) {
			case xml.CharData:
				text.Write(x)
			case xml.StartElement:
				if x.Name.Local == "title" {
					titles++
				}
				for _, a := range x.Attr {
					if a.Name.Local == "href" && a.Value == "#b" {
						boards++
					}
					if a.Name.Local == "href" && !strings.HasPrefix(a.Value, "#") {
						t.Errorf("%s refers to %s", name, a.Value)
					}
				}
			}
		}
		if boards != p.Tree.Boards || titles != boards+1 {
			t.Errorf("%s: %d boards and %d titles of %d", name, boards, titles, p.Tree.Boards)
		}
		walk(p.Tree.Root, func(n *search.TreeNode) {
			if !strings.Contains(text.String(), p.worth(n)) || n.OmittedChildren > 0 && !strings.Contains(text.String(), hidden(n)) {
				t.Errorf("%s does not say %s, %s", name, p.worth(n), hidden(n))
			}
		})
		must.Contains(t, text.String(), p.Player, name)
	}
}

// A tree of moves without new tiles, as a bot may answer, has a column for each move.
func TestColumnsOfMovesWithoutTiles(t *testing.T) {
	root := &search.TreeNode{Position: position(t, "2,0/0,0", 0), Turn: protocol.TurnPlayer}
	n := root
	for _, move := range []board.Direction{board.Right, board.Down} {
		c := &search.TreeNode{Position: n.Position, Turn: protocol.TurnPlayer, ByMove: true, Move: move}
		c.Board, _, _ = n.Board.Slide(move)
		n.Children, n = []*search.TreeNode{c}, c
	}
	tree := must.Get(search.GivenTree(t.Context(), root, &search.Result{Move: board.Right, OK: true, Plies: 2}, search.TreeOptions{}))(t)
	var out strings.Builder
	must.Do(t, (&Picture{Tree: tree, Unit: eval.Heuristic}).WriteSVG(&out))
	for _, column := range []string{">THE BOARD<", ">MOVE 1<", ">MOVE 2<"} {
		must.Contains(t, out.String(), column, "the picture")
	}
}

// Boards and notes do not overlap, lie in their columns and within the picture, and a parent is beside its first
// child.
func TestLayout(t *testing.T) {
	all := pictures(t)
	for name, o := range map[string]search.TreeOptions{
		"wide": {Boards: 400}, "narrow": {Width: 3, Boards: 100}, "lone": {Boards: 1}, "first": {Depth: 1, Width: 20},
	} {
		for _, text := range []string{"0,0,2,0/0,0,2,32/0,32,8,256/2,2,4,4", "2,4,0,0,0,0/0,0,0,0,0,0", "2,0,0/4,2,0/0,0,0/0,0,0/8,0,0/16,2,0"} {
			s := search.NewMinimax(search.MinimaxOptions{Eval: evaluator(t, "gradient"), Layers: 3, AlphaBeta: true})
			tree := must.Get(s.Tree(t.Context(), search.Query{Position: position(t, text, 0)}, o))(t)
			all[name+" "+text] = &Picture{Tree: tree, Unit: eval.Points}
		}
	}
	for name, p := range all {
		s := &svg{Picture: p}
		s.arrange()
		var items []*item
		var collect func(*item)
		collect = func(it *item) {
			items = append(items, it)
			for _, c := range it.children {
				collect(c)
				if c.x < it.x+it.w+column {
					t.Errorf("%s: a child at %v, its parent ends at %v", name, c.x, it.x+it.w)
				}
			}
			if len(it.children) > 0 && math.Abs(it.children[0].y-it.y) > 0.01 {
				t.Errorf("%s: a parent at %v, its first child at %v", name, it.y, it.children[0].y)
			}
			if it.note == "" && it.node.Chosen && math.Abs(it.y-s.root.y) > 0.01 {
				t.Errorf("%s: a board of the chosen line at %v, the root at %v", name, it.y, s.root.y)
			}
			if top, bottom := it.y-it.h/2, it.y+it.h/2+it.below; top < headRoom-0.01 || bottom > s.height+0.01 || it.x < margin || it.x+it.w > s.width-margin {
				t.Errorf("%s: %v to %v, %v to %v lies outside %v x %v", name, it.x, it.x+it.w, top, bottom, s.width, s.height)
			}
		}
		collect(s.root)
		for i, a := range items {
			for _, b := range items[:i] {
				if a.layer == b.layer && a.y-a.h/2 < b.y+b.h/2+b.below && b.y-b.h/2 < a.y+a.h/2+a.below {
					t.Fatalf("%s: two items of layer %d overlap at %v and %v", name, a.layer, a.y, b.y)
				}
			}
		}
	}
}

// With any number of boards the picture has a size that common programs can show.
func TestSizeIsBounded(t *testing.T) {
	s := search.NewMinimax(search.MinimaxOptions{Eval: evaluator(t, "gradient"), Layers: 2, AlphaBeta: true})
	tree := must.Get(s.Tree(t.Context(), search.Query{Position: position(t, "0,0,0,0,0,0/0,2,0,0,0,0/0,0,0,0,0,0/0,0,4,0,0,0/0,0,0,0,0,0/0,0,0,0,0,0", 0)}, search.TreeOptions{Boards: 3000}))(t)
	var out bytes.Buffer
	must.Do(t, (&Picture{Tree: tree, Player: strings.Repeat("long ", 1000)}).WriteSVG(&out))
	size := regexp.MustCompile(`width="(\d+)" height="(\d+)"`).FindSubmatch(out.Bytes())
	for _, text := range size[1:] {
		if n, err := strconv.Atoi(string(text)); err != nil || n > tallest {
			t.Errorf("%s pixels", text)
		}
	}
	if tree.Boards < 1000 || out.Len() > 2000*tree.Boards {
		t.Errorf("%d bytes for %d boards", out.Len(), tree.Boards)
	}
}

func TestNumber(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 1: "1", -1: "−1", 999: "999", 1000: "1,000", -1234567: "−1,234,567", 0.5: "0.50", 1234.567: "1,234.57",
		12345.67: "12,345.7", 1234567.8: "1,234,568", 999999999999: "999,999,999,999", 1.5e13: "1.50000000e13", -2.5e20: "−2.50000000e20", 1e300: "1.00000000e300",
	} {
		must.Equal(t, number(x), want, x)
	}
	for p, want := range map[float64]string{0.9: "90 %", 0.0625: "6 %", 0.004: "0.4 %", 1: "100 %"} {
		must.Equal(t, percent(p), want, "probability", p)
	}
}
