// This program is a bot in Go. To try it: go build -o bot ./examples/bot, then
// afterstate arena 'exec(cmd="./bot")' random
package main

import "encoding/json"
import "os"

func main() {
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	var request struct {
		ID     int
		Params struct{ Legal []string } // the legal moves, in the order up, right, down, left
	}
	for in.Decode(&request) == nil {
		result := map[string]any{"name": "corner bot", "protocol": 1} // the result of hello
		for _, direction := range request.Params.Legal {
			result["move"] = direction // the result of best_move: the last legal move, left if possible
		}
		_ = out.Encode(map[string]any{"jsonrpc": "2.0", "id": request.ID, "result": result})
	}
}
