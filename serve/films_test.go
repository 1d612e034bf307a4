//go:build pictures

package serve

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

// film is a recording to be made by script: each frame is drawn, so that it is the same every time.
type film struct {
	look          *look
	size          board.Size
	width, height int     // of the picture
	side          float64 // of a cell, in pixels
	codec         string
	endless       bool  // without a length, as browsers record
	pause, more   int64 // the least time of a move in milliseconds, and the most beyond
	slide, pop    int64 // likewise times of animations
	from          string
	moves         int
	seed          uint64
	cover         [2]int64 // when a message hides the board, in milliseconds
}

// filmed is what a film shows.
type filmed struct {
	game   *game.Game
	boards []board.Board // before each move, and at the end
	frames int
	data   []byte
}

// tileOf is a tile of a film: its exponent, and the cells from which and to which it slides.
type tileOf struct{ From, To, Exponent int }

// turn is a move of a film.
type turn struct {
	At     int64 // milliseconds
	Slides []tileOf
	Merged []tileOf
	Spawn  tileOf
	Score  int64
}

// play plays the film's game with moves that are not all foolish.
func (f *film) play(t *testing.T) (filmed, []turn, int64) {
	t.Helper()
	o := game.Options{Size: f.size, Spawner: game.NewRandom(f.seed, 0, game.P4)}
	if f.from != "" {
		b := must.Get(board.Parse(f.from))(t)
		o.Board = b
	}
	g := must.Get(game.New(o))(t)
	rng := rand.New(rand.NewPCG(f.seed, 41))
	out := filmed{game: g, boards: []board.Board{g.Board()}}
	var turns []turn
	now := int64(700)
	for g.Moves() < f.moves && !g.Over() {
		before := g.Board()
		d := board.Directions[[]int{2, 3, 2, 3, 1, 2, 3, 0}[rng.IntN(8)]]
		if g.Move(d) != nil {
			continue
		}
		step, _ := g.LastStep()
		after, _, _ := before.Slide(d)
		m := turn{At: now, Merged: []tileOf{}, Spawn: tileOf{step.Spawn.Cell, step.Spawn.Cell, int(step.Spawn.Exponent)}, Score: g.Score()}
		for _, s := range before.Motions(d) {
			m.Slides = append(m.Slides, tileOf{s.From, s.To, int(before.Cell(s.From))})
			if s.Merged {
				m.Merged = append(m.Merged, tileOf{s.To, s.To, int(after.Cell(s.To))})
			}
		}
		turns, out.boards = append(turns, m), append(out.boards, g.Board())
		now += f.pause + rng.Int64N(f.more+1)
	}
	return out, turns, now + 800
}

// filming draws and encodes a film, whose frames it puts into window.film.
const filming = `async (f) => {
	await document.fonts.load(f.Weight + ' 40px game')
	const canvas = new OffscreenCanvas(f.Width, f.Height), g = canvas.getContext('2d')
	const gap = f.Gap * f.Side, w = f.Cols * (f.Side + gap) + gap, h = f.Rows * (f.Side + gap) + gap
	const left = Math.round((f.Width - w) / 2), top = Math.round((f.Height - h) * 0.6)
	const at = (cell) => [left + gap + (cell % f.Cols + 0.5) * (f.Side + gap) - gap / 2, top + gap + (Math.floor(cell / f.Cols) + 0.5) * (f.Side + gap) - gap / 2]
	const box = (x, y, side, fill) => { g.fillStyle = fill; g.beginPath(); g.roundRect(x - side / 2, y - side / 2, side, side, f.Radius * side); g.fill() }
	const ease = (p) => p <= 0 ? 0 : p >= 1 ? 1 : p * p * (3 - 2 * p)
	const tile = (x, y, e, scale) => {
		if (scale <= 0) return
		const text = String(2 ** e)
		box(x, y, f.Side * scale, f.Fills[Math.min(e, f.Fills.length) - 1])
		g.fillStyle = f.Inks[Math.min(e, f.Inks.length) - 1]
		g.font = f.Weight + ' ' + f.Side * scale * Math.min(f.Text, 1.3 / text.length) + 'px game'
		g.fillText(text, x, y)
	}
	const draw = (t) => {
		g.textAlign = 'center'
		g.textBaseline = 'middle'
		g.fillStyle = f.Page
		g.fillRect(0, 0, f.Width, f.Height)
		const made = f.Turns.filter((m) => m.At <= t)
		const m = made.at(-1) ?? { At: 0, Slides: f.Start, Merged: [], Spawn: null, Score: 0 }
		g.fillStyle = '#888'
		g.font = f.Weight + ' 28px game'
		g.fillText('2048', f.Width / 4, top / 2)
		g.fillText('Score ' + m.Score, f.Width * 0.7, top / 2)
		g.fillStyle = f.Grid
		g.beginPath()
		g.roundRect(left, top, w, h, f.Radius * f.Side)
		g.fill()
		for (let cell = 0; cell < f.Rows * f.Cols; cell++) if (f.Empty !== 'none') box(...at(cell), f.Side, f.Empty)
		const p = ease((t - m.At) / f.Slide)
		for (const s of m.Slides) {
			const [x, y] = at(s.From), [u, v] = at(s.To)
			tile(x + p * (u - x), y + p * (v - y), s.Exponent, 1)
		}
		const q = (t - m.At - f.Slide) / f.Pop
		for (const s of m.Merged) tile(...at(s.To), s.Exponent, q <= 0 ? 0 : q < 0.5 ? 1.2 * ease(2 * q) : 1.2 - 0.2 * ease(2 * q - 1))
		if (m.Spawn) {
			g.globalAlpha = Math.min(1, Math.max(0, q))
			tile(...at(m.Spawn.To), m.Spawn.Exponent, ease(q))
			g.globalAlpha = 1
		}
		if (t >= f.Cover[0] && t < f.Cover[1]) {
			g.fillStyle = '#223344'
			g.fillRect(0, top, f.Width, h)
			g.fillStyle = '#ffffff'
			g.fillText('Somebody calls', f.Width / 2, top + h / 2)
		}
	}
	const chunks = []
	let wrong = null
	const encoder = new VideoEncoder({ error: (e) => (wrong = e), output: (c) => {
		const data = new Uint8Array(c.byteLength)
		c.copyTo(data)
		chunks.push({ Key: c.type === 'key', MS: Math.round(c.timestamp / 1000), Data: btoa(Array.from(data, (b) => String.fromCharCode(b)).join('')) })
	} })
	encoder.configure({ codec: f.Codec, width: f.Width, height: f.Height, framerate: 30, bitrate: 2_500_000, latencyMode: 'realtime' })
	for (let i = 0; i * 1000 / 30 < f.End; i++) {
		draw(i * 1000 / 30)
		const frame = new VideoFrame(canvas, { timestamp: Math.round(i * 1e6 / 30) })
		encoder.encode(frame, { keyFrame: i % 45 === 0 })
		frame.close()
		while (!wrong && encoder.encodeQueueSize > 4) await new Promise((done) => encoder.addEventListener('dequeue', done, { once: true }))
	}
	await encoder.flush()
	if (wrong) throw wrong
	window.film = chunks
}`

// chunk is an encoded frame.
type chunk struct {
	Key  bool
	MS   int64
	Data []byte
}

// shoot makes the film, in a tab that shows its look.
func (f *film) shoot(t *testing.T, in pages, gallery string) filmed {
	t.Helper()
	out, turns, end := f.play(t)
	var start []tileOf
	for cell := range f.size.Cells() {
		if e := out.boards[0].Cell(cell); e > 0 {
			start = append(start, tileOf{cell, cell, int(e)})
		}
	}
	b := openAt(t, in, &site{}, deskLight, 1, gallery+"/page?look="+f.look.Name+"&width=300&board="+url.QueryEscape(out.boards[0].String()))
	b.until(`document.readyState === 'complete'`)
	script := must.Get(json.Marshal(struct {
		look
		Rows, Cols, Width, Height int
		Side                      float64
		Codec                     string
		End, Slide, Pop           int64
		Start                     []tileOf
		Turns                     []turn
		Cover                     [2]int64
	}{*f.look, f.size.Rows, f.size.Cols, f.width, f.height, f.side, f.codec, end, f.slide, f.pop, start, turns, f.cover}))(t)
	b.run(evaluate(fmt.Sprintf("void (%s)(%s).catch((e) => (window.failed = String(e)))", filming, script)))
	b.until(`window.film || window.failed`)
	if failed := js[string](b, `window.failed ?? ''`); failed != "" {
		t.Fatalf("the film cannot be made: %s", failed)
	}
	var chunks []chunk
	must.Do(t, json.Unmarshal([]byte(js[string](b, `JSON.stringify(window.film)`)), &chunks))
	out.frames, out.data = len(chunks), f.webm(chunks, end)
	return out
}

// element returns an element of a WebM file.
func element(id uint32, data ...[]byte) []byte {
	content := bytes.Join(data, nil)
	out := bytes.TrimLeft(binary.BigEndian.AppendUint32(nil, id), "\x00")
	out = binary.BigEndian.AppendUint64(out, 1<<56|uint64(len(content)))
	return append(out, content...)
}

func number(n int) []byte { return binary.BigEndian.AppendUint32(nil, uint32(n)) }

// webm writes the frames as a WebM file without an index, as recorders do that write while they record.
func (f *film) webm(chunks []chunk, end int64) []byte {
	codec := map[bool]string{true: "V_VP8", false: "V_VP9"}[f.codec == "vp8"]
	info := [][]byte{element(0x2AD7B1, number(1_000_000))}
	if !f.endless {
		info = append(info, element(0x4489, binary.BigEndian.AppendUint64(nil, math.Float64bits(float64(end)))))
	}
	out := element(0x1A45DFA3, element(0x4282, []byte("webm")), element(0x4287, number(2)), element(0x4285, number(2)))
	segment := [][]byte{
		element(0x1549A966, info...),
		element(0x1654AE6B, element(0xAE, element(0xD7, number(1)), element(0x73C5, number(1)), element(0x83, []byte{1}), element(0x86, []byte(codec)),
			element(0xE0, element(0xB0, number(f.width)), element(0xBA, number(f.height))))),
	}
	for i := 0; i < len(chunks); {
		from := chunks[i].MS
		blocks := [][]byte{element(0xE7, number(int(from)))}
		for first := true; i < len(chunks) && (first || !chunks[i].Key); i++ {
			head := []byte{0x81, 0, 0, 0}
			binary.BigEndian.PutUint16(head[1:], uint16(chunks[i].MS-from))
			if chunks[i].Key {
				head[3] = 0x80
			}
			blocks = append(blocks, element(0xA3, head, chunks[i].Data))
			first = false
		}
		segment = append(segment, element(0x1F43B675, blocks...))
	}
	return append(out, element(0x18538067, segment...)...)
}

// recovered counts the moves of the parts. Each was made in the film, in that order.
func (f *filmed) recovered(t *testing.T, parts []protocol.FootagePart) (moves int) {
	t.Helper()
	at := 0
	for _, p := range parts {
		r := must.Get(record.Parse([]byte(p.Record)))(t)
		g := must.Get(r.Replay())(t)
		steps := g.Steps()
		for g.Undo() {
		}
		for at < len(f.boards) && f.boards[at] != g.Board() {
			at++
		}
		for i, s := range steps {
			if at >= f.game.Moves() || f.game.Step(at) != s {
				t.Errorf("move %d of the part from %d ms, %v, was not made", i+1, p.FromMS, s)
				return moves
			}
			at++
			moves++
		}
	}
	return moves
}

// TestFilmData makes the films of testFilm.
func TestFilmData(t *testing.T) {
	in, gallery := pages{Context: browser(t)}, gallery(t)
	f := films()[0]
	f.moves, f.cover, f.endless = 11, [2]int64{3120, 5100}, true
	must.Do(t, os.WriteFile(filepath.Join("testdata", gapFilm), f.shoot(t, in, gallery).data, 0o666))
	f.moves, f.cover = 1, [2]int64{0, 9000}
	must.Do(t, os.WriteFile(filepath.Join("testdata", hiddenFilm), f.shoot(t, in, gallery).data, 0o666))
}

// films are ten recordings of three looks.
func films() []film {
	fourByFour := board.Size{Rows: 4, Cols: 4}
	nunito, mono := &judged[0], &judged[2]
	base := film{look: &classic, size: fourByFour, width: 360, height: 640, side: 70, codec: "vp8", pause: 300, more: 400, slide: 100, pop: 200, moves: 40}
	all := make([]film, 10)
	for i := range all {
		all[i] = base
		all[i].seed = uint64(i + 1)
		all[i].endless = i%2 == 1
		if i%3 == 2 {
			all[i].codec = "vp09.00.10.08"
		}
	}
	all[1].width, all[1].height, all[1].side = 600, 480, 84
	all[2].pause, all[2].more = 220, 200
	all[3].from = "1024,512,64,8/256,128,32,4/16,8,4,2/0,2,0,0"
	for i := 4; i < 7; i++ {
		all[i].look, all[i].side, all[i].slide = nunito, 76, 130
	}
	all[5].from = "2048,256,16,4/0,2,0,0/0,0,0,0/0,0,2,0"
	all[6].size, all[6].side = board.Size{Rows: 5, Cols: 5}, 62
	for i := 7; i < 10; i++ {
		all[i].look, all[i].side, all[i].slide, all[i].pop = mono, 66, 80, 120
	}
	all[8].from = "32,128,512,4096/16,8,4,2/2,0,0,0/0,0,0,0"
	all[9].pause, all[9].more = 250, 300
	return all
}

// late makes each tenth picture of a film come late: until it is presented, the one before is drawn. The 629th picture of the
// fifth film is the one that then shows a tile in motion as if it had stopped in another cell.
const late = `(() => {
	const media = HTMLMediaElement.prototype, at = Object.getOwnPropertyDescriptor(media, 'currentTime')
	const video = HTMLVideoElement.prototype, call = video.requestVideoFrameCallback
	const canvas = CanvasRenderingContext2D.prototype, draw = canvas.drawImage
	let seeks = 0, late = false
	Object.defineProperty(media, 'currentTime', { ...at, set(to) {
		late = ++seeks % 10 === 9
		at.set.call(this, to)
	} })
	video.requestVideoFrameCallback = function (done) {
		return call.call(this, (...a) => setTimeout(() => {
			late = false
			done(...a)
		}, late ? 10 : 0))
	}
	canvas.drawImage = function (picture, ...rest) { if (!late || !(picture instanceof HTMLVideoElement)) draw.call(this, picture, ...rest) }
})()`

// From films of three looks, at least 95 % of the moves are recovered, and no other move, also if the browser shows pictures late. The test prints the table of docs/pictures.md.
func TestFilms(t *testing.T) {
	in := pages{Context: browser(t)}
	gallery, own := gallery(t), newSite(t, Options{})
	var table strings.Builder
	for i, f := range films() {
		t.Run(fmt.Sprintf("%d-%s", i+1, f.look.Name), func(t *testing.T) {
			shown := f.shoot(t, in, gallery)
			b := open(t, in, own, deskDark, "#review/open")
			b.until(`document.querySelector('input[type=file]')`)
			b.run(evaluate(`(() => { const plain = fetch; window.fetch = async (...a) => {
				const r = await plain(...a)
				if (String(a[1]?.body).includes('"review.footage"')) window.found = await r.clone().json()
				return r
			} })()`))
			b.run(evaluate(late))
			begun := time.Now()
			b.give("choose", shown.data, "video/webm")
			b.until(`[...document.querySelectorAll('button')].some((e) => e.innerText === 'Review this game') || document.querySelector('[role=alert]')`)
			took := time.Since(begun)
			if wrong := js[string](b, `document.querySelector('[role=alert]')?.innerText ?? ''`); wrong != "" {
				t.Fatal(wrong)
			}
			var found struct{ Result protocol.FootageGames }
			must.Do(t, json.Unmarshal([]byte(js[string](b, `JSON.stringify(window.found)`)), &found))
			made, got := shown.game.Moves(), shown.recovered(t, found.Result.Parts)
			fmt.Fprintf(&table, "| %s | %v | %d | %d | %d | %d | %.1f |\n", f.look.Name, f.size, shown.frames, made, got, len(found.Result.Gaps), took.Seconds())
			if 100*got < 95*made {
				t.Errorf("%d of %d moves: must be 95 %%; parts %v, gaps %v", got, made, found.Result.Parts, found.Result.Gaps)
			}
			b.clean()
		})
	}
	t.Logf("\n%s", table.String())
}
