package arena

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"math/bits"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	must.Golden(t, filepath.Join("testdata", name), got)
}

// played makes up games from scores and highest tiles: 10 moves a game for each
// exponent, 1.5 ms a move.
func played(name string, scores []int64, exponents []uint8) PlayerResults {
	p := PlayerResults{Name: name}
	for i, score := range scores {
		moves := 10 * int(exponents[i])
		p.Games = append(p.Games, Outcome{
			Seed: 42, Index: uint64(i), Score: score, Largest: exponents[i],
			Moves: moves, Elapsed: time.Duration(moves) * 1500 * time.Microsecond,
		})
	}
	return p
}

func sample() *Results {
	snake := played("expectimax(eval=snake,plies=3)", []int64{20000, 32004, 8000, 25096}, []uint8{11, 11, 9, 11})
	seeing := played("foresight", []int64{60000, 70000, 65000, 71000}, []uint8{12, 12, 12, 12})
	seeing.Foresees = true
	clock := played("ntuple(time=5ms)", []int64{20004, 31000, 9000, 25000}, []uint8{11, 11, 9, 11})
	clock.TimeLimited = true
	return &Results{
		Setup: Setup{Size: board.Size{Rows: 4, Cols: 4}, Seed: 42}, Games: 4,
		Players: []PlayerResults{played("random", []int64{1000, 1204, 800, 996}, []uint8{7, 7, 6, 7}), snake, seeing, clock},
	}
}

// stopped is a run that was interrupted: one player has one game, one has none.
func stopped() *Results {
	r := sample()
	r.Stop.Tile = 2048
	r.Games = 5
	r.Players = []PlayerResults{r.Players[1], {Name: "exec(cmd=\"python3 bot.py --with a --very-long line\",protocol=lines)"}, r.Players[3]}
	r.Players[2].Games = r.Players[2].Games[:1]
	return r
}

func TestGoldenReports(t *testing.T) {
	for name, r := range map[string]*Results{"whole": sample(), "stopped": stopped()} {
		line, err := json.Marshal(r.Statistics())
		if err != nil {
			t.Fatal(err)
		}
		golden(t, name+".json", append(line, '\n'))
		var csv bytes.Buffer
		if err := r.WriteCSV(&csv); err != nil {
			t.Fatal(err)
		}
		golden(t, name+".csv", csv.Bytes())
	}
}

func TestReachedTiles(t *testing.T) {
	for _, c := range []struct {
		name      string
		exponents []uint8
		until     int64
		want      []uint8
	}{
		{"from the tile all reached", []uint8{10, 12, 13}, 0, []uint8{10, 11, 12, 13}},
		{"2048 when it is far above", []uint8{5, 6}, 0, []uint8{5, 6, 11}},
		{"2048 when it is below", []uint8{13, 14}, 0, []uint8{11, 13, 14}},
		{"no games", nil, 0, []uint8{11}},
		{"none above until", []uint8{7, 9}, 512, []uint8{7, 8, 9}},
		{"until itself", []uint8{7, 8}, 4096, []uint8{7, 8, 11, 12}},
		{"until that all passed at once", []uint8{2, 1}, 2, []uint8{1}},
	} {
		r := &Results{Setup: Setup{Size: board.Size{Rows: 4, Cols: 4}, Stop: game.Stop{Tile: c.until}}, Games: 3}
		r.Players = []PlayerResults{{Name: "none"}, played("some", make([]int64, len(c.exponents)), c.exponents)}
		report := r.Statistics()
		for _, p := range report.Players {
			var got []uint8
			for _, s := range p.Reached {
				got = append(got, uint8(bits.TrailingZeros64(uint64(s.Tile))))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s, player %s (-want +got):\n%s", c.name, p.Player, diff)
			}
		}
	}
}

func TestOneGameIsHonest(t *testing.T) {
	r := &Results{Setup: Setup{Size: board.Size{Rows: 4, Cols: 4}}, Games: 1, Players: []PlayerResults{played("random", []int64{1000}, []uint8{7})}}
	line, err := json.Marshal(r.Statistics())
	if err != nil {
		t.Fatal(err)
	}
	if want := `"mean_score":1000,"mean_score_ci95":null`; !strings.Contains(string(line), want) {
		t.Errorf("%s lacks %s", line, want)
	}
}

func TestCSVReportsErrors(t *testing.T) {
	pipe, out := io.Pipe()
	_ = pipe.CloseWithError(errors.New("disk full"))
	if err := sample().WriteCSV(out); err == nil || err.Error() != "disk full" {
		t.Errorf("error %v", err)
	}
}

// Reports tell how many games were forfeited, and why.
func TestForfeitsInReports(t *testing.T) {
	r := sample()
	for i, g := range []player.Forfeit{{}, {Reason: "no answer within 1s"}, {Reason: "it ended", Detail: "exit status 1"}, {Reason: "it ended", Detail: "exit status 2"}} {
		r.Players[1].Games[i].Forfeit = g
	}
	line, err := json.Marshal(r.Statistics().Players[1])
	if err != nil {
		t.Fatal(err)
	}
	want := `"forfeits":{"games":3,"reasons":[{"reason":"it ended","games":2,"first_game":2,"detail":"exit status 1"},{"reason":"no answer within 1s","games":1,"first_game":1}]}`
	if !strings.Contains(string(line), want) {
		t.Errorf("%s\nwant %s", line, want)
	}
}

// Workers report times, which may be as long as they like.
func TestEndlessTimes(t *testing.T) {
	p := played("greedy", []int64{100, 200}, []uint8{4, 5})
	p.Games[0].Elapsed, p.Games[1].Elapsed = math.MaxInt64, math.MaxInt64
	s := (&Results{Players: []PlayerResults{p}}).Statistics().Players[0]
	if s.MSPerMove != stats.Figure(float64(math.MaxInt64)/1e6/float64(s.Moves)) || s.MovesPerSecond <= 0 {
		t.Errorf("%d moves, %g ms per move", s.Moves, s.MSPerMove)
	}
}
