package serve

import (
	_ "embed"
	"fmt"
	"runtime"
	"testing"

	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/protocol"
)

// longGame is the packed moves of a 6x6 game of seed 1, four a byte in base64: a message
// of 45 kB that is nothing but moves.
//
//go:embed testdata/long-game.txt
var longGame string

func openLongGame() string {
	return fmt.Sprintf(`{"size":"6x6","seed":1,"moves":%q,"move_count":%d}`, longGame, len(longGame)*3)
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}

// Open games are small: connections with a game of 135,000 moves each.
func TestOpenGamesMemory(t *testing.T) {
	c := start(t, Options{})
	many := int64(10)
	if soak.Wanted() {
		many = 60
	}
	before := heap()
	var l *line
	for range many {
		l = c.dial() // of those that read nothing for long the server may close some: only the last one is used again
		if s := decode[protocol.GameState](t, l.ask("game.open", openLongGame())); s.Moves != len(longGame)*3 {
			t.Fatalf("opened %+v", s)
		}
	}
	each := (heap() - before) / many
	t.Logf("%d kB for each of %d connections with a game of %d moves", each/1000, many, len(longGame)*3)
	if each > 1_000_000 {
		t.Errorf("each game takes %d bytes", each)
	}
	// All of a game can be taken back.
	for range 1000 {
		l.send("game.undo", "")
		l.read()
	}
	if s := decode[protocol.GameState](t, l.ask("game.undo", "")); s.Undone != 1001 {
		t.Errorf("undone to %+v", s)
	}
}
