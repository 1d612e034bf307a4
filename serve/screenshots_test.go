//go:build browser || pictures

package serve

import (
	"bytes"
	"context"
	"fmt"
	"html/template"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Pages of 2048 games to photograph: the original, this program's, and pages of other palettes,
// fonts and shapes.

// look is the appearance of another page.
type look struct {
	Name, Font, Weight string
	Page, Grid, Empty  string // colours; an Empty of "none" draws no empty cells
	Fills              []string
	Inks               []string // of Fills; the last one for all that follow
	Gap, Radius, Text  float64  // of a cell's side; Text of one digit
	Style              string   // further CSS of a tile
}

// judged are the looks of the pictures that count. Nothing of package picture was made or adjusted
// with their fonts, palettes or pictures.
var judged = []look{
	{Name: "nunito", Font: "nunito", Weight: "700", Page: "#fbf7ff", Grid: "#8fb8ad", Empty: "#a9cbc2",
		Fills: []string{"#e8f5e4", "#d3eecd", "#a6dba0", "#77c37a", "#4ca65f", "#2d8650", "#f6d55c", "#f0b541", "#ed8f3b", "#e8683d", "#d64545", "#a8325e", "#7b2d6e", "#4f2a73", "#2f2a6b", "#1d2350", "#101733"},
		Inks:  []string{"#3d5a50", "#3d5a50", "#3d5a50", "#ffffff", "#ffffff", "#ffffff", "#5a4210", "#5a4210", "#ffffff"}, Gap: 0.1, Radius: 0.16, Text: 0.5},
	{Name: "roboto-slab", Font: "roboto-slab", Weight: "700", Page: "#ffffff", Grid: "#37474f", Empty: "#455a64",
		Fills: []string{"#cfd8dc", "#b0bec5", "#80cbc4", "#4db6ac", "#26a69a", "#00897b", "#81d4fa", "#4fc3f7", "#29b6f6", "#039be5", "#0277bd", "#ce93d8", "#ab47bc", "#7b1fa2", "#ef9a9a", "#e53935", "#8e0000"},
		Inks:  []string{"#263238", "#263238", "#263238", "#102027", "#ffffff", "#ffffff", "#102027", "#102027", "#102027", "#ffffff", "#ffffff", "#263238", "#ffffff", "#ffffff", "#263238", "#ffffff"}, Gap: 0.05, Radius: 0.03, Text: 0.44},
	{Name: "ibm-plex-mono", Font: "ibm-plex-mono", Weight: "600", Page: "#1b1420", Grid: "#2b2233", Empty: "none",
		Fills: []string{"#4a3b55", "#5d4a6b", "#7a4d7c", "#95507f", "#b1557b", "#c95f6f", "#dc7060", "#e78753", "#eda24b", "#ecbf4d", "#d6cf5f", "#aecb72", "#82c184", "#59b392", "#3aa19b", "#33899c", "#3f6f97"},
		Inks:  []string{"#efe6f5", "#efe6f5", "#ffffff", "#ffffff", "#ffffff", "#ffffff", "#ffffff", "#2b1a10", "#2b1a10"}, Gap: 0.11, Radius: 0.12, Text: 0.46},
}

// classic is the look of the original page, for films.
var classic = look{
	Name: "classic", Font: "clear-sans", Weight: "700", Page: "#faf8ef", Grid: "#bbada0", Empty: "#cdc1b4",
	Fills: []string{"#eee4da", "#ede0c8", "#f2b179", "#f59563", "#f67c5f", "#f65e3b", "#edcf72", "#edcc61", "#edc850", "#edc53f", "#edc22e", "#3c3a32"},
	Inks:  []string{"#776e65", "#776e65", "#f9f6f2"}, Gap: 0.141, Radius: 0.028, Text: 0.52,
}

const lookPage = `<!DOCTYPE html><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>2048</title>
<style>
@font-face { font-family: game; font-weight: {{.L.Weight}}; src: url(/modules/@fontsource/{{.L.Font}}/files/{{.L.Font}}-latin-{{.L.Weight}}-normal.woff2); }
body { margin: 0; background: {{.L.Page}}; font: {{.L.Weight}} 16px game; text-align: center; color: #888; }
.grid { display: inline-grid; grid-template-columns: repeat({{.Cols}}, {{.Side}}px); gap: {{.Gap}}px; padding: {{.Gap}}px; background: {{.L.Grid}}; border-radius: {{.Radius}}px; }
.grid b { width: {{.Side}}px; height: {{.Side}}px; line-height: {{.Side}}px; border-radius: {{.Radius}}px; {{if ne .L.Empty "none"}}background: {{.L.Empty}};{{end}} white-space: nowrap; }
.grid b.t { {{.L.Style}} }
</style><h1>2048</h1><p>Join the numbers! Score 1284, best 20480</p><div class="grid">{{range .Tiles}}<b{{if .Text}} class="t" style="background: {{.Fill}}; color: {{.Ink}}; font-size: {{.Size}}px"{{end}}>{{.Text}}</b>{{end}}</div><p>New game · 4 undos</p>`

var lookTemplate = template.Must(template.New("look").Parse(lookPage))

type lookTile struct {
	Text      string
	Fill, Ink template.CSS
	Size      float64
}

// write writes a board with a look, width pixels wide.
func (l *look) write(w http.ResponseWriter, b board.Board, width float64) {
	size := b.Size()
	side := width / (float64(size.Cols)*(1+l.Gap) + l.Gap)
	var tiles []lookTile
	for i := range size.Cells() {
		e := int(b.Cell(i))
		if e == 0 {
			tiles = append(tiles, lookTile{})
			continue
		}
		text := fmt.Sprint(board.Tile(uint8(e)))
		tiles = append(tiles, lookTile{text, template.CSS(l.Fills[min(e, len(l.Fills))-1]), template.CSS(l.Inks[min(e, len(l.Inks))-1]), side * min(l.Text, 1.3/float64(len(text)))})
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	type css struct {
		Font, Weight, Page, Grid, Empty, Style template.CSS
	}
	err := lookTemplate.Execute(w, map[string]any{
		"L":    css{template.CSS(l.Font), template.CSS(l.Weight), template.CSS(l.Page), template.CSS(l.Grid), template.CSS(l.Empty), template.CSS(l.Style)},
		"Cols": size.Cols, "Side": side, "Gap": side * l.Gap, "Radius": side * l.Radius, "Tiles": tiles,
	})
	if err != nil {
		panic(err)
	}
}

// modules is the folder of the npm packages.
const modules = "ui/node_modules"

// original writes the page of the npm package game-2048 with a board, in its own font or, with
// font system, in that of the machine.
func original(w http.ResponseWriter, b board.Board, font string) error {
	page, err := os.ReadFile(filepath.Join(modules, "game-2048", "index.html"))
	if err != nil {
		return err
	}
	var columns []string
	for x := range 4 {
		var cells []string
		for y := range 4 {
			cell := "null"
			if e := b.At(y, x); e > 0 {
				cell = fmt.Sprintf(`{"position":{"x":%d,"y":%d},"value":%d}`, x, y, board.Tile(e))
			}
			cells = append(cells, cell)
		}
		columns = append(columns, "["+strings.Join(cells, ",")+"]")
	}
	state := fmt.Sprintf(`{"grid":{"size":4,"cells":[%s]},"score":1284,"over":false,"won":false,"keepPlaying":true}`, strings.Join(columns, ","))
	head := fmt.Sprintf(`<base href="/modules/game-2048/"><script>localStorage.setItem('bestScore', 20480); localStorage.setItem('gameState', %q)</script>`, state)
	if font != "system" {
		head += `<style>@font-face { font-family: "Clear Sans"; font-weight: 700; src: url(/modules/@fontsource/clear-sans/files/clear-sans-latin-700-normal.woff2); }
			html, body { font-family: "Clear Sans", sans-serif !important }</style>`
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, err = w.Write([]byte(strings.Replace(string(page), "<head>", "<head>"+head, 1)))
	return err
}

// gallery serves the pages.
func gallery(t *testing.T) string {
	t.Helper()
	if _, err := os.Stat(filepath.Join(modules, "game-2048")); err != nil {
		notRun(t, "the page's npm packages are missing: npm ci --ignore-scripts in serve/ui")
	}
	mux := http.NewServeMux()
	mux.Handle("/modules/", http.StripPrefix("/modules/", http.FileServer(http.Dir(modules))))
	mux.HandleFunc("/favicon.ico", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/page", func(w http.ResponseWriter, r *http.Request) {
		b, err := board.Parse(r.FormValue("board"))
		if err != nil {
			t.Error(err)
			return
		}
		name := r.FormValue("look")
		for _, l := range append(slices.Clone(judged), classic) {
			if l.Name == name {
				width := 0.0
				fmt.Sscan(r.FormValue("width"), &width)
				l.write(w, b, width)
				return
			}
		}
		if err := original(w, b, r.FormValue("font")); err != nil {
			t.Error(err)
		}
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}

// scene is a picture to be taken of a page.
type scene struct {
	group  string // row of the table
	look   string // of the page; original and afterstate are no looks
	font   string
	size   board.Size
	desk   bool
	dark   bool
	scale  float64
	jpeg   bool
	crop   string // "", tight, loose or cut
	played bool   // afterstate's Play, not Ask
	seed   uint64
}

func (s *scene) name() string {
	window, format := "phone", "png"
	if s.desk {
		window = "desk"
	}
	if s.jpeg {
		format = "jpg"
	}
	name := fmt.Sprintf("%s%s %v %s x%v seed %d %s", s.look, s.font, s.size, window, s.scale, s.seed, s.crop)
	if s.dark {
		name += "dark "
	}
	return strings.ReplaceAll(strings.TrimSpace(name), " ", "-") + "." + format
}

// someBoard is a board with small and large tiles.
func someBoard(seed uint64, size board.Size) board.Board {
	r := rand.New(rand.NewPCG(2048, seed))
	b := board.New(size)
	maximum := 6 + r.IntN(min(12, size.Cells()+1)-5)
	for i := range size.Cells() {
		switch r.IntN(10) {
		case 0, 1:
		case 2, 3, 4:
			b.Set(i, uint8(1+r.IntN(3)))
		default:
			b.Set(i, uint8(1+r.IntN(maximum)))
		}
	}
	if seed%3 == 0 {
		b.Set(int(seed)%size.Cells(), uint8(min(17, size.Cells())))
	}
	return b
}

// take takes the picture and returns it with the board that it shows.
func (s *scene) take(t *testing.T, in context.Context, pages string, own *site) ([]byte, board.Board) {
	t.Helper()
	b := someBoard(s.seed, s.size)
	width, height := int64(390), int64(844)
	if s.desk {
		width, height = 1440, 900
	}
	sc := screen{s.name(), width, height, !s.desk, s.dark}
	var tab *tab
	grid := ".grid"
	switch s.look {
	case "original":
		tab = openAt(t, in, own, sc, s.scale, pages+"/page?font="+s.font+"&board="+url.QueryEscape(b.String()))
		tab.until(`document.querySelectorAll('.tile').length > 0`)
		grid = ".game-container"
	case "afterstate":
		hash := "#solve/" + b.String() + "/0"
		if s.played {
			hash = ""
		}
		tab = openAt(t, in, own, sc, s.scale, "http://"+own.address+"/"+hash)
		grid = ".cells"
		if s.played {
			grid = ".board"
			b = tab.playOn(s.seed)
		} else {
			tab.until(fmt.Sprintf(`[...document.querySelectorAll('.cells button')].map(b => b.innerText || '0').join() === %q`, strings.ReplaceAll(b.String(), "/", ",")))
			tab.until(`document.querySelector('td.best') || document.body.innerText.includes('No moves left')`)
		}
	default:
		tab = openAt(t, in, own, sc, s.scale, fmt.Sprintf("%s/page?look=%s&width=%v&board=%s", pages, s.look, float64(min(width-16, 560))-float64(s.seed%5)*11, url.QueryEscape(b.String())))
	}
	tab.until(`document.fonts.status === 'loaded'`)
	tab.until(`document.getAnimations().every(a => a.playState !== 'running')`)
	return s.shoot(tab, grid), b
}

// shoot photographs a tab, cut and encoded as the scene asks. grid selects the board.
func (s *scene) shoot(tab *tab, grid string) []byte {
	tab.t.Helper()
	element := fmt.Sprintf(`document.querySelector(%q)`, grid)
	tab.run(evaluate(element + `.scrollIntoView({block: 'nearest'})`))
	at := tab.box(element)
	data := must.Get(chromedp.Run(tab.ctx, chromedp.CaptureScreenshot()))(tab.t)
	m := must.Get(png.Decode(bytes.NewReader(data)))(tab.t)
	margin := map[string]float64{"tight": -2, "loose": 30}[s.crop]
	if s.crop != "" {
		k := s.scale
		if s.crop == "cut" {
			at.W *= 0.8
		}
		m = cropped(m, image.Rect(int(k*(at.X-margin)), int(k*(at.Y-margin)), int(k*(at.X+at.W+margin)), int(k*(at.Y+at.H+margin))))
	}
	if s.jpeg || s.crop != "" {
		var out bytes.Buffer
		if s.jpeg {
			must.Do(tab.t, jpeg.Encode(&out, m, &jpeg.Options{Quality: 60}))
		} else {
			must.Do(tab.t, png.Encode(&out, m))
		}
		data = out.Bytes()
	}
	return data
}

func cropped(m image.Image, to image.Rectangle) image.Image {
	to = to.Intersect(m.Bounds())
	out := image.NewRGBA(image.Rect(0, 0, to.Dx(), to.Dy()))
	draw.Draw(out, out.Rect, m, to.Min, draw.Src)
	return out
}

// openAt opens an address in a window with a device scale, in a fresh profile that is closed at the
// end of the test.
func openAt(t *testing.T, in context.Context, s *site, sc screen, scale float64, address string) *tab {
	t.Helper()
	b := newTab(t, in, s, sc, chromedp.WithNewBrowserContext())
	window := append(sc.mobile(), chromedp.EmulateScale(scale))
	b.run(chromedp.EmulateViewport(sc.width, sc.height, window...), chromedp.Navigate(address))
	return b
}

// playOn plays some moves and returns the board.
func (b *tab) playOn(seed uint64) board.Board {
	b.t.Helper()
	b.until(ready)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 40 + r.IntN(60) {
		b.press([]string{"a", "s", "d", "s"}[r.IntN(4)])
	}
	b.steady()
	return b.shownBoard()
}
