package quant

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/afterstate2048/afterstate/eval/ntuple"
)

// Options controls the trade-off between file size and accuracy. The zero value writes 16-bit
// integers and sets no size limit.
type Options struct {
	// Bits is the maximum number of bits of an integer, including its sign, from 2 to 16. 0 means
	// 16.
	Bits int
	// Size is the maximum file size in bytes. To meet it, integers are rounded more coarsely or
	// omitted where this matters least in play. 0 means no limit.
	Size int
	// Visits[stage][i] is the number of times that play read weight i of a stage, as counted by
	// learn.Visits. Weights are numbered table after table (see Layout.Begins). If Visits is nil,
	// the importance of a weight follows from its magnitude alone.
	Visits [][]uint32
}

// Loss is the difference between a quantized network and its original.
type Loss struct {
	Weights int `json:"weights"` // number of weights of the original that are not zero
	Kept    int `json:"kept"`    // number of these weights that were written; the others are read as not learned
	// RMS is the root mean square error of the weights, in points, weighted by how often play reads
	// each weight.
	RMS    float64          `json:"root_mean_sq"`
	Played *ScoreComparison `json:"played,omitempty"`
}

// ScoreComparison compares the mean scores of the original (raw) and the quantized network, paired
// by seed.
type ScoreComparison struct {
	Games      int        `json:"games"`
	Seed       uint64     `json:"seed"`
	Raw        float64    `json:"raw_mean_score"`
	Quantized  float64    `json:"quantized_mean_score"`
	Difference float64    `json:"difference"` // quantized - raw
	CI95       [2]float64 `json:"difference_ci95"`
}

const (
	// unforeseen is the number of visits added to the visits counted in the sample of play, as a
	// share of these, because play also reads weights that the sample does not. The added visits
	// are divided among all weights in proportion to their magnitudes.
	unforeseen = 0.002
	// annotations is the number of bytes reserved for Annotate.
	annotations = 1 << 10
)

// Quantize encodes a network with its metadata, without trainer state, on all cores; the package
// documentation describes the method. An error names the option that cannot be satisfied, or says
// that weights are not finite.
func Quantize(n *ntuple.Network, info ntuple.Info, o Options) ([]byte, Loss, error) {
	o.Bits = cmp.Or(o.Bits, 16)
	if o.Bits < 2 || o.Bits > 16 {
		return nil, Loss{}, fmt.Errorf("%d bits: must be from 2 to 16", o.Bits)
	}
	if n.Layout.Weights() > MaxWeights {
		return nil, Loss{}, fmt.Errorf("%d weights: a quantized model holds at most %d", n.Layout.Weights(), MaxWeights)
	}
	info.State = nil
	c := &Header{Head: n.Head, Info: info, Bits: o.Bits}
	q := &quantizer{Header: c, net: n, visits: o.Visits, limit: 1<<(o.Bits-1) - 1}
	if err := q.survey(); err != nil {
		return nil, Loss{}, err
	}
	var made *encoded
	var err error
	if o.Size == 0 {
		made, err = q.run(0)
	} else {
		made, err = q.fit(o.Size)
	}
	if err != nil {
		return nil, Loss{}, err
	}
	c.Loss = Loss{Weights: q.weights, Kept: made.written, RMS: float64(q.Scale) * math.Sqrt(made.off/max(made.importance, 1e-300))}
	file, err := c.write(made.streams)
	return file, c.Loss, err
}

// quantizer is the state of one call of Quantize. A unit is Scale points: the value of the integer 1.
type quantizer struct {
	*Header
	net     *ntuple.Network
	visits  [][]uint32
	limit   int32   // largest magnitude of a quantized weight, in units
	perUnit float64 // importance of a weight without visits, per point of its magnitude
	weights int     // number of weights that are not zero
	typical float64 // mean of importance times weight squared, in units squared
}

// encoded is the result of quantizing at one price.
type encoded struct {
	streams [][][]byte // indexed by stage and pattern
	bytes   int
	tally
}

// tally contains the sums from which the loss is computed.
type tally struct {
	written    int     // number of weights that were written
	off        float64 // sum of squared errors, in units squared, each times its importance
	importance float64 // sum of importances
}

// survey determines the scale, and how the importance of a weight depends on its magnitude.
func (q *quantizer) survey() error {
	if q.visits != nil && len(q.visits) != q.net.StageCount() {
		return errors.New("visits belong to another network")
	}
	largest, sizes, visits := float32(0), 0.0, 0.0
	// sums of importance times w²: squares is the part from magnitudes, without the factor perUnit,
	// and seen the part from visits
	squares, seen := 0.0, 0.0
	begins, _ := q.net.Begins()
	for s := range q.net.StageCount() {
		if q.visits != nil && len(q.visits[s]) != q.net.Entries() {
			return errors.New("visits belong to another network")
		}
		for p, begin := range begins {
			for i, w := range q.net.Table(s, p) {
				if w == 0 {
					continue
				}
				q.weights++
				size := float64(max(w, -w))
				largest = max(largest, w, -w)
				sizes += size
				squares += size * size * size
				if q.visits != nil {
					reads := float64(q.visits[s][begin+i])
					visits += reads
					seen += reads * size * size
				}
			}
		}
	}
	if !(sizes < math.MaxFloat32) {
		return errors.New("some weights are not finite numbers")
	}
	q.Scale = largest / float32(q.limit)
	q.perUnit = 1
	if visits > 0 {
		q.perUnit = unforeseen * visits / sizes
	}
	if q.Scale > 0 {
		unit := float64(q.Scale)
		q.typical = (seen + q.perUnit*squares) / float64(q.weights) / (unit * unit)
	}
	return nil
}

// importance returns the factor of a weight's squared error in the distortion.
func (q *quantizer) importance(stage, i int, w float32) float64 {
	f := q.perUnit * float64(max(w, -w))
	if q.visits != nil {
		f += float64(q.visits[stage][i])
	}
	return f
}

// fit searches for a price at which the file takes at most this number of bytes, and not much less. The logarithm of
// the size is nearly linear in the logarithm of the price.
func (q *quantizer) fit(bytes int) (best *encoded, err error) {
	const near, tries = 0.985, 12
	front, err := ntuple.EncodeFront(magic, q.Header)
	if err != nil {
		return nil, err
	}
	room := bytes - len(front) - annotations - 16*len(q.Patterns)*q.StageCount()
	if room <= 0 {
		return nil, fmt.Errorf("%d bytes are too few for this network", bytes)
	}
	bits := 8 * float64(room) / float64(max(1, q.weights)) // bits per weight
	if bits > 9 {                                          // the file may fit at full precision
		if m, err := q.run(0); err != nil || m.bytes <= room {
			return m, err
		}
	}
	target := math.Log(float64(room) * (1 + near) / 2)
	slope := -4.0
	low, high := math.Inf(-1), math.Inf(1) // logarithms of prices that are too low, and high enough
	at, last, lastSize := math.Log(q.typical)-10.5-3.8*math.Log(bits), 0.0, 0.0
	for i := range tries {
		m, err := q.run(math.Exp(at))
		if err != nil {
			return nil, err
		}
		size := math.Log(float64(max(1, m.bytes)))
		if m.bytes > room {
			low = at
		} else {
			high = at
			if best == nil || m.bytes > best.bytes {
				best = m
			}
			if float64(m.bytes) >= near*float64(room) {
				break
			}
		}
		if i > 0 && size != lastSize {
			slope = min(-1, max(-16, (at-last)/(size-lastSize)))
		}
		last, lastSize = at, size
		at += slope * (target - size)
		if !(at > low && at < high) {
			at = (low + high) / 2
		}
	}
	if best == nil {
		return nil, fmt.Errorf("%d bytes are too few for this network", bytes)
	}
	return best, nil
}

// run quantizes at a price. The price is the distortion, in units squared, that is accepted to save one bit.
func (q *quantizer) run(price float64) (*encoded, error) {
	m := &encoded{streams: make([][][]byte, q.net.StageCount())}
	for s := range m.streams {
		m.streams[s] = make([][]byte, len(q.net.Patterns))
	}
	tallies := make([]tally, len(q.net.Patterns)*len(q.Families()))
	err := q.eachUnit(func(w *workspace, u unit) error {
		tables, err := w.tables(q.Header, u)
		for i, table := range tables {
			clear(table)
			stage := u.First + i
			m.streams[stage][u.pattern] = q.encode(table, tables[:i], stage, u.pattern, price, &tallies[u.number])
			addInherited(table, tables[:i])
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, t := range tallies {
		m.add(&t)
	}
	for _, streams := range m.streams {
		for _, stream := range streams {
			m.bytes += len(stream)
		}
	}
	return m, nil
}

// Text describes the loss of precision. ScoreComparison.Text describes the loss in play.
func (l *Loss) Text() string {
	return fmt.Sprintf("%d of %d weights kept; weighted by use in play, their root mean square error is %.3g points", l.Kept, l.Weights, l.RMS)
}

// Text describes the comparison.
func (p *ScoreComparison) Text() string {
	digits, share := 0, 100*p.Difference/max(1, p.Raw)
	if p.Raw <= 1 { // Raw is a share of endings won, not a score
		digits, share = 4, 100*p.Difference/max(1e-4, p.Raw)
	}
	return fmt.Sprintf("mean score %.*f, raw %.*f: %+.*f (%+.2f %%), 95 %% %+.*f to %+.*f, in %d games of seed %d",
		digits, p.Quantized, digits, p.Raw, digits, p.Difference, share, digits, p.CI95[0], digits, p.CI95[1], p.Games, p.Seed)
}
