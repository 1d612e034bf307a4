// Package training lets workers on other machines train the runs of a sweep.
//
//	r := &training.Remote{Hub: client, Version: version, Signature: signature}
//	o := &sweep.RunOptions{}
//	o.Train = r.Train(s, o)
//	result, err := s.Run(ctx, o)
//
// A worker trains by the field Task of its arena.Worker: [Worker.Do].
//
// # Parts
//
// The scheduler keeps all runs. A part of a run is a chunk of a queue of experiment/jetstream, with its lease: train the checkpoint with this SHA-256
// on to a number of games. The scheduler puts the compressed checkpoint into the object store, where a worker reads it. The worker reports the
// metrics of each interval, and ends the part after the time between checkpoints at the latest. Then it sends the next checkpoint, in pieces, as
// reports of the same chunk, and the scheduler plans the next part. So a worker that is lost costs what it trained since the last checkpoint.
//
// Runs have one thread, so a run is the same bit for bit, but for times, wherever its parts were trained, and what comes twice is left out.
//
// # Trust
//
// Workers write neither files nor objects: what they send counts with the lease of the chunk that they took. The scheduler accepts a checkpoint that is whole, of
// this network and these options, and has more games than the last one. It does not train again to check it: a worker with the token could send false weights.
//
// # Limits
//
// A checkpoint has at most [MaxCheckpoint] bytes, compressed [MaxCompressed]. Larger ones are trained without workers.
package training
