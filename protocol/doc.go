// Package protocol implements the protocol between Afterstate and programs in any language, in both
// directions: JSON-RPC 2.0 with one message per line. It contains the codec and the message types,
// which are the same for every transport, and no logic. docs/protocol.md defines the meaning of the
// messages.
//
//	--> {"jsonrpc":"2.0","id":1,"method":"best_move","params":{"board":[[2,2],[0,4]]}}
//	<-- {"jsonrpc":"2.0","id":1,"result":{"move":"right"}}
//
// A server implements [Handler] and passes it to [Serve], or calls [Answer] for each message if
// messages do not arrive as lines of a stream. A client writes with [AppendRequest] and reads with
// [ReadLine] and [ParseResponse].
//
// The types of the web page (serve/ui/src/types.ts) are generated from the structs in this package
// and the table of methods in package session.
//
// # Limits
//
// A message is UTF-8 with at most [MaxLine] bytes and [MaxDepth] nested arrays and objects, a response
// at most [MaxAnswer] and [MaxAnswerDepth].
// Messages are answered one after the other, so memory does not grow with the number of requests.
// Batches (an array of requests) are refused: clients can pipeline lines instead.
package protocol

//go:generate go run ../cmd/typescript ..
