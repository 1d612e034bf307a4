//go:build browser || pictures

package serve

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/advice/review"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/player/levels"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

// playedGame is a game as the page stores it.
type playedGame struct {
	UID     string      `json:"uid"`
	Size    board.Size  `json:"size"`
	Spawn   string      `json:"spawn"`
	Seed    uint64      `json:"seed"`
	Moves   string      `json:"moves"`
	Count   int         `json:"count"`
	Undone  int         `json:"undone"`
	Keep    bool        `json:"keep"`
	Score   int64       `json:"score"`
	When    int64       `json:"when"`
	Largest int64       `json:"largest"`
	Over    bool        `json:"over"`
	Review  *gameReview `json:"review"`
}

type gameReview struct {
	Level  string                 `json:"level"`
	Deep   bool                   `json:"deep"`
	Game   protocol.ReviewTally   `json:"game"`
	Phases []protocol.PhaseReview `json:"phases"`
	Luck   *gameLuck              `json:"luck"`
}

type gameLuck struct {
	Expected float64 `json:"expected"`
	Moves    float64 `json:"moves"`
	Luck     float64 `json:"luck"`
	SD       float64 `json:"sd"`
}

// replay plays the game again.
func (p *playedGame) replay(t *testing.T) *game.Game {
	t.Helper()
	packed := must.Get(base64.RawURLEncoding.DecodeString(p.Moves))(t)
	return replayed(t, p.Size, p.Seed, must.Get(record.UnpackMoves(packed, p.Count))(t))
}

// luckier is the share of games with less luck.
func (p *playedGame) luckier() float64 {
	l := protocol.Ledger{Luck: p.Review.Luck.Luck, LuckSD: p.Review.Luck.SD}
	return l.Luckier()
}

// monthOfGames are a hundred games of a visitor over June, the oldest first. Those on 2x3 are not judged yet.
func monthOfGames(t *testing.T) (all []playedGame) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	begin := time.Date(2024, 6, 1, 9, 0, 0, 0, time.Local)
	for i := range 100 {
		size := board.Size{Rows: 4, Cols: 4}
		switch {
		case i%25 == 24:
			size = board.Size{Rows: 2, Cols: 3}
		case i%10 == 5:
			size = board.Size{Rows: 3, Cols: 3}
		}
		g := must.Get(game.New(game.Options{Size: size, Spawner: game.NewRandom(uint64(i), 0, game.P4)}))(t)
		var moves []board.Direction
		for !g.Over() {
			d := board.Direction(random.IntN(4))
			if random.IntN(120) < i { // the visitor learns to keep to a corner
				d = []board.Direction{board.Left, board.Down, board.Right, board.Up}[random.IntN(2)]
			}
			for g.Move(d) != nil {
				d = (d + 1) % 4
			}
			moves = append(moves, d)
		}
		b := g.Board()
		p := playedGame{
			UID: fmt.Sprint("game", i), Size: size, Spawn: "random", Seed: uint64(i), Moves: base64.RawURLEncoding.EncodeToString(record.PackMoves(moves)), Count: g.Moves(), Score: g.Score(),
			When: begin.Add(time.Duration(i) * 7 * time.Hour).UnixMilli(), Largest: board.Tile(b.Largest()), Over: true,
		}
		if size.Cells() > 6 {
			p.Review = reviewOf(random, i)
		}
		all = append(all, p)
	}
	level := levelOfGames(t, all)
	for i := range all {
		if r := all[i].Review; r != nil && all[i].Size == bitboard.Size {
			r.Level = level
		}
	}
	return all
}

// usualScore is the median score of the last twenty games on 4x4.
func usualScore(all []playedGame) float64 {
	var scores []float64
	for _, g := range ofSize(all, "4x4") {
		scores = append(scores, float64(g.Score))
	}
	return stats.Median(scores[max(0, len(scores)-20):])
}

// levelOfGames is the level of a visitor who has played these games.
func levelOfGames(t *testing.T, all []playedGame) string {
	t.Helper()
	start := board.New(bitboard.Size)
	level := must.Get(levels.Choose("", &start, usualScore(all)))(t)
	return level.Name
}

// reviewOf is an invented review of a visitor who gets better.
func reviewOf(random *rand.Rand, i int) *gameReview {
	r := &gameReview{Deep: true}
	var whole review.Tally
	for phase := range review.Phases[:1+i/20] {
		var t review.Tally
		for range 50 + random.IntN(100) {
			loss := 0.0
			if random.IntN(100+i) < 30 {
				loss = 0.15 * random.Float64() * float64(1+phase) / 3
			}
			m := review.Judgement{Phase: review.Phases[phase]}
			m.Loss, m.Accuracy, m.Class = loss, math.Exp(-6*loss), protocol.ClassBest
			switch {
			case loss > 0.1:
				m.Class = protocol.ClassBlunder
			case loss > 0.05:
				m.Class = protocol.ClassMistake
			}
			t.Add(&m)
			whole.Add(&m)
		}
		r.Phases = append(r.Phases, protocol.PhaseReview{Phase: review.Phases[phase], ReviewTally: tallied(&t)})
	}
	r.Game = tallied(&whole)
	r.Luck = &gameLuck{Expected: 261_000, Luck: 90_000 * (random.Float64() - 0.5), SD: 30_000}
	return r
}

func tallied(t *review.Tally) protocol.ReviewTally {
	accuracy, loss := t.Accuracy(), t.MeanLoss()
	return protocol.ReviewTally{Moves: t.Moves, Forced: t.Forced, Accuracy: &accuracy, Loss: &loss, Classes: t.Classes}
}

// text is JSON as JavaScript writes it.
func jsonText(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	must.Do(t, e.Encode(v))
	return strings.TrimSpace(b.String())
}

// backupOf is a backup of games, with some drills and settings.
func backupOf(t *testing.T, games []playedGame) string {
	t.Helper()
	data := backedUp{map[string]string{"afterstate.drills": twoDrills, "afterstate.speed": "20", "afterstate.best": `{"4x4":123456}`}, map[string]string{}}
	for _, g := range games {
		data.Values["played "+g.UID] = jsonText(t, g)
	}
	return data.file(t)
}

// backedUp is the data of a backup.
type backedUp struct {
	Local  map[string]string `json:"local"`
	Values map[string]string `json:"values"`
}

func (data backedUp) file(t *testing.T) string {
	t.Helper()
	return jsonText(t, map[string]any{
		"afterstate_backup": 1, "written": "2025-07-01T12:00:00.000Z", "crc32": fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(jsonText(t, data)))), "data": data,
	})
}

// restore restores a backup by its file and leaves the dialog with the result open.
func (b *tab) restore(text string) {
	b.t.Helper()
	b.more("backup")
	b.until(`document.querySelector('input[type=file]')`)
	b.give("choose", []byte(text), "application/json")
	b.until(`document.querySelector('dialog[open]') && ` + b.says("Restore this backup?"))
	b.run(evaluate(`document.querySelector('dialog[open] .button.main').click()`))
	b.until(fmt.Sprintf(`document.querySelector('dialog[open] h2')?.innerText === %q`, b.say("Restored")))
}

// finishRestore closes the dialog of a restored backup, which loads the page again.
func (b *tab) finishRestore() {
	b.t.Helper()
	b.reloaded(func() { b.click("Done") })
}

// backup writes a backup and returns the file.
func (b *tab) backup() string {
	b.t.Helper()
	b.run(evaluate(`(() => {
		window.written = null
		URL.createObjectURL = (blob) => { blob.text().then(t => { window.written = t }); return '' }
		HTMLAnchorElement.prototype.click = function () {}
	})()`))
	b.more("backup")
	b.click("Save a backup")
	b.until(`window.written`)
	return js[string](b, `window.written`)
}

// stored is all that the page stores, as text; the state of the games that are played now is left out.
func (b *tab) stored() string {
	b.t.Helper()
	b.run(evaluate(`window.kept = null; (async () => {
		const db = await new Promise(done => { const r = indexedDB.open('afterstate', 1); r.onsuccess = () => done(r.result) })
		const s = db.transaction('values').objectStore('values')
		const all = r => new Promise(done => { r.onsuccess = () => done(r.result) })
		const [keys, values] = await Promise.all([all(s.getAllKeys()), all(s.getAll())])
		db.close()
		window.kept = JSON.stringify([keys.map((k, i) => [k, values[i]]), Object.entries(localStorage).filter(([k]) => !['afterstate.games', 'afterstate.last'].includes(k)).sort()])
	})()`))
	b.until(`window.kept`)
	return js[string](b, `window.kept`)
}

const gameRows = `[...document.querySelectorAll('#games .played')].map(r => r.innerText.replace(/\s+/g, ' ').trim())`

// more is the condition that a part of Games is open; it opens it.
func (b *tab) more(part string) {
	b.t.Helper()
	b.until(`document.querySelector('#` + part + `')?.open || document.querySelector('#` + part + ` summary')?.click()`)
}

func groupedNumber(n int64) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", groupedNumber(n/1000), n%1000)
}

func rounded(x float64) string { return groupedNumber(int64(math.Floor(x + 0.5))) }

func inPercent(x float64) string { return fmt.Sprintf("%.0f %%", math.Floor(100*x+0.5)) }

func asPercent(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }
