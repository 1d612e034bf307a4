package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"afterstate/player/catalog"
	"afterstate/wire"
)

// The former names that nothing may have any more, by what they were names of. Names in
// identifiers are those of exported Go ones: the last parts of package.Name or
// package.Type.Field, so that a name alone is one in any package.
var formerNames = map[string]string{
	"key": `cut margin spare phase table scope strict engine dead reroot
		impl=fast impl=plain tt_lifetime=position tt_lifetime=move`,
	"player":    ``,
	"evaluator": `smooth monotone`,
	"weight":    `load load_power rough smooth monotone`,
	"origin":    `S0 S1 S2 S3 S4`,
	"flag": `cut margin spare phase table scope strict engine dead
		alone hopes every optimistic restart rounds`,
	"JSON tag": `load load_power rough cut margin spare scope strict odds_a odds_b complaint by_hand
		moves_per_s_wanted decided trouble startable quiet_s waiting left_out no_room dead dropped hidden rounds begun`,
	"identifier": `search.ExpectimaxOptions.Cut search.ExpectimaxOptions.Margin search.ExpectimaxOptions.Spare
		search.ExpectimaxOptions.Phase search.ExpectimaxOptions.Table search.ExpectimaxOptions.Scope
		search.ExpectimaxOptions.Strict search.ExpectimaxOptions.Dead search.Scope search.ScopePosition search.ScopeMove
		search.ScopeGame search.MinTable eval.LineWeights.Load eval.LineWeights.LoadPower eval.LineWeights.Rough
		player.Entry catalog.Catalog
		ntuple.Octet ntuple.NewShort ntuple.Network.Short ntuple.Network.Hopes ntuple.Network.Begins ntuple.Network.Locate
		ntuple.Extra ntuple.Word quant.DequantizeShort quant.Played models.OpenShort stats.Match.Odds stats.Match.Needed
		stats.Match.Decided report.Dossier report.Into arena.Conductor arena.Seat arena.Played arena.Worker.Every
		arena.Worker.Beat arena.Delivery.Ends arena.Plan.Learn arena.Plan.Left store.Patience store.Store.WhileThere
		store.Store.SoundGames store.Store.SoundResults runs.Options.Hopes runs.Options.Alone runs.Options.Every
		runs.Options.Optimistic runs.Options.Restart learn.Options.Alone learn.Options.Every
		learn.Options.Restart experiment.Lab wire.Why wire.Named wire.Done wire.Played
		wire.Recorded wire.ComparedToTheLead tune.Trial.Round
		search.Tree.NoRoom search.TreeNode.Dead search.TreeNode.Dropped search.TreeNode.Hidden search.ErrBlind
		search.Expectimax.Forget search.Expectimax4.Forget live.Game.Look live.Game.News live.Game.Want live.Game.Again
		live.Snapshot.Decided live.Snapshot.Hand live.Snapshot.Played board.Board.Dead bitboard.Board.Dead
		bitboard.Plain bitboard.Push bitboard.Board.Reaches eval.AnchorWeights eval.Viewer ntuple.Network.View
		ntuple.Network.ViewSpawn ntuple.Network.Viewing game.Game.Waiting tui.Watched.ByHand tui.Played.Kept
		experiment.Listed.Begun experiment.Experiment.Kept report.Document.Begun learn.Tally.ReachedWords learn.Disk
		learn.Memory quant.Loss.Words quant.ScoreComparison.Words runs.ErrNoPlace runs.Source.Own runs.Need
		runs.Folder.OnNeed catalog.Maker.Quick catalog.Maker.QuickAs arena.ErrEnough env.Buffers.Now`,
}

// Nothing has a former name.
func TestFormerNames(t *testing.T) {
	all := map[string][]string{}
	specNames(func(kind, name string) { all[kind] = append(all[kind], name) })
	eachFlag(newRoot(), func(name string) { all["flag"] = append(all["flag"], name) })
	eachDeclared(t, "..", func(kind, name string) { all[kind] = append(all[kind], name) })
	for kind, least := range map[string]int{"key": 40, "player": 14, "evaluator": 15, "weight": 25, "origin": 10, "flag": 60, "JSON tag": 300, "identifier": 1000} {
		if len(all[kind]) < least {
			t.Errorf("only %d names of kind %s are looked at", len(all[kind]), kind)
		}
		former := map[string]bool{}
		for _, name := range strings.Fields(formerNames[kind]) {
			former[name] = true
		}
		for _, name := range all[kind] {
			for _, part := range endings(kind, name) {
				if former[part] {
					t.Errorf("%s %s has a former name", kind, name)
				}
			}
		}
	}
	for kind := range formerNames {
		if all[kind] == nil {
			t.Errorf("no names of kind %s are looked at", kind)
		}
	}
}

// endings are the last parts of an identifier, and the words of an origin.
func endings(kind, name string) []string {
	switch kind {
	case "origin":
		return regexp.MustCompile(`\w+`).FindAllString(name, -1)
	case "identifier":
		parts := strings.Split(name, ".")
		var all []string
		for i := range parts {
			all = append(all, strings.Join(parts[i:], "."))
		}
		return all
	}
	return []string{name}
}

// specNames are the names that specs are made of.
func specNames(note func(kind, name string)) {
	keys := func(kind string, keys []wire.KeyInfo) {
		for _, k := range keys {
			note(kind, k.Name)
			for _, v := range k.Values {
				note(kind, k.Name+"="+v)
			}
		}
	}
	for _, p := range catalog.Players(true) {
		note("player", p.Name)
		note("origin", p.Origin)
		keys("key", p.Keys)
	}
	for _, r := range catalog.SpawnRules(true) {
		note("player", r.Name)
		keys("key", r.Keys)
	}
	for _, e := range catalog.Evaluators() {
		note("evaluator", e.Name)
		note("origin", e.Origin)
		keys("weight", e.Keys)
	}
}

func eachFlag(cmd *cobra.Command, note func(name string)) {
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { note(f.Name) })
	for _, sub := range cmd.Commands() {
		eachFlag(sub, note)
	}
}

// eachDeclared visits exported identifiers and JSON tags of every package below a folder,
// without tests. Types within functions do not count: they may read what earlier builds wrote.
func eachDeclared(t *testing.T, root string, note func(kind, name string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && file != root):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		pkg := path.Base(filepath.ToSlash(filepath.Dir(file)))
		for _, decl := range parsed.Decls {
			declared(decl, func(kind, name string) {
				if kind == "identifier" {
					name = pkg + "." + name
				}
				note(kind, name)
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func declared(decl ast.Decl, note func(kind, name string)) {
	exported := func(of string, id *ast.Ident) {
		if id.IsExported() {
			note("identifier", strings.TrimPrefix(of+"."+id.Name, "."))
		}
	}
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		of := ""
		if decl.Recv != nil {
			of = typeName(decl.Recv.List[0].Type)
		}
		exported(of, decl.Name)
	case *ast.GenDecl:
		for _, s := range decl.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				for _, id := range s.Names {
					exported("", id)
				}
			case *ast.TypeSpec:
				exported("", s.Name)
				fields(s, exported, note)
			}
		}
	}
}

// typeName is the name of a receiver's type.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.IndexListExpr:
		return typeName(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// fields visits the fields of structs and the methods of interfaces in a type.
func fields(s *ast.TypeSpec, exported func(of string, id *ast.Ident), note func(kind, name string)) {
	ast.Inspect(s.Type, func(n ast.Node) bool {
		f, ok := n.(*ast.Field)
		if !ok {
			return true
		}
		for _, id := range f.Names {
			exported(s.Name.Name, id)
		}
		if f.Tag != nil {
			if tag, err := strconv.Unquote(f.Tag.Value); err == nil {
				if name, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ","); name != "" && name != "-" {
					note("JSON tag", name)
				}
			}
		}
		return true
	})
}
