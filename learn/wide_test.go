package learn

import (
	"path/filepath"
	"testing"

	"github.com/afterstate2048/afterstate/rules/board"
)

// A training on boards that do not fit into a word, with restarts and downgrading, is resumed bit for bit.
func TestWideResume(t *testing.T) {
	size := board.Size{Rows: 5, Cols: 5}
	options := func(games uint64, file string) Options {
		return Options{
			Network: network(t, size, "0123 01256"), Coherent: true, Lambda: 0.5, Seed: 3, Games: games, Downgrade: 256,
			RestartShare: 0.5, RestartTile: 32, Checkpoint: file,
		}
	}
	whole := runs(t, trainer(t, options(60, "")))
	file := filepath.Join(t.TempDir(), "checkpoint")
	runs(t, trainer(t, options(40, file)))
	rest := runs(t, resume(t, file, Options{Games: 60, Checkpoint: file}, nil))
	if got, want := rest.Network().Checksum(), whole.Network().Checksum(); got != want || rest.Tally() != whole.Tally() {
		t.Errorf("checksum %08x after a pause, want %08x; %+v, want %+v", got, want, rest.Tally(), whole.Tally())
	}
	boards := 0
	pool := rest.games.(*gamesOn[board.Board]).pool
	for m, stored := range pool.boards {
		for _, b := range stored {
			if got, ok := pool.milestone(b); !ok || got != m {
				t.Errorf("%v stored as %d, is %d", b, m, got)
			}
			boards++
		}
	}
	if boards < minStored || len(pool.all()) != boards*size.Rows {
		t.Errorf("%d boards stored", boards)
	}
}

// Rewards and milestones are correct for tiles above 32768 too.
func TestWideLargeTiles(t *testing.T) {
	b := board.New(board.Size{Rows: 5, Cols: 5})
	b.Set(0, 17)
	b.Set(1, 17)
	n := network(t, b.Size(), "0123 01256")
	w := newWideThread(n, frozen{})
	k := w.kind.(*onBoards)
	if !k.begin(b) {
		t.Fatal("no move")
	}
	merged := false
	for i := range k.batch.N {
		merged = merged || k.points[i] == 1<<18 && k.boards.Boards[i].Largest() == 18
	}
	if !merged {
		t.Errorf("points %v: must be a move that makes 2^18", k.points)
	}
	p := newWidePool(b.Size(), 14)
	if m, ok := p.milestone(b); !ok || m != min(2<<17>>13-2, milestones-1) {
		t.Errorf("milestone %d, %v", m, ok)
	}
	var tally Tally
	tally.add(&Outcome{Final: b})
	if tally.Reached(17) != 1 || tally.Reached(18) != 0 {
		t.Errorf("%+v", tally)
	}
	if storedWords(b.Size()) != 5 || storedWords(board.Size{Rows: 3, Cols: 5}) != 1 {
		t.Error("words of a stored board")
	}
}
