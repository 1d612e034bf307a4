//go:build browser

package serve

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"afterstate/board"
	"afterstate/picture"
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

// fittingScenes are pictures to make the reader with: FIT=1 reads them in place of the others.
func fittingScenes() []scene {
	var all []scene
	seed := uint64(9000)
	for _, l := range fitting {
		for _, desk := range []bool{false, true} {
			for i, size := range []board.Size{four, four, four, {Rows: 3, Cols: 3}, {Rows: 5, Cols: 5}, {Rows: 6, Cols: 6}} {
				for _, crop := range []string{"", "tight", "loose"} {
					seed++
					all = append(all, scene{group: l.Name, look: l.Name, size: size, desk: desk, scale: float64(1 + i%3), jpeg: seed%2 == 0, crop: crop, seed: seed})
				}
			}
		}
	}
	return all
}

// A picture on which the last column is cut off is refused, or marked.
func TestCutPictures(t *testing.T) {
	in := browser(t)
	pages, own := gallery(t), newSite(t, Options{})
	for i, look := range []string{"original", "afterstate", "nunito", "roboto-slab", "ibm-plex-mono"} {
		s := scene{look: look, size: four, desk: i%2 == 0, scale: float64(1 + i%3), crop: "cut", seed: uint64(700 + i)}
		t.Run(s.name(), func(t *testing.T) {
			data, shown := s.take(t, in, pages, own)
			if r, err := picture.Parse(t.Context(), data); err == nil && !r.Doubtful() {
				t.Errorf("a part of %v is read as %v", shown, r.Board)
			}
		})
	}
}

// tally counts the pictures of a row of the table.
type tally struct{ pictures, right, marked, wrong int }

// Pictures of many pages are read: 95 % of them without a fault or a mark, and no board that is
// wrong lacks a mark. The test prints the table of docs/pictures.md.
func TestReadPictures(t *testing.T) {
	in := browser(t)
	pages, own := gallery(t), newSite(t, Options{})
	scenes := judgedScenes()
	if os.Getenv("FIT") != "" {
		scenes = fittingScenes()
	}
	var groups []string
	rows := map[string]*tally{}
	for _, s := range scenes {
		if only := os.Getenv("ONLY"); only != "" && !strings.Contains(s.name(), only) {
			continue
		}
		if rows[s.group] == nil {
			groups = append(groups, s.group)
			rows[s.group] = &tally{}
		}
		t.Run(s.name(), func(t *testing.T) {
			data, shown := s.take(t, in, pages, own)
			if folder := os.Getenv("SHOTS"); folder != "" {
				for file, content := range map[string][]byte{s.name(): data, s.name() + ".txt": []byte(shown.String())} {
					if err := os.WriteFile(filepath.Join(folder, file), content, 0o644); err != nil {
						t.Error(err)
					}
				}
			}
			r, err := picture.Parse(context.Background(), data)
			row := rows[s.group]
			row.pictures++
			fault := ""
			switch {
			case err != nil:
				fault = err.Error()
			case r.Board == shown && !r.Doubtful():
				row.right++
				return
			case r.Doubtful():
				fault = fmt.Sprintf("doubtful %v %s", r.Doubts(), r.Grid)
			default:
				row.wrong++
				t.Error("wrong without a mark")
			}
			row.marked++
			t.Logf("%s\nshown %v\nread  %v", fault, shown, r.Board)
		})
	}
	var table strings.Builder
	var sum tally
	for _, g := range groups {
		r := rows[g]
		fmt.Fprintf(&table, "| %s | %d | %d | %d | %d |\n", g, r.pictures, r.right, r.marked-r.wrong, r.wrong)
		sum.pictures, sum.right, sum.marked, sum.wrong = sum.pictures+r.pictures, sum.right+r.right, sum.marked+r.marked, sum.wrong+r.wrong
	}
	fmt.Fprintf(&table, "| all | %d | %d | %d | %d |\n", sum.pictures, sum.right, sum.marked-sum.wrong, sum.wrong)
	t.Logf("\n%s", table.String())
	if 100*sum.right < 95*sum.pictures {
		t.Errorf("%d of %d boards without a fault: want 95 %%", sum.right, sum.pictures)
	}
}
