package serve

import "testing"

// board.parse returns the board, its score if the text has one, and both readings of letters that may be walls; rules/board has the
// notations.
func TestParseBoard(t *testing.T) {
	c := start(t, Options{})
	for text, want := range map[string]string{
		`2 . 4\n. . .\n16 . .`: `{"board":[[2,0,4],[0,0,0],[16,0,0]],"score":null,"text":"2,0,4/0,0,0/16,0,0"}`,
		`ff00000000000001`:     `{"board":[[32768,32768,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,2]],"score":null,"text":"32768,32768,0,0/0,0,0,0/0,0,0,0/0,0,0,2","readings":[[[32768,32768,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,2]],[[32768,16384,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,2]]]}`,
		`\"{\\\"grid\\\":{\\\"size\\\":2,\\\"cells\\\":[[null,{\\\"value\\\":8}],[null,null]]}}\"`: `{"board":[[0,0],[8,0]],"score":0,"text":"0,0/8,0"}`,
		`{\"grid\":{\"size\":2,\"cells\":[[null,null]]}}`:                                          `-32602 board.parse: text: the original page's state: 1 columns: must be 2`,
		`{\"grid\":{\"size\":2,\"cells\":[[null],[null,null]]}}`:                                   `-32602 board.parse: text: the original page's state: column 1 has 1 cells: must be 2`,
		`{\"grid\":{\"size\":2,\"cells\":[[null,{\"value\":3}],[]]}}`:                              `-32602 board.parse: text: the original page's state: column 1, cell 2: 3 is not a tile`,
		`{\"grid\":{\"size\":2,\"cells\":[[],[]]},\"score\":-4}`:                                   `-32602 board.parse: text: the original page's state: score -4: must be 0 or more`,
	} {
		if got := c.ask("board.parse", `{"text":"`+text+`"}`); got != want {
			t.Errorf("%s\n gives %s\n want  %s", text, got, want)
		}
	}
}
