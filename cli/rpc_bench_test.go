package cli_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// The time of a request to another process, with a player that answers at once.
// On one core for both: taskset -c 0 go test ./cli -run '^$' -bench Rpc

const onePly = "expectimax(plies=1)"

// questions are best_move requests along a game.
func questions(tb testing.TB) (lines [][]byte) {
	tb.Helper()
	m := must.Get(catalog.Parse(onePly, catalog.Capabilities{}))(tb)
	p := m.New()
	g, _ := game.New(game.Options{})
	for !g.Over() && len(lines) < 1000 {
		b := g.Board()
		text, _ := b.MarshalJSON()
		lines = append(lines, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"best_move","params":{"board":%s,"score":%d}}`+"\n", len(lines), text, g.Score()))
		d, err := p.Decide(tb.Context(), search.NewQuery(b, g.Score()))
		if err != nil || g.Move(d.Move) != nil {
			tb.Fatal(err)
		}
	}
	return lines
}

// serving starts afterstate rpc.
func serving(b *testing.B) (io.WriteCloser, *bufio.Reader) {
	b.Helper()
	cmd := exec.Command(clitest.Program(b), "rpc", "--player", onePly)
	cmd.Stderr = os.Stderr
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	must.Do(b, cmd.Start())
	b.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			b.Error(err)
		}
	})
	return in, bufio.NewReaderSize(out, 1<<16)
}

func rate(b *testing.B) {
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "round_trips/s")
}

func BenchmarkRpcOneAtATime(b *testing.B) {
	lines := questions(b)
	in, out := serving(b)
	for i := 0; b.Loop(); i++ {
		must.Get(in.Write(lines[i%len(lines)]))(b)
		must.Get(out.ReadSlice('\n'))(b)
	}
	rate(b)
}

func BenchmarkRpcPipelined(b *testing.B) {
	lines := questions(b)
	in, out := serving(b)
	b.ResetTimer()
	go func() {
		buffered := bufio.NewWriterSize(in, 1<<15)
		for i := range b.N {
			_, _ = buffered.Write(lines[i%len(lines)])
		}
		_ = buffered.Flush()
	}()
	for range b.N {
		must.Get(out.ReadSlice('\n'))(b)
	}
	rate(b)
}

// The same through a player, as arena asks.
func BenchmarkRpcPlayer(b *testing.B) {
	m := must.Get(catalog.Parse(fmt.Sprintf(`exec(cmd="%s rpc --player %s")`, clitest.Program(b), onePly), catalog.Capabilities{Exec: true}))(b)
	p := m.New()
	defer player.Close(p)
	g, _ := game.New(game.Options{})
	for b.Loop() {
		if g.Over() {
			g, _ = game.New(game.Options{})
		}
		d, err := p.Decide(b.Context(), search.NewQuery(g.Board(), g.Score()))
		if err != nil || g.Move(d.Move) != nil {
			b.Fatal(err)
		}
	}
	rate(b)
}
