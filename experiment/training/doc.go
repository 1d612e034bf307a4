// Package training lets workers on other machines train the runs of a sweep.
//
//	r := &training.Machines{Hub: client, Version: version, Signature: signature, Folder: folder}
//	o := &sweep.RunOptions{}
//	o.Train = r.Train(s, o)
//	result, err := s.Run(ctx, o)
//
// A worker does a job of the kind machines.Training with [Worker.Do].
//
// # Parts
//
// The runs are stored on the scheduler's machine. A job is a part of a run: it continues training from the
// checkpoint with a given SHA-256, up to a number of games or for at most a minute. The scheduler uploads the
// compressed checkpoint to the store of files, and a worker downloads it. The worker uploads the next checkpoint,
// and returns its SHA-256 with the metrics of the intervals. So if a worker is lost, only its training since the
// last checkpoint is lost.
//
// Each run uses one thread, so the machines that train its parts do not influence the result: only the times differ.
// Results that arrive twice are ignored. The scheduler accepts a checkpoint if it is complete, has the layout and
// the options of the run, and has more games than the last one.
package training
