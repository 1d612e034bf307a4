package jetstream_test

import (
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// hub starts a server with JetStream in this process, and returns its URL.
func hub(t testing.TB) string {
	t.Helper()
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true,
		MaxPayload: 8 << 20,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(30 * time.Second) {
		t.Fatal("the server did not start")
	}
	return s.ClientURL()
}
