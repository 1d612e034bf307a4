// Package runs manages training runs in a folder: it creates, resumes and lists them, and reads
// their metrics while another process trains.
//
//	folder, _ := runs.Default()
//	layout, _ := ntuple.Named(bitboard.Size, "4x6")
//	run, err := folder.Begin("first", runs.Options{Layout: layout, Options: learn.Options{Coherent: true, Games: 20_000}}, nil)
//	finished, err := run.Train(ctx, func(i *learn.Interval) { fmt.Println(i.To, i.Fresh.MeanScore()) })
//	run.Close()
//
//	games := uint64(40_000)
//	run, err = folder.Resume("first", learn.Change{"games": games})
//
// # Files
//
// A run is a subfolder with the name of the run. It contains:
//
//	options.json            Options: what resuming needs besides the checkpoint
//	checkpoint.model        the network and the trainer's state; see package learn
//	checkpoint.model.times  how long training took up to the checkpoint
//	metrics.jsonl           one protocol.TrainingInterval per line
//	lock                    locked by the process that trains
//
// Files are replaced atomically, and each line of metrics is written by one call. A killed process
// loses only the games after its last checkpoint: Resume truncates the metrics to the checkpoint, and
// with one thread the same games are played again, bit for bit. Lines of the metrics that are
// not intervals stay, and all readers skip them.
//
// # Errors
//
// An [*InputError] is the error for a request that cannot be met: a bad option (*option.Error), a
// name that is taken ([*ExistsError], [ErrForeign]) or unknown ([*NotFoundError]), a run that another
// process trains ([ErrLocked]), or too little memory or disk space (*memory.Error). Other errors are
// failures of the system, such as a full disk.
//
// # Limits
//
// Only one process at a time can train a run. Where files cannot be locked (Plan 9, some network file
// systems), the lock of a killed process must be removed manually. Free disk space is known only on
// Linux; see package internal/memory for free memory.
package runs
