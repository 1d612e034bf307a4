package formats_test

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

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
	utf16Of := func(order binary.AppendByteOrder, text string) (all []byte) {
		for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
			all = order.AppendUint16(all, unit)
		}
		return all
	}
	tabs := strings.ReplaceAll(table, ",", "\t")
	for name, data := range map[string][]byte{
		"carriage returns": []byte(strings.ReplaceAll(table, "\n", "\r")), "both": []byte(strings.ReplaceAll(table, "\n", "\r\n")),
		"a separator": []byte("sep=;\r\n" + strings.ReplaceAll(table, ",", ";")), "a comma": []byte("SEP=,\n\n" + table), "a mark": []byte("\ufeff" + tabs),
		"UTF-16, little": utf16Of(binary.LittleEndian, tabs), "UTF-16, big": utf16Of(binary.BigEndian, strings.ReplaceAll(table, "\n", "\r")),
	} {
		for _, f := range []*formats.Format{nil, formats.Named("csv")} {
			if got, err := readAll(data, f); err != nil || !cmp.Equal(got, want, same...) {
				t.Errorf("%s: %v, %s", name, err, cmp.Diff(got, want, same...))
			}
		}
	}
	// A column for each cell.
	cells := strings.NewReplacer("board", "r1c1,r1c2,r2c1,r2c2", "2 2/0 0", "2,2,0,0", "4 0/0 2", "4,,0,2", "0 4/2 2", "0,4,2,2").Replace(table)
	if got, err := readAll([]byte(cells), nil); err != nil || !cmp.Equal(got, want, same...) {
		t.Errorf("%v, %s", err, cmp.Diff(got, want, same...))
	}
	for _, names := range []string{"0,1,2,3,4,5,6,7,8", "cell_1,cell_2,cell_3,cell_4,cell_5,cell_6,cell_7,cell_8,cell_9", "c8,c0,c1,c2,c3,c4,c5,c6,c7"} {
		text := "MOVE," + names + "\n,2,2,0,0,0,0,0,0,4\n"
		if strings.HasPrefix(names, "c8") {
			text = "MOVE," + names + "\n,4,2,2,0,0,0,0,0,0\n"
		}
		got, err := readAll([]byte(text), nil)
		if err != nil || got[0].Board.String() != "2,2,0/0,0,0/0,0,4" {
			t.Errorf("%s: %+v, %v", names, got, err)
		}
	}
	for _, names := range []string{"c0,c1,c2,c3", "c2,c3,c4,c5,c6,c7,c8,c9,c10", "c0,c1,c2,c3,c4,c5,c6,c7,c9", "r0c0,r0c1,r1c0,r1c2", "c0,c1,c2,c3,c4,c5,c6,c7,c8,c9"} {
		if got, err := readAll([]byte("move,"+names+"\n"), formats.Named("csv")); err == nil || !strings.Contains(err.Error(), "the first row must name") {
			t.Errorf("%s: %v, %v", names, got, err)
		}
	}
	// A file that ends within a character is an error of the table.
	if _, err := readAll(utf16Of(binary.LittleEndian, tabs)[:31], nil); err == nil {
		t.Error("half a table is read")
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
