// This program is a bot in Go: go build -o bot ./examples/bot,
// then afterstate arena 'exec(cmd="./bot")' random
package main

import "encoding/json"
import "os"

func main() {
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	var request struct {
		ID     int
		Params struct{ Legal []string } // up, right, down, left, as far as they change the board
	}
	for in.Decode(&request) == nil {
		result := map[string]any{"name": "corner bot", "protocol": 1} // what hello asks for
		for _, direction := range request.Params.Legal {
			result["move"] = direction // what best_move asks for: the last one, left if it can be
		}
		_ = out.Encode(map[string]any{"jsonrpc": "2.0", "id": request.ID, "result": result})
	}
}
