// Package training lets workers on other machines train the runs of a sweep.
//
//	r := &training.Remote{Hub: client, Version: version, Signature: signature, Folder: folder}
//	o := &sweep.RunOptions{}
//	o.Train = r.Train(s, o)
//	result, err := s.Run(ctx, o)
//
// A worker does a job of the kind machines.Training by [Worker.Do].
//
// # Parts
//
// The scheduler keeps all runs. A job is a part of a run: train the checkpoint with this SHA-256 on to a number of
// games, for a minute at most. The scheduler puts the compressed checkpoint into the store of files, where a worker
// reads it. The worker puts the next checkpoint there, and returns its SHA-256 with the metrics of the intervals. So a
// worker that is lost costs what it trained since the last checkpoint.
//
// Runs have one thread, so a run is the same bit for bit, but for times, wherever its parts were trained, and what
// comes twice is left out. The scheduler accepts a checkpoint that is whole, of this network and these options, and has
// more games than the last one.
package training
