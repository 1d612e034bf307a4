package experiment

import (
	"context"

	"afterstate/arena"
)

// Hub reaches workers on other machines. A *jetstream.Client of arena/jetstream is one.
type Hub interface {
	// OpenQueue opens the queue of an experiment.
	OpenQueue(ctx context.Context, info arena.QueueInfo) (arena.RemoteQueue, error)
	// PutFile makes a file available to workers by the SHA-256 of its contents.
	PutFile(ctx context.Context, path string) (sum string, err error)
}
