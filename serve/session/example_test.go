package session_test

import (
	"context"
	"fmt"

	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/serve/session"
)

func Example() {
	maker, err := catalog.Parse("greedy", catalog.Capabilities{})
	if err != nil {
		fmt.Println(err)
		return
	}
	host, err := session.NewHost(session.Options{Name: "afterstate", Version: "1.0.0", Player: maker})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer host.Close()
	client := host.NewClient(nil) // each request comes alone
	defer client.Close()
	for _, message := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"board.parse","params":{"text":"2 2\n. 4"}}`,
		`{"jsonrpc":"2.0","id":2,"method":"best_move","params":{"board":"2,2/0,4"}}`,
	} {
		request, wrong := protocol.ParseRequest([]byte(message))
		if wrong != nil {
			fmt.Println(wrong)
			return
		}
		answer, _ := client.Reply(context.Background(), request)
		fmt.Print(string(answer))
	}
	// Output:
	// {"jsonrpc":"2.0","id":1,"result":{"board":[[2,2],[0,4]],"score":null,"text":"2,2/0,4"}}
	// {"jsonrpc":"2.0","id":2,"result":{"move":"right"}}
}
