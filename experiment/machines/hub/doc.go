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
// Connections use TLS with a certificate that the hub makes for itself. Clients do not check it
// against authorities but against its SHA-256, which is part of the address, as in
// nats://TOKEN@host:4222?cert=SHA256.
//
// Whoever has the address may do everything. Its token is made once, like the certificate, and stored in the hub's
// folder, which only the user can read. Remove access.json to revoke the address.
//
// # Files
//
//	FOLDER/access.json   certificate, key and token; permissions 0600
//	FOLDER/jetstream/    messages; they remain when the hub ends, so that no delivered game is lost
//	FOLDER/lock          held while a hub uses the folder
//
// # Limits
//
// A hub is one server. A cluster, accounts and operators are for a NATS server of your own:
// docs/machines.md.
package hub
