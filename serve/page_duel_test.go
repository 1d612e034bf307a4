//go:build browser || pictures

package serve

import (
	"encoding/base64"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/afterstate2048/afterstate/advice/review"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

const (
	verdict  = `document.querySelector('#verdict').innerText.replace(/\s+/g, ' ').trim()`
	compared = `[...document.querySelectorAll('#compared tr')].map(r => [...r.cells].map(c => c.innerText.trim()).join('|'))`
)

// summed is the end of a duel's link: the checksum of what is before it.
func summed(text string) string {
	return fmt.Sprintf("%s/%08x", text, crc32.ChecksumIEEE([]byte(text)))
}

// duelGame is the game of a player as the link of a duel has it.
func duelGame(size string, seed uint64, by string, moves ...board.Direction) string {
	packed := base64.RawURLEncoding.EncodeToString(record.PackMoves(moves))
	if packed == "" {
		packed = "-"
	}
	return fmt.Sprintf("%s/%d/%d/%s/%s", size, seed, len(moves), packed, by)
}

// playedBy plays a game of a seed until it is over, or has some moves: each move is the first legal one of those.
func playedBy(t *testing.T, size string, seed uint64, most int, order ...board.Direction) (*game.Game, []board.Direction) {
	t.Helper()
	g := must.Get(game.New(game.Options{Size: must.Get(board.ParseSize(size))(t), Spawner: game.NewRandom(seed, 0, game.P4)}))(t)
	var moves []board.Direction
	for !g.Over() && len(moves) < most {
		for _, d := range order {
			if g.Move(d) == nil {
				moves = append(moves, d)
				break
			}
		}
	}
	return g, moves
}

// replayed plays moves of a game of a seed again.
func replayed(t *testing.T, size board.Size, seed uint64, moves []board.Direction) *game.Game {
	t.Helper()
	g := must.Get(game.New(game.Options{Size: size, Spawner: game.NewRandom(seed, 0, game.P4)}))(t)
	for _, d := range moves {
		must.Do(t, g.Move(d))
	}
	return g
}

// replayLink plays the last game of a duel's link again.
func replayLink(t *testing.T, link string) *playedGame {
	t.Helper()
	parts := strings.Split(link[strings.Index(link, "today/duel/")+len("today/duel/"):], "/")
	of := parts[len(parts)-6 : len(parts)-1]
	p := playedGame{Size: must.Get(board.ParseSize(of[0]))(t), Seed: must.Get(strconv.ParseUint(of[1], 10, 64))(t), Count: must.Get(strconv.Atoi(of[2]))(t), Moves: of[3]}
	g := p.replay(t)
	b := g.Board()
	p.Score, p.Largest, p.Over = g.Score(), board.Tile(b.Largest()), g.Over()
	return &p
}

// rowsOf are the rows of the comparison of two games.
func rowsOf(t *testing.T, names [2]string, games ...*playedGame) []string {
	t.Helper()
	rows := []string{"Figure|" + strings.Join(names[:], "|"), "Score", "Largest tile", "Moves", "Accuracy", "Luckier than"}
	for _, g := range games {
		if g.Review == nil {
			g.Review = judgedGame(t, g)
		}
		for i, x := range []string{groupedNumber(g.Score), groupedNumber(g.Largest), groupedNumber(int64(g.Count)), asPercent(*g.Review.Game.Accuracy), inPercent(g.luckier()) + " of games"} {
			rows[i+1] += "|" + x
		}
	}
	return rows
}

// copied makes the page copy a link by a button, and returns it.
func (b *tab) copied(button string) string {
	b.t.Helper()
	b.run(evaluate(clipboard), evaluate(`window.copied = ''`))
	b.click(button)
	b.until(`window.copied && ` + `/copied\./i.test(` + dialog + `)`)
	link := js[string](b, `window.copied`)
	b.press(kb.Escape)
	b.until(`!document.querySelector('dialog[open]')`)
	return link
}

// fragment is the part of an address from its # on.
func fragment(link string) string { return link[strings.Index(link, "#"):] }

// A duel is decided between two browsers by links alone: the challenge, an answer with a game, and the result.
func testDuel(t *testing.T, in pages, sc screen) {
	s := in.site(t)
	a := open(t, in, s, sc, "")
	a.until(ready)
	a.play(3)
	own, ownMoves := js[string](a, text), js[int](a, moves)
	a.visit("#today", ready)
	a.click("Challenge a friend")
	a.until(`[...document.querySelectorAll('h2')].some(h => h.innerText === 'Challenge a friend')`)
	a.set(sizeField, "2x3")
	challenge := a.copied("Make a link")
	a.until(`document.querySelector('#duels')?.innerText.includes('Not played yet')`)
	a.shot("duels")

	// The friend plays the board, once.
	b := open(t, in, s, sc, fragment(challenge))
	b.until(verdict + ` === 'Nobody has played this board yet.'`)
	b.click("Play this board")
	b.until(ready + ` && location.hash.endsWith('/play') && document.body.innerText.includes('without undo or hints')`)
	b.play(1)
	made, now := js[int](b, moves), js[string](b, text)
	b.press("u", "r", "n", " ")
	b.steady()
	if js[int](b, moves) != made || js[string](b, text) != now || b.holds(`document.querySelector('dialog[open], .edge em')`) || b.holds(named("Undo")) || b.holds(named("Hint")) {
		t.Error("a duel can be undone, begun again or has hints")
	}
	b.shot("duel-play")
	b.visit("#play", ready+` && document.querySelectorAll('.board .cell').length === 16`) // and the duel waits
	b.reload()
	b.until(ready)
	b.visit("#today/duel", `document.querySelector('#duels')?.innerText.includes('No answer yet')`)
	b.run(evaluate(`document.querySelector('#duels button').click()`))
	b.until(verdict + `.includes('Your game is not finished.')`)
	b.click("Play on")
	b.until(fmt.Sprintf(`location.hash.endsWith('/play') && %s === %d && %s === %q`, moves, made, text, now))
	b.playUntil(isOver)
	b.shot("duel-over")
	b.run(evaluate(`document.querySelector('.over .button.main').click()`))
	b.until(verdict + ` === 'Your friend has not answered yet.'`)
	first := b.copied("Send your game")

	// The challenger opens the answer before playing: it is what is to beat.
	a.run(chromedp.Navigate("about:blank"), chromedp.Navigate(first))
	theirs := replayLink(t, first)
	a.until(fmt.Sprintf(`%s === 'To beat: %s points.' && %s.length === 4`, verdict, groupedNumber(theirs.Score), compared))
	a.shot("duel-challenged")
	a.click("Play this board")
	a.until(ready + ` && location.hash.endsWith('/play')`)
	a.playUntil(isOver, board.Right, board.Down, board.Up, board.Left)
	a.run(evaluate(`document.querySelector('.over .button.main').click()`))
	a.until(verdict + `.length > 5`)
	last := a.copied("Send your game")
	mine := replayLink(t, last)
	want := func(names [2]string, verb [2]string, x, y *playedGame) string {
		switch {
		case x.Score > y.Score:
			return fmt.Sprintf("%s %s: %s points more.", names[0], verb[0], groupedNumber(x.Score-y.Score))
		case x.Score < y.Score:
			return fmt.Sprintf("%s %s: %s points more.", names[1], verb[1], groupedNumber(y.Score-x.Score))
		}
		return "A draw."
	}
	check := func(x *tab, names [2]string, verb [2]string, games ...*playedGame) {
		t.Helper()
		x.until(fmt.Sprintf(`%s === %q`, verdict, want(names, verb, games[0], games[1])))
		x.until(fmt.Sprintf(`%s.join('\n') === %q`, compared, strings.Join(rowsOf(t, names, games...), "\n")))
	}
	check(a, [2]string{"You", "Your friend"}, [2]string{"win", "wins"}, mine, theirs)
	a.shot("duel-result")
	a.axeSchemes("a duel")
	b.run(chromedp.Navigate("about:blank"), chromedp.Navigate(last))
	check(b, [2]string{"You", "Your friend"}, [2]string{"win", "wins"}, theirs, mine)
	c := open(t, in, s, sc, fragment(last)) // somebody else
	check(c, [2]string{"Player 1", "Player 2"}, [2]string{"wins", "wins"}, theirs, mine)

	// Both games side by side, with the difference.
	c.click("Side by side")
	c.until(`location.hash.startsWith('#today/beside/') && document.querySelectorAll('.beside .board .tile').length > 3`)
	c.press(kb.End)
	lead := fmt.Sprintf("leads: %s points more after", groupedNumber(max(theirs.Score-mine.Score, mine.Score-theirs.Score)))
	if theirs.Score == mine.Score {
		lead = "Equal after"
	}
	c.until(fmt.Sprintf(`[...document.querySelectorAll('.beside .score')].map(e => e.innerText).join(' ') === '%s %s' && document.querySelector('#lead').innerText.includes(%q) && document.querySelector('.chart canvas')`,
		groupedNumber(theirs.Score), groupedNumber(mine.Score), lead))
	c.shot("duel-beside")
	c.press(kb.Home, "n", "n", "b")
	c.until(`[...document.querySelectorAll('.beside .moves')].map(e => e.innerText).join(' ') === '1 1'`)
	c.axeSchemes("two games")
	for _, x := range []*tab{a, b, c} {
		x.until(`document.documentElement.scrollWidth <= innerWidth`)
	}

	// The duel is kept, and in the backup; a game of one's own is as it was.
	a.run(navigate("#today/duel"))
	outcome := map[bool]string{true: "You won", false: "Your friend won"}[mine.Score > theirs.Score]
	if mine.Score == theirs.Score {
		outcome = "A draw"
	}
	a.until(fmt.Sprintf(`document.querySelector('#duels')?.innerText.includes(%q)`, outcome))
	a.axeSchemes("all duels")
	a.visit("#play", fmt.Sprintf(`%s && %s === %d && %s === %q`, ready, moves, ownMoves, text, own))
	a.visit("#games", gameRows+`.length === 1`)
	saved := a.backup()
	d := open(t, in, s, sc, "#games")
	d.restore(saved)
	d.until(`document.querySelector('dialog[open]').innerText.includes('1 duel added or completed.')`)
	d.finishRestore()
	d.until(gameRows + `.length === 1`)
	d.visit("#today/duel", fmt.Sprintf(`document.querySelector('#duels')?.innerText.includes(%q)`, outcome))
	d.run(evaluate(`document.querySelector('#duels button').click()`))
	check(d, [2]string{"You", "Your friend"}, [2]string{"win", "wins"}, mine, theirs)
	d.click("All duels")
	d.until(`document.querySelector('#duels')`)
	d.run(evaluate(`document.querySelectorAll('#duels button')[1].click()`))
	d.click("Delete it")
	d.until(`!document.querySelector('#duels')`)
	for _, x := range []*tab{a, b, c, d} {
		x.clean()
	}
}

// With a goal the fewest moves to it win, whatever the score.
func testDuelGoal(t *testing.T, in pages, sc screen) {
	const seed = 7
	short, shortMoves := playedBy(t, "3x3", seed, 1000, board.Left, board.Down, board.Right, board.Up)
	_, longMoves := playedBy(t, "3x3", seed, 1000, board.Up, board.Down, board.Left, board.Right)
	reach := func(moves []board.Direction) int { // the number of moves until a 16
		return 1 + slices.IndexFunc(review.Positions(replayed(t, board.Size{Rows: 3, Cols: 3}, seed, moves))[1:], func(p review.Position) bool { return board.Tile(p.Board.Largest()) >= 16 })
	}
	x, y := reach(shortMoves), reach(longMoves)
	link := "#today/duel/" + summed("16/"+duelGame("3x3", seed, "0000000a", shortMoves...)+"/"+duelGame("3x3", seed, "0000000b", longMoves...))
	b := open(t, in, in.site(t), sc, link)
	want := fmt.Sprintf("Player 1 wins: 16 after %d moves, %d fewer.", x, y-x)
	switch {
	case x > y:
		want = fmt.Sprintf("Player 2 wins: 16 after %d moves, %d fewer.", y, x-y)
	case x == y || min(x, y) == 0:
		t.Fatal("no difference, or no 16: choose another seed")
	}
	b.until(fmt.Sprintf(`%s === %q`, verdict, want))
	b.until(fmt.Sprintf(`%s.includes('Moves to 16|%d|%d') && %s.some(r => r.startsWith('Score|%s|'))`, compared, x, y, compared, groupedNumber(short.Score())))
	b.clean()
}

// The games of two players are both kept if one game is a prefix of the other, and if they are equal.
func testDuelAlike(t *testing.T, in pages, sc screen) {
	const seed = 5
	_, all := playedBy(t, "2x2", seed, 1000, board.Left, board.Down, board.Right, board.Up)
	link := func(parts ...string) string { return "#today/duel/" + summed("0/"+strings.Join(parts, "/")) }
	s := in.site(t)
	a := open(t, in, s, sc, link(duelGame("2x2", seed, "00000000")))
	a.until(verdict + ` === 'Nobody has played this board yet.'`)
	a.click("Play this board")
	a.until(ready + ` && location.hash.endsWith('/play')`)
	a.press(moveKeys[all[0]], moveKeys[all[1]])
	a.steady()
	a.run(navigate(link(duelGame("2x2", seed, "0000000b", all...))))
	a.until(verdict + `.startsWith('Not decided: your game is not finished.')`)
	a.click("Play on")
	a.until(ready + ` && location.hash.endsWith('/play')`)
	for _, d := range all[2:] {
		a.press(moveKeys[d])
		a.steady()
	}
	a.until(`document.querySelector('.over')`)
	a.click("Result")
	a.until(verdict + ` === 'A draw.' && document.querySelectorAll('#compared th[scope=col]').length === 3`)
	a.visit("#today/duel", `document.querySelector('#duels')?.innerText.includes('A draw')`)

	// Another friend's game, which is not finished, opens the duel again.
	a.visit(link(duelGame("2x2", seed, "0000000c", all[:3]...)), verdict+`.startsWith('Not decided: ') && document.querySelectorAll('#compared th[scope=col]').length === 4`)
	a.visit("#today/duel", `document.querySelector('#duels')?.innerText.includes('Not decided yet')`)
	a.clean()
}

// A link that was changed is refused, and the page says what is wrong with it.
func testDuelRefused(t *testing.T, in pages, sc screen) {
	const seed = 4_000_000_007
	_, moves := playedBy(t, "4x4", seed, 9, board.Left, board.Down, board.Right, board.Up)
	_, other := playedBy(t, "4x4", seed, 6, board.Down, board.Left, board.Right, board.Up)
	mine, theirs := duelGame("4x4", seed, "0000000a", moves...), duelGame("4x4", seed, "0000000b", other...)
	good := summed("512/" + mine + "/" + theirs)
	sum := good[len(good)-8:]
	stuck, illegal := replayed(t, board.Size{Rows: 4, Cols: 4}, seed, moves), slices.Clone(moves)
	for stuck.Move(board.Left) == nil {
		illegal = append(illegal, board.Left)
	}
	illegal = append(illegal, board.Left)
	b := open(t, in, in.site(t), sc, "")
	b.until(ready)
	b.play(3)
	kept := js[string](b, games)
	changed := func(old, new string) string { return strings.Replace(good, old, new, 1) }
	for _, x := range map[string]struct{ link, says string }{
		"seed":           {changed("4000000007", "4000000008"), "its two games are on different boards"},
		"both seeds":     {strings.ReplaceAll(good, "4000000007", "4000000009"), "it was changed: its checksum is “" + sum + "”"},
		"size":           {strings.ReplaceAll(good, "4x4", "4x5"), "it was changed: its checksum is"},
		"no size":        {strings.ReplaceAll(good, "4x4", "9x9"), "its size is “9x9”; it must be 2x2 to 6x6"},
		"goal":           {changed("512/", "256/"), "it was changed: its checksum is"},
		"no goal":        {changed("512/", "500/"), "its goal is “500”; it must be 0, or a tile from 4 to 131072"},
		"no seed":        {strings.ReplaceAll(good, "4000000007", "-7"), "its seed is “-7”; it must be a whole number"},
		"a move":         {changed(mine, duelGame("4x4", seed, "0000000a", append([]board.Direction{board.Up}, moves[1:]...)...)), "it was changed: its checksum is"},
		"fewer moves":    {changed(mine, duelGame("4x4", seed, "0000000a", moves[:5]...)), "it was changed: its checksum is"},
		"lost moves":     {changed("/9/", "/13/"), "the moves of game 1 are damaged"},
		"player":         {changed("/0000000a/", "/me/"), "the moves of game 1 are damaged"},
		"checksum":       {good[:len(good)-1] + string("0123456789abcdef0"[strings.IndexByte("0123456789abcdef", good[len(good)-1])+1]), "it was changed: its checksum is"},
		"end":            {good[:len(good)-20], "its end is missing, or something was added"},
		"more":           {good + "/1", "its end is missing, or something was added"},
		"an empty one":   {"512", "its end is missing, or something was added"},
		"an illegal one": {summed("512/" + duelGame("4x4", seed, "0000000a", illegal...)), fmt.Sprintf("game 1 breaks the rules: move %d (%v)", len(illegal), illegal[len(illegal)-1])},
		"with checksum":  {summed("512/" + mine + "/" + duelGame("4x4", seed, "0000000b", illegal...)), "game 2 breaks the rules: move"},
	} {
		b.run(navigate("#play"), navigate("#today/duel/"+x.link))
		b.until(fmt.Sprintf(`document.querySelector('[role=alert]')?.innerText.startsWith('This link is not a valid duel: ') && document.querySelector('[role=alert]').innerText.includes(%q)`, x.says))
		b.run(navigate("#today/beside/" + x.link))
		b.until(`document.querySelector('[role=alert]')?.innerText.startsWith('This link is not a valid duel: ')`)
	}
	b.visit("#today/duel/"+good, verdict+`.startsWith('Not decided: ')`)
	b.visit("#today/duel", `document.body.innerText.includes('are kept here, in this browser only')`)
	if now := js[string](b, games); now != kept {
		t.Errorf("links change the games from %s to %s", kept, now)
	}
	b.clean()
}
