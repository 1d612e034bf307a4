package ntuple

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"

	"pgregory.net/rapid"
)

// games calls do for every afterstate of random games.
func games(n uint64, do func(bitboard.Board)) {
	for i := range n {
		r := rand.New(rand.NewPCG(7, i))
		b := bitboard.Board(0).PlaceNth(r.IntN(16), 1)
		for {
			b = b.PlaceNth(r.IntN(b.Empty()), uint8(1+r.IntN(10)/9))
			if b.Terminal() {
				break
			}
			var after [4]bitboard.Afterstate
			b.Afterstates(&after)
			d := r.IntN(4)
			for !after[d].Moved {
				d = r.IntN(4)
			}
			for _, a := range after {
				if a.Moved {
					do(a.Board)
				}
			}
			b = after[d].Board
		}
	}
}

// network returns a network whose weights are zero.
func network(t testing.TB, size board.Size, name string, stages ...Stage) *Network {
	t.Helper()
	l := must.Get(Named(size, name))(t)
	l.Stages = stages
	n := must.Get(New(l))(t)
	t.Cleanup(n.Close)
	return n
}

// knowing returns a network with non-zero weights for the boards of random games; later stages
// have half of them.
func knowing(t testing.TB, name string, stages ...Stage) *Network {
	n := network(t, bitboard.Size, name, stages...)
	r := rand.New(rand.NewPCG(1, 2))
	at := make([]SymIndices, len(n.Patterns))
	games(5, func(b bitboard.Board) {
		n.Indices(at, b)
		for s := range n.StageCount() {
			for p := range at {
				for _, i := range at[p] {
					if s == 0 || r.IntN(2) == 0 {
						n.Table(s, p)[i] = float32(r.NormFloat64() * 100)
					}
				}
			}
		}
	})
	return n
}

// All implementations compute the same indices as the general one, and the same values
// bit for bit.
func TestTwins(t *testing.T) {
	for _, name := range Names(bitboard.Size) {
		for _, stages := range [][]Stage{nil, {{}, {5}, {7, 6}}} {
			if stages != nil && !strings.HasSuffix(name, "4") {
				continue
			}
			n := knowing(t, name, stages...)
			n.Bias = 12.5
			fast, slow := *n, *n
			plain := *n.reader
			plain.fast = false
			slow.reader = &plain
			games(soak.Pick(uint64(2), 6), func(b bitboard.Board) { checkTwins(t, &fast, &slow, b) })
			rapid.Check(t, func(t *rapid.T) {
				checkTwins(t, &fast, &slow, bitboard.Board(rapid.Uint64().Draw(t, "board")))
			})
			n.Close()
		}
	}
}

type fataler interface {
	Fatalf(string, ...any)
}

func checkTwins(t fataler, fast, slow *Network, b bitboard.Board) {
	want, got := make([]SymIndices, len(fast.Patterns)), make([]SymIndices, len(fast.Patterns))
	fast.reader.general(want, b)
	for _, n := range []*Network{fast, slow} {
		n.Indices(got, b)
		for p := range want {
			if got[p] != want[p] {
				t.Fatalf("%s, fast %v, pattern %s of %016x: %x, want %x", n.Name, n.HasKernel(), n.Patterns[p], uint64(b), got[p], want[p])
			}
		}
		value := n.general(b)
		if v := n.Value(b); v != value {
			t.Fatalf("%s, fast %v, %016x: value %v, want %v", n.Name, n.HasKernel(), uint64(b), v, value)
		}
		batch := n.NewBatch()
		batch.N, batch.Boards = 3, [4]bitboard.Board{b, b.Transpose(), b ^ 1}
		n.Evaluate(batch)
		for i := range batch.N {
			if v := n.Value(batch.Boards[i]); batch.Values[i] != v {
				t.Fatalf("%s, fast %v, %016x: %v in a batch, %v alone", n.Name, n.HasKernel(), uint64(batch.Boards[i]), batch.Values[i], v)
			}
		}
	}
}

func FuzzTwins(f *testing.F) {
	l, _ := Named(bitboard.Size, "5x4")
	n := must.Get(New(l))(f)
	for p := range l.Patterns {
		for i := range n.Table(0, p) {
			n.Table(0, p)[i] = float32(i%1013) / 7
		}
	}
	slow, plain := *n, *n.reader
	plain.fast = false
	slow.reader = &plain
	f.Add(uint64(0x0123456789abcdef))
	f.Fuzz(func(t *testing.T, b uint64) { checkTwins(t, n, &slow, bitboard.Board(b)) })
}

// Values follow the definition: the cells of all symmetric boards, read as digits.
func TestDefinition(t *testing.T) {
	for size, name := range map[board.Size]string{bitboard.Size: "5x4", {Rows: 3, Cols: 3}: "3x4", {Rows: 2, Cols: 3}: ""} {
		l, err := ParseLayout(size, "013 024")
		if name != "" {
			l, err = Named(size, name)
		}
		must.Do(t, err)
		n := must.Get(New(l))(t)
		for p := range l.Patterns {
			for i := range n.Table(0, p) {
				n.Table(0, p)[i] = float32(i)
			}
		}
		rapid.Check(t, func(t *rapid.T) {
			full := board.New(size)
			for i := range size.Cells() {
				full.Set(i, rapid.Uint8Range(0, 15).Draw(t, "cell"))
			}
			var want float32
			all := full.Symmetries()
			for _, p := range l.Patterns {
				for _, s := range all {
					var cells []uint8
					for _, cell := range p {
						cells = append(cells, s.Cell(int(cell)))
					}
					want += float32(p.Index(cells)) * float32(8/len(all))
				}
			}
			w, ok := Pack(&full)
			if got := n.Value(w); !ok || got != want {
				t.Fatalf("%v: %v, want %v", full, got, want)
			}
		})
	}
}

func TestIndex(t *testing.T) {
	must.Equal(t, (Pattern{0, 1, 2}).Index([]uint8{0b1101, 0b0010, 0b1011}), 0b110010_011011, "index")
}

func TestStages(t *testing.T) {
	n := network(t, bitboard.Size, "2x4", Stage{}, Stage{11}, Stage{12, 11})
	for hex, want := range map[uint64]int{0: 0, 0xa: 0, 0xb: 1, 0xc: 1, 0xcb: 2, 0xbb: 1, 0xcc: 2, 0xd0000000b: 2, 0xfa9: 1} {
		must.Equal(t, n.Stage(bitboard.Board(hex)), want, "stage of", hex)
	}
	rapid.Check(t, func(t *rapid.T) {
		b, e := bitboard.Board(rapid.Uint64().Draw(t, "board")), rapid.Uint8Range(1, 15).Draw(t, "exponent")
		want := 0
		for i := range 16 {
			if b.Cell(i) >= e {
				want++
			}
		}
		if got := atLeast(b, e); got != want {
			t.Fatalf("%d tiles of %d in %016x, want %d", got, e, uint64(b), want)
		}
	})
}

// A later stage reads what an earlier one learned until it learns itself.
func TestPromotion(t *testing.T) {
	n := network(t, bitboard.Size, "2x4", Stage{}, Stage{3})
	b := bitboard.Board(0x4321)
	at := make([]SymIndices, 2)
	n.Indices(at, b)
	n.Add(0, at, 2)
	if first, second := n.Sum(0, at), n.Value(b); n.Stage(b) != 1 || first != second {
		t.Errorf("%v in stage 0, %v in stage 1", first, second)
	}
	before := n.Value(b)
	n.Add(1, at, 1)
	n.Add(0, at, 50)
	after := n.Value(b)
	if after <= before || after >= n.Sum(0, at) {
		t.Errorf("%v, then %v", before, after)
	}
}

func TestEvaluator(t *testing.T) {
	n := knowing(t, "2x4")
	e := Evaluator{n}
	value := func(text string) float64 {
		b := must.Get(board.Parse(text))(t)
		return e.Value(&eval.Position{Board: b})
	}
	must.Equal(t, e.Unit(), eval.Points, "unit")
	const small = "2,4,8,16/2,2,0,0/0,0,0,0/0,0,4,0"
	full, _ := board.Parse(small)
	w, _ := bitboard.From(&full)
	if v := value(small); v != float64(n.Value(w)) || v == 0 {
		t.Errorf("%v, want %v", v, n.Value(w))
	}
	// 65536 without a 32768 is read as one size smaller.
	must.Equal(t, value("65536,4,8,16/2,2,0,0/0,0,0,0/0,0,4,0"), value("32768,4,8,16/2,2,0,0/0,0,0,0/0,0,4,0"))
	must.Equal(t, value("2,0/0,2"), 0, "value")
	_ = value("131072,65536,32768,16384/8192,4096,2048,1024/512,256,128,64/32,16,8,4")
}

func TestNames(t *testing.T) {
	for _, n := range named {
		l, err := Named(n.size, n.name)
		if err != nil || l.Name != n.name {
			t.Errorf("%v %s: %v", n.size, n.name, err)
		}
	}
	for text, want := range map[string]string{
		"01g":                     "has no cell g",
		"01!":                     "is not a cell",
		"0":                       "must be from 2 to 7",
		"01234567":                "must be from 2 to 7",
		"0120":                    "twice",
		"":                        "0 patterns",
		strings.Repeat("01 ", 65): "65 patterns",
	} {
		_, err := ParseLayout(bitboard.Size, text)
		must.Contains(t, fmt.Sprint(err), want, text)
	}
	_, err := ParseLayout(board.Size{Rows: 3, Cols: 3}, "89")
	must.Contains(t, fmt.Sprint(err), "no cell 9")
	if _, err := ParseLayout(board.Size{Rows: 7, Cols: 5}, "01"); err == nil {
		t.Error("7x5 has networks")
	}
	_, err = Named(bitboard.Size, "9x9")
	must.Contains(t, fmt.Sprint(err), "4x6")
	for want, stages := range map[string][]Stage{
		"stage 0 must have [], which every": {{5}},
		"stage [5 6]":                       {{}, {5, 6}},
		"stage [16]":                        {{}, {16}},
		"33 stages":                         make([]Stage, MaxStages+1),
	} {
		l, _ := Named(bitboard.Size, "2x4")
		l.Stages = stages
		_, err := New(l)
		must.Contains(t, fmt.Sprint(err), want, stages)
	}
}

func BenchmarkValue(b *testing.B) {
	for _, name := range []string{"5x4", "4x6", "8x6"} {
		n := knowing(b, name)
		var boards []bitboard.Board
		games(3, func(x bitboard.Board) { boards = append(boards, x) })
		for _, way := range []string{"kernel", "unrolled", "general"} {
			b.Run(name+"/"+way, func(b *testing.B) {
				n.reader.fast = way == "kernel" && haveKernel
				i := 0
				var sum float32
				for b.Loop() {
					if way == "general" {
						sum += n.general(boards[i])
					} else {
						sum += n.Value(boards[i])
					}
					if i++; i == len(boards) {
						i = 0
					}
				}
			})
		}
		n.Close()
	}
}

// BenchmarkSparse computes the indices of boards of games, and their values by a sparse network, of one board in the caches and of all.
func BenchmarkSparse(b *testing.B) {
	l, _ := Named(bitboard.Size, "8x6")
	n := must.Get(NewSparse(Head{Layout: l}, 1))(b)
	for p := range n.Patterns {
		table := make([]int16, n.Patterns[p].Entries())
		for i := range table {
			if i/sparseBlock%6 == 0 { // as many blocks as the site's network has
				table[i] = 1
			}
		}
		n.SetSparseTables(p, 0, [][]int16{table})
	}
	var boards []bitboard.Board
	games(300, func(x bitboard.Board) { boards = append(boards, x) })
	rand.Shuffle(len(boards), func(i, j int) { boards[i], boards[j] = boards[j], boards[i] })
	at := make([]SymIndices, len(n.Patterns))
	for name, boards := range map[string][]bitboard.Board{"one": boards[:1], "all": boards} {
		i := 0
		next := func() bitboard.Board { i++; return boards[i%len(boards)] }
		b.Run(name+"/indices", func(b *testing.B) {
			for b.Loop() {
				n.reader.read(at, next())
			}
		})
		b.Run(name+"/value", func(b *testing.B) {
			for b.Loop() {
				n.Value(next())
			}
		})
	}
}

// general is the reference of Value.
func (n *Network) general(b bitboard.Board) float32 {
	at := make([]SymIndices, len(n.Patterns))
	b = n.DowngradeBoard(b)
	n.reader.general(at, b)
	return n.sumStaged(n.Stage(b), at) + n.Bias
}
