package catalog_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/eval/champion"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/bot/remote"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
)

// ownFormat are keys whose values are read by the player's own code, with errors of its own.
var ownFormat = []string{"eval", "model", "endings", "cmd", "url", "name"}

// Every key of every name is described, and its errors are about the range that is listed.
func TestKeysAreDescribed(t *testing.T) {
	lists := map[string][]protocol.KeyInfo{}
	for _, trusted := range []bool{false, true} {
		caps := catalog.Capabilities{Trusted: trusted, Exec: true, Connect: remote.Connect}
		for _, p := range catalog.Players(trusted) {
			lists["player "+p.Name] = p.Keys
			for _, k := range p.Keys {
				_, err := catalog.Parse(p.Name+"("+k.Name+"=?)", caps)
				if err == nil {
					t.Errorf("%s(%s=?) is accepted", p.Name, k.Name)
				}
				cmd := ""
				switch {
				case p.Name == "exec" && k.Name != "cmd":
					cmd = `,cmd="true"`
				case p.Name == "remote" && k.Name != "url":
					cmd = `,url="ws://127.0.0.1"`
				}
				_, err = catalog.Parse(p.Name+"("+k.Name+"=wrong"+cmd+")", caps)
				if errors.Is(err, champion.ErrNone) {
					continue // a build without a network says that first
				}
				if k.Name == "name" { // any word
					continue
				}
				if err == nil || !slices.Contains(ownFormat, k.Name) && !strings.HasSuffix(err.Error(), ": must be "+k.Range) {
					t.Errorf("%s(%s=wrong): %v, want its range %q", p.Name, k.Name, err, k.Range)
				}
			}
		}
		for _, r := range catalog.SpawnRules(trusted) {
			lists["rule "+r.Name] = r.Keys
			for _, k := range r.Keys {
				_, err := catalog.ParseSpawner(r.Name+"("+k.Name+"=wrong)", caps)
				if err == nil || !slices.Contains(ownFormat, k.Name) && !strings.HasSuffix(err.Error(), ": must be "+k.Range) {
					t.Errorf("%s(%s=wrong): %v, want its range %q", r.Name, k.Name, err, k.Range)
				}
			}
		}
	}
	for _, e := range catalog.Evaluators() {
		if e.Unit == "" || e.Formula == "" {
			t.Errorf("%+v", e)
		}
		lists["evaluator "+e.Name] = e.Keys
		for _, k := range e.Keys {
			_, err := catalog.Parse("expectimax(eval="+e.Name+"("+k.Name+"=wrong))", catalog.Capabilities{})
			if err == nil || strings.Contains(err.Error(), "has no key") {
				t.Errorf("%s(%s=wrong): %v", e.Name, k.Name, err)
			}
		}
	}
	for name, keys := range lists {
		for _, k := range keys {
			if k.Name == "" || k.Range == "" || k.Default == "" || k.Help == "" || k.Unit == "" && k.Values == nil && !slices.Contains(append(ownFormat, "file"), k.Name) {
				t.Errorf("%s: %+v", name, k)
			}
			for _, v := range k.Values {
				must.Contains(t, k.Range, v, name)
			}
		}
	}
}

// A default is what holds without the key.
func TestDefaultsHold(t *testing.T) {
	boards := []board.Board{parse(t, "2,0,0,4/0,8,8,0/16,2,0,0/128,64,2,4"), parse(t, "2,16,2,4/64,32,16,2/4,64,32,8/2,4,4,16"), parse(t, "2,4,2/0,16,4/64,32,8")}
	tried := 0
	for _, p := range everyPlayer() {
		if p.Name == "deepening" { // limited by time
			continue
		}
		without := specOf(p.Name)
		for _, k := range p.Keys {
			if strings.Contains(without, k.Name+"=") || p.Name == "snake" && k.Name == "plies" || p.Name == "weighted-snake" && k.Name == "plies" {
				continue // the quick spec of the test sets it, or its other name
			}
			with := p.Name + "(" + k.Name + "=" + k.Default + ")"
			if strings.HasSuffix(without, ")") {
				with = strings.TrimSuffix(without, ")") + "," + k.Name + "=" + k.Default + ")"
			}
			m, err := catalog.Parse(with, catalog.Capabilities{Networks: catalog.NoNetworks})
			if err != nil {
				if !strings.ContainsAny(k.Default, " ") && k.Default != "off" { // words
					t.Error(err)
				}
				continue
			}
			tried++
			a, b := m.New(), maker(t, without).New()
			for i, at := range boards {
				g := newGame(t, at.Size(), 3, uint64(i))
				started(a, g, 3, uint64(i))
				started(b, g, 3, uint64(i))
				q := query(g)
				if p.Name != "foresight" { // which needs the game's own board
					q.Board = at
				}
				if x, y := decide(t, a, q), decide(t, b, q); x.Result != y.Result {
					t.Errorf("%s decides %+v, %s decides %+v", with, x.Result, without, y.Result)
				}
			}
		}
	}
	if tried < 60 {
		t.Errorf("only %d defaults could be tried", tried)
	}
}
