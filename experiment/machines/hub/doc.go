// Package hub runs a NATS server with JetStream within this process, so that other machines can
// take part in experiments:
//
//	h, err := hub.Start(hub.Options{Address: "0.0.0.0:4222", Folder: folder})
//	fmt.Printf("afterstate worker '%s'\n", h.URL("hub.lab.example"))
//	...
//	h.Close()
//
// # Security
//
// Connections use TLS with a self-signed certificate that the hub creates. Clients compare the
// certificate with its SHA-256, which is part of the address, as in
// nats://TOKEN@host:4222?cert=SHA256.
//
// Everyone who has the address has full access. The token and the certificate are created once and stored in the hub's
// folder, which only the user can read. Remove access.json to revoke the address.
//
// # Files
//
//	FOLDER/access.json   certificate, key and token; permissions 0600
//	FOLDER/jetstream/    messages; they remain after the hub ends, so that no delivered game is lost
//	FOLDER/lock          held while a hub uses the folder
//
// # Limits
//
// A hub is a single server. docs/machines.md describes how to use a NATS server of your own.
package hub
