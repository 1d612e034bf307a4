package learn

import (
	"fmt"
	"sync"
	"testing"

	"github.com/afterstate2048/afterstate/eval/ntuple"
)

// BenchmarkMoves trains one network after another; ns/op is a move.
func BenchmarkMoves(b *testing.B) {
	for _, name := range []string{"4x6", "8x6"} {
		for _, method := range []string{"td", "tc", "tclambda", "play"} {
			b.Run(fmt.Sprint(name, "/", method), func(b *testing.B) {
				n := network(b, size4, name)
				rate := float32(0.1) / float32(n.Features())
				w := newThread(n, &plain{n, newShared(rate)})
				if method == "tclambda" {
					w.setReturn(0.5, 5)
				}
				if method == "tc" || method == "tclambda" {
					w.learn = newCoherence(b, n, 10*rate)
				}
				games := gamesOf(w, 1)
				for range 2000 {
					games()
				}
				if method == "play" {
					w.learn = frozen{}
				}
				b.ResetTimer()
				for moves := 0; moves < b.N; {
					moves += games()
				}
			})
		}
	}
}

// BenchmarkSharing trains by temporal coherence in two threads: each its own network, or both the same network, as
// training does. The difference is the time that a core waits for memory that the other core has written. ns/op is a
// move of each thread.
func BenchmarkSharing(b *testing.B) {
	var learners [2]*coherence
	for i := range learners {
		n := network(b, size4, "4x6")
		learners[i] = newCoherence(b, n, 1/float32(n.Features()))
		games := gamesOf(newThread(n, learners[i]), 1)
		for range 4000 {
			games()
		}
	}
	for _, networks := range []int{2, 1} {
		b.Run(fmt.Sprint("networks=", networks), func(b *testing.B) {
			var g sync.WaitGroup
			for t := range 2 {
				g.Go(func() {
					l := learners[t%networks]
					games := gamesOf(newThread(l.net, l), uint64(t+2))
					for moves := 0; moves < b.N; {
						moves += games()
					}
				})
			}
			g.Wait()
		})
	}
}

// gamesOf returns a function that plays the next game of a seed and returns its moves.
func gamesOf(w player, seed uint64) func() int {
	game := uint64(0)
	return func() int {
		w.seed(seed, game)
		game++
		return w.playFresh().Moves
	}
}

// BenchmarkReads reads the memory that moves of training by temporal coherence read, and does nothing else: all weights of
// the afterstates, and the sums of the one that is updated. So it estimates the time that memory takes; training prefetches, and
// may take less. ns/op is a move of each thread; threads share the network. Each thread reads the same moves again and again, so that part of
// them is in the processor's caches.
func BenchmarkReads(b *testing.B) {
	const moves = 200_000
	for _, name := range []string{"4x6", "8x6"} {
		n := network(b, size4, name)
		c := newCoherence(b, n, 1/float32(n.Features()))
		learner := gamesOf(newThread(n, c), 1)
		for range 4000 {
			learner()
		}
		for _, threads := range []int{1, 2} {
			var all []*reads
			for t := range threads {
				r := &reads{c: c}
				w := newThread(n, r)
				w.looked = r.look
				for games := gamesOf(w, uint64(t+2)); len(r.moves) < moves; {
					games()
				}
				all = append(all, r)
			}
			b.Run(fmt.Sprint(name, "/threads=", threads), func(b *testing.B) {
				var g sync.WaitGroup
				for _, r := range all {
					g.Go(func() {
						for done := 0; done < b.N; {
							done += r.replay(b.N - done)
						}
					})
				}
				g.Wait()
			})
		}
	}
}

// reads is a learner that records the indices of the weights and sums that moves read.
type reads struct {
	frozen
	c     *coherence
	moves []int // for each move, the end of its indices in at; the indices of sums come last
	at    []ntuple.SymIndices
	sum   float32 // sum of what was read, so that the compiler keeps the reads
}

func (r *reads) look(batch *ntuple.Batch) {
	for i := range batch.N {
		r.at = append(r.at, batch.At[i]...)
	}
}

func (r *reads) update(p *features, _ float32) float32 {
	r.at = append(r.at, p.at...)
	r.moves = append(r.moves, len(r.at))
	return 0
}

// replay reads what the first moves read, at most limit moves, and returns the number of moves.
func (r *reads) replay(limit int) int {
	patterns := len(r.c.net.Patterns)
	weights, sums := r.c.net, r.c.sums.Tables[0]
	moves := r.moves[:min(limit, len(r.moves))]
	all, words, from := float32(0), uint64(0), 0
	for _, end := range moves {
		at := r.at[from:end]
		from = end
		looked := at[:len(at)-patterns]
		for len(looked) > 0 {
			for k := range patterns {
				table, octet := weights.Table(0, k), float32(0) // octets overlap: no sum waits for another's
				for _, i := range looked[k] {
					octet += table[i]
				}
				all += octet
			}
			looked = looked[patterns:]
		}
		for k, updated := range at[len(at)-patterns:] {
			octet := uint64(0)
			for _, i := range updated {
				octet += sums[k][i]
			}
			words += octet
		}
	}
	r.sum = all + float32(words)
	return len(moves)
}
