// This program is a bot behind a WebSocket. To start it: go run ./examples/remote 127.0.0.1:8080
// To play with it: afterstate arena 'remote(url="ws://127.0.0.1:8080")' random
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: remote ADDRESS")
	}
	listener, err := net.Listen("tcp", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on ws://%v\n", listener.Addr())
	log.Fatal(http.Serve(listener, http.HandlerFunc(serve)))
}

// serve answers the requests of one connection: the games of one player, one after the other.
func serve(w http.ResponseWriter, r *http.Request) {
	conn, err := websocket.Accept(w, r, nil)
	if err != nil {
		return // Accept has already sent an error response
	}
	defer conn.CloseNow()
	for {
		var request struct {
			ID     int
			Method string
			Params struct{ Legal []string } // the legal moves, in the order up, right, down, left
		}
		if err := wsjson.Read(r.Context(), conn, &request); err != nil {
			return // the other side has closed the connection
		}
		if err := answer(r.Context(), conn, request.ID, request.Method, request.Params.Legal); err != nil {
			return
		}
	}
}

func answer(ctx context.Context, conn *websocket.Conn, id int, method string, legal []string) error {
	result := map[string]any{} // the result of bye is an empty object
	switch method {
	case "hello":
		result = map[string]any{"name": "corner bot", "version": "websocket", "protocol": 1}
	case "best_move":
		result["move"] = legal[len(legal)-1] // left if possible
	}
	return wsjson.Write(ctx, conn, map[string]any{"jsonrpc": "2.0", "id": id, "result": result})
}
