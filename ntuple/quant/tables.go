package quant

import (
	"errors"
	"fmt"
	"runtime"
	"sync"

	"afterstate/ntuple"
)

// differences decodes the integers of all stages into the tables of an Int16 network, on all cores. An
// integer of a later stage is the difference to what the weight reads if that stage has not learned
// it, modulo 1 << 16; 0 means not learned.
func (c *compact) differences(body []byte) (*ntuple.Network, error) {
	n, err := ntuple.NewInt16(c.Layout, c.Scale)
	if err != nil {
		return nil, err
	}
	if c.version == former {
		err = c.formerDifferences(n, body)
	} else {
		err = c.unpack(n, body)
	}
	if err != nil {
		n.Close()
		return nil, err
	}
	return n, nil
}

// stream is the code of a table.
type stream struct {
	stage, pattern int
	code           []byte
}

// streams returns those of the body, stage by stage.
func (c *compact) streams(body []byte) (all []stream) {
	for s := range c.Bytes {
		for p, length := range c.Bytes[s] {
			all = append(all, stream{s, p, body[:length]})
			body = body[length:]
		}
	}
	return all
}

// unpack decodes the streams. Each goroutine decodes several at once.
func (c *compact) unpack(n *ntuple.Network, body []byte) error {
	streams := c.streams(body)
	atOnce := max(1, min(mostAtOnce, len(streams)/runtime.GOMAXPROCS(0)))
	var mu sync.Mutex
	var errs []error
	take := func(failed []error) (some []stream) {
		mu.Lock()
		defer mu.Unlock()
		errs = append(errs, failed...)
		some = streams[:min(atOnce, len(streams))]
		streams = streams[len(some):]
		return some
	}
	var threads sync.WaitGroup
	for range min(len(streams), runtime.GOMAXPROCS(0)) {
		threads.Go(func() {
			unpackers := make([]unpacker, atOnce)
			for some := take(nil); len(some) > 0; {
				var all []*unpacker
				for i, s := range some {
					u := &unpackers[i]
					u.begin(n.Int16Table(s.stage, s.pattern), c.Patterns[s.pattern], s.code)
					all = append(all, u)
				}
				failed := unpack(all, false)
				for i, s := range some {
					if failed[i] != nil {
						failed[i] = fmt.Errorf("%w: stage %d, pattern %s: %w", ntuple.ErrModel, s.stage, c.Patterns[s.pattern], failed[i])
					}
				}
				some = take(failed)
			}
		})
	}
	threads.Wait()
	return errors.Join(errs...)
}

// formerDifferences decodes streams of the former version.
func (c *compact) formerDifferences(n *ntuple.Network, body []byte) error {
	large := make([]bool, len(c.Patterns))
	err := c.decode(body, func(s, p int) func(int, []int32) {
		table := n.Int16Table(s, p)
		return func(at int, units []int32) {
			for i, x := range units {
				table[at+i] = int16(x)
				large[p] = large[p] || x != int32(int16(x))
			}
		}
	})
	for p, is := range large {
		if is && err == nil {
			err = fmt.Errorf("%w: pattern %s has weights of more than 16 bits", ntuple.ErrModel, c.Patterns[p])
		}
	}
	if err != nil {
		return err
	}
	c.eachPattern(func(p int) {
		for s := c.StageCount() - 1; s > 0; s-- {
			table, bias := n.Int16Table(s, p), c.stageUnits(s)
			for i, x := range table {
				if x != 0 {
					table[i] = x - before(n, s, p, i, bias)
				}
			}
		}
	})
	return nil
}

// before is what weight i of a pattern reads in a stage that has not learned it, in units.
func before(n *ntuple.Network, stage, pattern, i int, bias int16) int16 {
	for s := stage - 1; s >= 0; s-- {
		if x := n.Int16Table(s, pattern)[i]; x != 0 {
			return x
		}
	}
	return bias
}

// learn turns differences into units, where 0 still means not learned.
func (c *compact) learn(n *ntuple.Network, pattern int) {
	for s := 1; s < c.StageCount(); s++ {
		table, bias := n.Int16Table(s, pattern), c.stageUnits(s)
		for i, x := range table {
			if x != 0 {
				table[i] = x + before(n, s, pattern, i, bias)
			}
		}
	}
}

// promote makes weights that a stage has not learned what they read.
func (c *compact) promote(n *ntuple.Network, pattern int) {
	for s := c.StageCount() - 1; s > 0; s-- {
		table, bias := n.Int16Table(s, pattern), c.stageUnits(s)
		for i, x := range table {
			if x == 0 {
				table[i] = before(n, s, pattern, i, bias)
			}
		}
	}
}

// stageUnits is StageBias of a weight in units.
func (c *compact) stageUnits(stage int) int16 {
	return int16(stageUnits(&c.Layout, c.StageBias, c.Scale)[stage])
}

// eachPattern calls do for each pattern, on all cores.
func (c *compact) eachPattern(do func(pattern int)) {
	inParallel(&c.Layout, nil, 0, func(_ *table, p int) { do(p) })
}
