package formats_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/afterstate2048/afterstate/exchange/formats"
	"github.com/afterstate2048/afterstate/internal/must"
)

// Tables are read as spreadsheets and other systems write them.
func TestTablesOfOthers(t *testing.T) {
	const table = "player,board,move\nZoë 😀,2 2/0 0,3\nZoë 😀,4 0/0 2,1\nZoë 😀,0 4/2 2,\n"
	want := must.Get(readAll([]byte(table), nil))(t)
	if g := want[0]; len(want) != 1 || g.Record.Player != "Zoë 😀" || len(g.Moves) != 2 || g.Score != 4 {
		t.Fatalf("%+v", g)
	}
	tabs := strings.ReplaceAll(table, ",", "\t")
	for name, data := range map[string][]byte{
		"carriage returns": []byte(strings.ReplaceAll(table, "\n", "\r")), "both": []byte(strings.ReplaceAll(table, "\n", "\r\n")),
		"a separator": []byte("sep=;\r\n" + strings.ReplaceAll(table, ",", ";")), "a comma": []byte("SEP=,\n\n" + table), "a mark": []byte("\ufeff" + tabs),
	} {
		for _, f := range []*formats.Format{nil, formats.Named("csv")} {
			if got, err := readAll(data, f); err != nil || !cmp.Equal(got, want, same...) {
				t.Errorf("%s: %v, %s", name, err, cmp.Diff(got, want, same...))
			}
		}
	}
}

// Some programs begin with one tile.
func TestOneStartTile(t *testing.T) {
	for name, text := range map[string]string{
		"csv":       "board,move\n2 0/0 0,right\n0 2/2 0,left\n2 0/2 2,\n",
		"csv-moves": "size,spawn_cell,spawn_tile,move\n2x2,0,2,\n2x2,2,2,right\n2x2,3,2,left\n",
	} {
		games, err := readAll([]byte(text), nil)
		if err != nil || len(games) != 1 || games[0].Start.String() != "2,0/0,0" || games[0].Board.String() != "2,0/2,2" {
			t.Errorf("%s: %+v, %v", name, games, err)
		}
	}
	games, err := readAll([]byte("a:b@0|01#R11#L21|a@0"), nil)
	if err != nil || games[0].Start.String() != "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0" || len(games[0].Moves) != 2 {
		t.Errorf("framework: %+v, %v", games, err)
	}
}
