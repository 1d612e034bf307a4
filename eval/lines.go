package eval

import (
	"iter"
	"math"

	"github.com/afterstate2048/afterstate/internal/option"
	"github.com/afterstate2048/afterstate/rules/board"
)

// LineWeights are the weights of Lines. A weight of zero omits its term. The tags describe each weight (see package
// option); k is a tile's exponent.
type LineWeights struct {
	Base      float64 `json:"base" unit:"heuristic" range:"-1e9:1e9" help:"for each line, so that the sum stays above the value of a dead position"`
	Empty     float64 `json:"empty" unit:"heuristic" range:"-1e9:1e9" help:"for each empty cell"`
	Merges    float64 `json:"merges" unit:"heuristic" range:"-1e9:1e9" help:"for each tile in a run of two or more equal tiles, ignoring empty cells"`
	Disorder  float64 `json:"disorder" unit:"heuristic" range:"-1e9:1e9" help:"subtracted: the total rise or the total fall of k^disorder_power along the line, whichever is smaller"`
	PowerSum  float64 `json:"power_sum" unit:"heuristic" range:"-1e9:1e9" help:"subtracted: the sum of k^power_sum_power; few large tiles weigh less than many small ones"`
	Steps     float64 `json:"steps" unit:"heuristic" range:"-1e9:1e9" help:"for each pair of neighbours with k and k+1, times k"`
	Roughness float64 `json:"roughness" unit:"heuristic" range:"-1e9:1e9" help:"subtracted: the sum of |k - k'| over neighbouring tiles"`
	Edge      float64 `json:"edge" unit:"heuristic" range:"-1e9:1e9" help:"for each line on the board's border, times the sum of k^edge_power"`
	End       float64 `json:"end" unit:"heuristic" range:"-1e9:1e9" help:"on the border: k^edge_power of the line's largest tile, if it is at an end"`

	DisorderPower float64 `json:"disorder_power" unit:"exponent" range:"-1e9:1e9" help:"exponent of k in the term disorder"`
	PowerSumPower float64 `json:"power_sum_power" unit:"exponent" range:"-1e9:1e9" help:"exponent of k in the term power_sum"`
	EdgePower     float64 `json:"edge_power" unit:"exponent" range:"-1e9:1e9" help:"exponent of k in the terms edge and end"`
}

// NneonneoWeights returns the weights of nneonneo/2048-ai, a widely used reference heuristic.
func NneonneoWeights() LineWeights {
	return LineWeights{
		Base: 200000, Empty: 270, Merges: 700,
		Disorder: 47, DisorderPower: 4, PowerSum: 11, PowerSumPower: 3.5, EdgePower: 3,
	}
}

// All iterates over the weights and their descriptions.
func (w *LineWeights) All() iter.Seq[option.Field] { return option.Of(w, "help") }

// Lines evaluates each row and column separately, as a weighted sum of terms, and returns the
// total. The terms empty, merges, disorder and power_sum come from nneonneo/2048-ai; the other
// terms are additions. The value of a line is rounded to an integer, so that the total does not
// depend on the order of summation. A Lines is not safe for concurrent use.
type Lines struct {
	Weights LineWeights
	powers  *linePowers
	cache   *lineCache
}

// linePowers holds, for each term that raises exponents to a power, the powers of all exponents.
type linePowers struct{ disorder, powerSum, edge [64]float64 }

// NewLines returns an evaluator with these weights. Its field Weights must not be changed afterwards.
func NewLines(w LineWeights) *Lines {
	p := &linePowers{}
	for k := range p.powerSum {
		x := float64(k)
		p.disorder[k], p.powerSum[k], p.edge[k] = math.Pow(x, w.DisorderPower), math.Pow(x, w.PowerSumPower), math.Pow(x, w.EdgePower)
	}
	p.disorder[0], p.powerSum[0], p.edge[0] = 0, 0, 0
	return &Lines{w, p, new(lineCache)}
}

// Unit returns Heuristic.
func (*Lines) Unit() Unit { return Heuristic }

// Value returns the sum over all rows and columns.
func (e *Lines) Value(p *Position) (total float64) {
	var keys [2 * board.MaxSide]uint64
	for _, key := range lineKeys(&p.Board, &keys) {
		total += e.worthOf(key)
	}
	return total
}

// parts returns the value of each term, summed over all lines. The part named base includes the
// rounding of the lines.
func (e *Lines) parts(p *Position) []Part {
	var sum lineTerms
	var keys [2 * board.MaxSide]uint64
	var memory [board.MaxSide]uint8
	for _, key := range lineKeys(&p.Board, &keys) {
		cells, border := lineOf(key, &memory)
		for i, v := range e.terms(cells, border) {
			sum[i] += v
		}
	}
	base := e.Value(p)
	var parts []Part
	for i, v := range sum {
		parts = append(parts, Part{termNames[i], v})
		base -= v
	}
	return append(parts, Part{"base", base})
}

// LineSums returns one sum, in which Even is set.
func (e *Lines) LineSums(s board.Size) []LineSum {
	return []LineSum{{
		Row:    func(i int, cells []uint8) float64 { return e.worth(cells, i == 0 || i == s.Rows-1) },
		Column: func(i int, cells []uint8) float64 { return e.worth(cells, i == 0 || i == s.Cols-1) },
		Even:   e.worths,
	}}
}

// maxWorth limits a line's value, so that a board's sum fits into 31 bits.
const maxWorth = 1<<26 - 1

// termNames are the names of a line's weighted terms; the border term is the last.
var termNames = [...]string{"empty", "merges", "disorder", "power_sum", "neighbours", "border"}

const borderTerm = len(termNames) - 1

type lineTerms [len(termNames)]float64

func (e *Lines) terms(cells []uint8, border bool) lineTerms {
	w := &e.Weights
	powerSum := 0.0
	for _, k := range cells {
		powerSum += e.powers.powerSum[k&63]
	}
	t := lineTerms{
		float64(w.Empty * float64(countEmpty(cells))), float64(w.Merges * float64(mergeable(cells))),
		-float64(w.Disorder * e.disorder(cells)), -float64(w.PowerSum * powerSum), e.neighbours(cells),
	}
	if border {
		t[borderTerm] = e.border(cells)
	}
	return t
}

// worth returns the value of one line.
func (e *Lines) worth(cells []uint8, border bool) float64 {
	t := e.terms(cells, border)
	return rounded(t.inside(e.Weights.Base) + t[borderTerm])
}

// worths returns the values of one line on the border and inside.
func (e *Lines) worths(cells []uint8) (outer, inner float64) {
	t := e.terms(cells, true)
	inside := t.inside(e.Weights.Base)
	return rounded(inside + t[borderTerm]), rounded(inside)
}

// inside returns the sum of the base and all terms except the border term.
func (t *lineTerms) inside(base float64) float64 {
	for _, v := range t[:borderTerm] {
		base += v
	}
	return base
}

func rounded(v float64) float64 { return math.Round(max(-maxWorth, min(maxWorth, v))) }

// mergeable returns the number of tiles in runs of two or more equal tiles, ignoring empty cells.
func mergeable(cells []uint8) (n int) {
	run, last := 0, uint8(0)
	for _, k := range cells {
		switch {
		case k == 0:
		case k == last:
			if run++; run == 2 {
				n++ // counts the first tile of the run
			}
			n++
		default:
			run, last = 1, k
		}
	}
	return n
}

// disorder returns the smaller of the sum of all rises and the sum of all falls between adjacent
// cells, including empty ones (the monotonicity of nneonneo/2048-ai).
func (e *Lines) disorder(cells []uint8) float64 {
	rises, falls := 0.0, 0.0
	for i := 1; i < len(cells); i++ {
		d := e.powers.disorder[cells[i]&63] - e.powers.disorder[cells[i-1]&63]
		rises += max(d, 0)
		falls += max(-d, 0)
	}
	return min(rises, falls)
}

func (e *Lines) neighbours(cells []uint8) float64 {
	steps, roughness := 0, 0
	for i := 1; i < len(cells); i++ {
		a, b := int(cells[i-1]), int(cells[i])
		if a == 0 || b == 0 {
			continue
		}
		if a-b == 1 || b-a == 1 {
			steps += min(a, b)
		}
		roughness += max(a-b, b-a)
	}
	return float64(e.Weights.Steps*float64(steps)) - float64(e.Weights.Roughness*float64(roughness))
}

func (e *Lines) border(cells []uint8) float64 {
	sum, largest := 0.0, uint8(0)
	for _, k := range cells {
		sum += e.powers.edge[k&63]
		largest = max(largest, k)
	}
	v := float64(e.Weights.Edge * sum)
	if cells[0] == largest || cells[len(cells)-1] == largest {
		v += float64(e.Weights.End * e.powers.edge[largest&63])
	}
	return v
}

// ExpertWeights returns weights that CMA-ES found by playing games, starting from NneonneoWeights; see
// docs/lab/search.md.
func ExpertWeights() LineWeights {
	return LineWeights{
		Base: 150810, Empty: 152.63, Merges: 604.64, Disorder: 468.42, PowerSum: 62.809,
		Steps: -59.816, Roughness: -41.859, Edge: 2.4389, End: -1.2738,
		DisorderPower: 2.5611, PowerSumPower: 2.8181, EdgePower: 2.79,
	}
}

// lineCache is a direct-mapped cache of line values by key. A search meets the same few thousand
// lines many times, and computing one takes several times as long as a lookup. (The 4x4 search has
// tables of all lines instead.)
type lineCache [1 << 12]struct {
	line  uint64 // the key; 0: the entry is empty
	worth float64
}

const (
	lengthBits = 48 // position of the length in a key; the bits below it hold the cells, one byte each
	borderBit  = 52
)

// lineKey packs a line's cells, one per byte, with its length and whether it lies on the border.
func lineKey(cells uint64, length int, border bool) uint64 {
	key := cells | uint64(length)<<lengthBits
	if border {
		key |= 1 << borderBit
	}
	return key
}

// lineOf is the inverse of lineKey. cells is a slice of *memory, to which lineOf writes them.
func lineOf(key uint64, memory *[board.MaxSide]uint8) (cells []uint8, border bool) {
	for i := range memory {
		memory[i] = uint8(key >> (8 * i))
	}
	return memory[:key>>lengthBits&7], key>>borderBit&1 != 0
}

// worthOf returns the value of the line with this key, and caches it.
func (e *Lines) worthOf(key uint64) float64 {
	entry := &e.cache[key*0x9e3779b97f4a7c15>>52]
	if entry.line != key {
		var memory [board.MaxSide]uint8
		entry.line, entry.worth = key, e.worth(lineOf(key, &memory))
	}
	return entry.worth
}

// lineKeys returns the keys of all rows from the top, then of all columns from the left.
func lineKeys(b *board.Board, keys *[2 * board.MaxSide]uint64) []uint64 {
	s := b.Size()
	var columns [board.MaxSide]uint64 // columns as words, with the exponent of row r in byte r
	for r := range s.Rows {
		row := b.Row(r)
		keys[r] = lineKey(row, s.Cols, r == 0 || r == s.Rows-1)
		for c := range columns {
			columns[c] |= row >> (8 * c) & 0xff << (8 * r)
		}
	}
	for c := range s.Cols {
		keys[s.Rows+c] = lineKey(columns[c], s.Rows, c == 0 || c == s.Cols-1)
	}
	return keys[:s.Rows+s.Cols]
}
