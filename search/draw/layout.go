package draw

import "github.com/afterstate2048/afterstate/search"

// A tidy tree layout: one column per layer, parents centred on their children, and subtrees as
// close together as their outlines allow, after Reingold and Tilford, "Tidier drawings of trees"
// (1981). Boards differ in height here, and an outline is the highest and lowest point of each
// layer.

// item is a box in the picture: a board, or a note on boards left out.
type item struct {
	node     *search.TreeNode // the board, or the one a note belongs to
	note     string
	layer    int
	w, h     float64 // of the board or the note
	below    float64 // height of the value under it
	x, y     float64 // the left edge and the middle
	children []*item
}

// outline is the extent of a subtree in each layer from its root's on, relative to the root's
// middle.
type outline struct{ top, bottom []float64 }

const (
	gapSiblings = 7.0  // between boards of one parent
	gapCousins  = 14.0 // between others
)

// tidy places all descendants of an item relative to it and returns the outline.
func tidy(it *item) outline {
	o := outline{[]float64{-it.h / 2}, []float64{it.h/2 + it.below}}
	if len(it.children) == 0 {
		return o
	}
	var all outline // of the children, in the first one's coordinates
	for i, c := range it.children {
		sub := tidy(c)
		shift := 0.0
		for k := range min(len(all.bottom), len(sub.top)) {
			gap := gapCousins
			if k == 0 {
				gap = gapSiblings
			}
			shift = max(shift, all.bottom[k]-sub.top[k]+gap)
		}
		if i > 0 && len(all.bottom) > 0 {
			shift = max(shift, it.children[i-1].y+1)
		}
		c.y = shift
		for k := range sub.top {
			if k == len(all.top) {
				all.top = append(all.top, sub.top[k]+shift)
				all.bottom = append(all.bottom, sub.bottom[k]+shift)
				continue
			}
			all.bottom[k] = sub.bottom[k] + shift
		}
	}
	middle := (it.children[0].y + it.children[len(it.children)-1].y) / 2
	for _, c := range it.children {
		c.y -= middle
	}
	for k := range all.top {
		o.top = append(o.top, all.top[k]-middle)
		o.bottom = append(o.bottom, all.bottom[k]-middle)
	}
	return o
}

// place turns positions relative to the parent into absolute ones, given the columns' left edges.
func place(it *item, y float64, columns []float64) {
	it.y += y
	it.x = columns[it.layer]
	for _, c := range it.children {
		place(c, it.y, columns)
	}
}
