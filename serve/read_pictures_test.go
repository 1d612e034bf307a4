//go:build browser || pictures

package serve

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/image/draw"

	"github.com/afterstate2048/afterstate/exchange/picture"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/board"
)

var four = board.Size{Rows: 4, Cols: 4}

// judgedScenes are the pictures that count.
func judgedScenes() []scene {
	var all []scene
	seed := uint64(500)
	add := func(s scene) {
		seed++
		s.seed = seed
		if s.size == (board.Size{}) {
			s.size = four
		}
		all = append(all, s)
	}
	for _, font := range []string{"", "system"} {
		for _, desk := range []bool{false, true} {
			for scale := 1.0; scale <= 3; scale++ {
				add(scene{group: "the original page", look: "original", font: font, desk: desk, scale: scale})
				add(scene{group: "the original page, JPEG at 60 %", look: "original", font: font, desk: desk, scale: scale, jpeg: true})
			}
		}
		add(scene{group: "the original page, cropped", look: "original", font: font, desk: true, scale: 1, crop: "tight"})
		add(scene{group: "the original page, cropped", look: "original", font: font, scale: 3, crop: "loose", jpeg: true})
	}
	for _, dark := range []bool{false, true} {
		for _, desk := range []bool{false, true} {
			for i, size := range []board.Size{four, four, {Rows: 3, Cols: 3}, {Rows: 5, Cols: 5}, {Rows: 6, Cols: 6}} {
				add(scene{group: "this page", look: "afterstate", size: size, dark: dark, desk: desk, scale: float64(1 + i%3), jpeg: i == 1})
			}
			add(scene{group: "this page", look: "afterstate", dark: dark, desk: desk, scale: 2, played: true})
		}
		add(scene{group: "this page", look: "afterstate", dark: dark, scale: 3, crop: "tight"})
	}
	for _, l := range judged {
		for _, desk := range []bool{false, true} {
			for i, size := range []board.Size{four, four, {Rows: 3, Cols: 3}, {Rows: 5, Cols: 5}} {
				add(scene{group: "other palettes and fonts", look: l.Name, size: size, desk: desk, scale: float64(1 + i%3), jpeg: i == 1})
			}
		}
		add(scene{group: "other palettes and fonts", look: l.Name, scale: 2, crop: "tight"})
		add(scene{group: "other palettes and fonts", look: l.Name, scale: 3, crop: "loose", jpeg: true})
	}
	return all
}

// sampled returns the first of every few scenes.
func sampled(all []scene, every int) (some []scene) {
	for i := 0; i < len(all); i += every {
		some = append(some, all[i])
	}
	return some
}

// A picture on which the last column is cut off is refused, or marked.
func TestCutPictures(t *testing.T) {
	in := browser(t)
	pages, own := gallery(t), newSite(t, Options{})
	for i, look := range []string{"original", "afterstate", "nunito", "roboto-slab", "ibm-plex-mono"} {
		s := scene{look: look, size: four, desk: i%2 == 0, scale: float64(1 + i%3), crop: "cut", seed: uint64(700 + i)}
		t.Run(s.name(), func(t *testing.T) {
			data, shown := s.take(t, in, pages, own)
			if r, err := picture.Parse(t.Context(), data); err == nil && len(r.Doubts()) == 0 {
				t.Errorf("a part of %v is read as %v", shown, r.Board)
			}
		})
	}
}

// worse are ways to spoil a picture, beyond what must be read: no board may be wrong without a mark.
var worse = []struct {
	group   string
	scale   float64
	quality int
}{{"all, reduced to 60 %, JPEG at 50 %", 0.6, 50}, {"all, reduced to 40 %, JPEG at 20 %", 0.4, 20}}

// spoil reduces a picture.
func spoil(t *testing.T, data []byte, scale float64, quality int) []byte {
	t.Helper()
	m, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	small := image.NewRGBA(image.Rect(0, 0, int(scale*float64(m.Bounds().Dx())), int(scale*float64(m.Bounds().Dy()))))
	draw.ApproxBiLinear.Scale(small, small.Rect, m, m.Bounds(), draw.Src, nil)
	var out bytes.Buffer
	must.Do(t, jpeg.Encode(&out, small, &jpeg.Options{Quality: quality}))
	return out.Bytes()
}

// tally counts the pictures of a row of the table.
type tally struct{ pictures, right, marked, wrong int }

// add reads a picture and counts it.
func (row *tally) add(t *testing.T, data []byte, shown board.Board) {
	t.Helper()
	r, err := picture.Parse(t.Context(), data)
	row.pictures++
	switch {
	case err != nil || len(r.Doubts()) > 0:
		row.marked++
		t.Logf("%v, doubtful %v %s\nshown %v\nread  %v", err, r.Doubts(), r.Grid, shown, r.Board)
	case r.Board == shown:
		row.right++
	default:
		row.wrong++
		t.Errorf("wrong without a mark\nshown %v\nread  %v", shown, r.Board)
	}
}

// table is the rows of docs/pictures.md, in the order in which they were first used.
type table struct {
	groups []string
	rows   map[string]*tally
}

func (x *table) row(group string) *tally {
	if x.rows[group] == nil {
		x.groups = append(x.groups, group)
		x.rows[group] = &tally{}
	}
	return x.rows[group]
}

func (x *table) String() string {
	var out strings.Builder
	for _, g := range x.groups {
		r := x.rows[g]
		fmt.Fprintf(&out, "| %s | %d | %d | %d | %d |\n", g, r.pictures, r.right, r.marked, r.wrong)
	}
	return out.String()
}

// Pictures of many pages are read: 95 % of them without a fault or a mark, and no board that is
// wrong lacks a mark, not even in worse pictures. The test prints the table of docs/pictures.md.
// SHOTS names a folder that keeps the pictures. Without SOAK=1 it takes a seventh of them.
func TestReadPictures(t *testing.T) {
	in := browser(t)
	pages, own := gallery(t), newSite(t, Options{})
	scenes := sampled(judgedScenes(), soak.Count(7, 1))
	all := &tally{}
	rows := &table{rows: map[string]*tally{}}
	for _, s := range scenes {
		rows.row(s.group)
	}
	rows.groups, rows.rows["all"] = append(rows.groups, "all"), all
	for _, s := range scenes {
		t.Run(s.name(), func(t *testing.T) {
			data, shown := s.take(t, in, pages, own)
			if folder := os.Getenv("SHOTS"); folder != "" {
				if err := os.WriteFile(filepath.Join(folder, s.name()), data, 0o644); err != nil {
					t.Error(err)
				}
			}
			rows.row(s.group).add(t, data, shown)
			for _, w := range worse {
				rows.row(w.group).add(t, spoil(t, data, w.scale, w.quality), shown)
			}
		})
	}
	for group, r := range rows.rows {
		if !strings.HasPrefix(group, "all") {
			*all = tally{all.pictures + r.pictures, all.right + r.right, all.marked + r.marked, all.wrong + r.wrong}
		}
	}
	t.Logf("\n%s", rows)
	if 100*all.right < 95*all.pictures {
		t.Errorf("%d of %d boards without a fault: must be 95 %%", all.right, all.pictures)
	}
}
