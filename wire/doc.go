// Package wire is the protocol by which programs of any language ask Afterstate,
// and Afterstate asks them: JSON-RPC 2.0, one message a line. It holds the codec
// and the message types, the same for every transport, and no logic. What the
// messages mean stands in docs/protocol.md.
//
//	--> {"jsonrpc":"2.0","id":1,"method":"best_move","params":{"board":[[2,2],[0,4]]}}
//	<-- {"jsonrpc":"2.0","id":1,"result":{"move":"right"}}
//
// A server implements [Handler] and gives it to [Serve], or to [Answer] where
// messages come one by one. A client writes with [AppendRequest] and reads with
// [ReadLine] and [ParseResponse].
//
// The types of the page (serve/ui/src/types.ts) are generated from the structs here;
// [Signatures] says which ones a method takes and answers.
//
// # Limits
//
// A message has at most [MaxLine] bytes and [MaxDepth] arrays and objects within
// each other; it is UTF-8. Messages are answered one after the other, so nothing
// grows with the number of requests. Batches (an array of requests) are refused:
// lines that are sent without waiting do the same.
package wire

//go:generate go run ./typescript ..
