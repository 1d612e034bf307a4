// Package runs keeps training runs: it begins and resumes them, lists them, and reads their metrics
// while another process trains.
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
// A run is a folder of its name with:
//
//	options.json      Options: what resuming needs besides the checkpoint
//	checkpoint.model  the network and the trainer's state; see package learn
//	metrics.jsonl     one protocol.TrainingInterval a line
//	lock              held by the process that trains
//
// Files are replaced as a whole, and a line of metrics is one write. A killed process loses the
// games after its last checkpoint and nothing else: Resume truncates the metrics to the checkpoint,
// and with one thread the same games are played again, bit for bit. Damaged lines of the metrics
// are moved to a file beside them.
//
// # Errors
//
// An [*InputError] is a request that cannot be met: a bad option ([*OptionError]), a name that is
// taken ([*ExistsError], [ErrForeign]) or unknown ([*NotFoundError]), a run that another process
// trains ([ErrLocked]), or too little memory or disk ([*SpaceError]). Other errors are failures of
// the system, such as a full disk.
//
// # Limits
//
// One process trains a run at a time. Where files cannot be locked (Plan 9, some network file
// systems) the lock of a killed process must be removed manually. Free disk space is known on Linux
// only; see package internal/memory for free memory.
package runs
