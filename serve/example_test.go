package serve_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/serve"
	"github.com/afterstate2048/afterstate/serve/session"
)

// A server answers until its context ends.
func Example() {
	auto, err := catalog.Parse("auto", catalog.Capabilities{})
	if err != nil {
		panic(err)
	}
	s, err := serve.New(serve.Options{Options: session.Options{Name: "afterstate", Version: "1.0.0", Player: auto}})
	if err != nil {
		panic(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- s.Serve(ctx, listener) }()

	request := `{"jsonrpc":"2.0","id":1,"method":"best_move","params":{"board":"2,2/0,4","player":"greedy"}}`
	res, err := http.Post("http://"+listener.Addr().String()+"/api", "application/json", strings.NewReader(request))
	if err != nil {
		panic(err)
	}
	answer, _ := io.ReadAll(res.Body)
	res.Body.Close()
	http.DefaultClient.CloseIdleConnections()
	fmt.Print(string(answer))
	stop()
	fmt.Println(<-ended)
	// Output:
	// {"jsonrpc":"2.0","id":1,"result":{"move":"right"}}
	// <nil>
}
