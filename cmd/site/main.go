// Command site builds the page as a static site, with the engine as WebAssembly:
//
//	go run ./cmd/site -network FILE OUT
//
// It compiles cmd/wasm with the go command and writes a folder that any static host can serve, at any path. The
// site loads the first network automatically and offers the others; docs/site.md describes it. The same sources,
// networks and Go version give the same bytes.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	var o options
	flag.Func("network", "quantized model `FILE` to play with on 4x4, or NAME=FILE; repeatable, the first one is loaded without being asked for", func(text string) error {
		if text == "" {
			return errors.New("must be a file")
		}
		o.networks = append(o.networks, text)
		return nil
	})
	flag.StringVar(&o.url, "url", "", "`ADDRESS` of the folder on the host, such as https://example.com/2048/: previews of links to the page then show its picture")
	flag.BoolVar(&o.champion, "champion", true, "also offer the network that comes with the program (24 MB)")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: go run ./cmd/site [flags] OUT")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if o.url != "" && !strings.HasSuffix(o.url, "/") {
		o.url += "/"
	}
	if err := o.build(flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// goEnv returns the value of a variable from go env.
func goEnv(name string) (string, error) {
	out, err := exec.Command("go", "env", name).Output()
	return strings.TrimSpace(string(out)), err
}

// cold lists packages whose speed matters little, for example because they handle only a few requests a second.
// Without inlining in them, the compressed engine is 100 kB smaller.
var cold = strings.Fields(`
	github.com/afterstate2048/afterstate/experiment/arena github.com/afterstate2048/afterstate/experiment/browserstore github.com/afterstate2048/afterstate/cmd/wasm github.com/afterstate2048/afterstate/exchange/formats github.com/afterstate2048/afterstate/experiment github.com/afterstate2048/afterstate/advice/explain
	github.com/afterstate2048/afterstate/rules/record github.com/afterstate2048/afterstate/internal/console github.com/afterstate2048/afterstate/internal/memory github.com/afterstate2048/afterstate/internal/xdg
	github.com/afterstate2048/afterstate/internal/numfmt github.com/afterstate2048/afterstate/advice/luck github.com/afterstate2048/afterstate/advice/odds github.com/afterstate2048/afterstate/internal/palette
	github.com/afterstate2048/afterstate/internal/table github.com/afterstate2048/afterstate/internal/workers github.com/afterstate2048/afterstate/eval/models github.com/afterstate2048/afterstate/player github.com/afterstate2048/afterstate/player/bot github.com/afterstate2048/afterstate/player/catalog github.com/afterstate2048/afterstate/player/live github.com/afterstate2048/afterstate/player/spec
	github.com/afterstate2048/afterstate/advice/review github.com/afterstate2048/afterstate/search/draw github.com/afterstate2048/afterstate/serve/session github.com/afterstate2048/afterstate/search/solve github.com/afterstate2048/afterstate/internal/stats
	github.com/afterstate2048/afterstate/protocol
	bufio bytes context encoding/base64 encoding/binary encoding/csv encoding/hex encoding/json errors fmt
	gonum.org/v1/gonum/... internal/bisect internal/filepathlite internal/fmtsort internal/godebug
	internal/poll internal/reflectlite internal/strconv io/fs iter maps os path reflect runtime/debug
	slices sort strconv strings syscall syscall/js time unicode unicode/utf16 unicode/utf8`)

// compile builds the engine with the go command.
func compile() ([]byte, error) {
	folder, err := os.MkdirTemp("", "afterstate-site-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "engine.wasm")
	flags := []string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", file}
	for _, name := range cold {
		flags = append(flags, "-gcflags="+name+"=-l")
	}
	build := exec.Command("go", append(flags, "github.com/afterstate2048/afterstate/cmd/wasm")...)
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("the engine cannot be compiled: %w", err)
	}
	return os.ReadFile(file)
}
