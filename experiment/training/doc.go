// Package training lets workers on other machines train the runs of a sweep.
//
//	r := &training.Remote{Hub: client, Version: version, Signature: signature, Folder: folder}
//	o := &sweep.RunOptions{}
//	o.Train = r.Train(s, o)
//	result, err := s.Run(ctx, o)
//
// A worker does a job of the kind machines.Training with [Worker.Do].
//
// # Parts
//
// The scheduler stores all runs. A job is a part of a run: continue training from the checkpoint with this SHA-256, up
// to a number of games or for at most a minute. The scheduler puts the compressed checkpoint into the store of files,
// where a worker reads it. The worker puts the next checkpoint there, and returns its SHA-256 with the metrics of the
// intervals. So if a worker is lost, only its training since the last checkpoint is lost.
//
// Runs have one thread. So a run is the same bit for bit, except for times, wherever its parts were trained, and
// results that come twice are ignored. The scheduler accepts a checkpoint if it is complete, has the layout and the
// options of the run, and has more games than the last one.
package training
