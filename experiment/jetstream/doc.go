// Package jetstream carries the chunks of experiments to workers on other machines, and their games
// back, over NATS JetStream. [Queue] implements arena.Queue.
//
// A scheduler connects, opens the queue of its experiment, and plays:
//
//	c, err := jetstream.Connect(ctx, jetstream.Options{URL: "nats://TOKEN@host:4222?cert=SHA256"})
//	q, err := c.OpenQueue(ctx, arena.QueueInfo{ID: id, Name: "first", Version: version, Signature: signature})
//	s := arena.Scheduler{Queue: q, Plan: plan, Keep: keep, Capacity: q.Cores}
//	err = s.Run(ctx)
//
// A worker takes chunks of all experiments that it can play:
//
//	w, err := c.Join(ctx, jetstream.WorkerOptions{Info: protocol.Worker{Name: host, Cores: 8, Version: version, Signature: signature}})
//	work := arena.Worker{Queue: w, Factory: factory, Heartbeat: w.Heartbeat()}
//	err = work.Work(ctx) // once per core
//
// Package experiment does both for the commands.
//
// # Streams
//
// All names begin with the namespace (Options.Namespace), so that users of one NATS do not meet.
//
//   - NS-chunks is a work queue. A chunk has the subject NS.chunks.EXPERIMENT.LANE.NAME. Players that run
//     programs, and those that need files or tables of exact values, have lanes of their own, so that workers
//     that may not or cannot play them take the chunks of the others. Every lane has a
//     consumer, with explicit acknowledgement: a worker that is silent for a lease loses its chunk to another
//     one, and after MaxAttempts losses the scheduler receives the chunk as failed.
//   - NS-results holds deliveries until the scheduler has stored them. Retried publications have
//     equal message IDs, and are stored once.
//   - NS-state describes the open experiments, their schedulers, and the workers that were rejected.
//   - NS-workers holds the last announcement of every worker, in memory.
//   - The object store NS-files holds networks and weights by the SHA-256 of their contents.
//
// # Trust
//
// Workers are not trusted. Deliveries count only with the lease that the worker received together
// with the chunk: a keyed hash of the chunk and of this hand-out, whose key only schedulers can
// read. The games are then checked by arena.Verify, and some are played again (arena.Inspector).
// [WorkerPermissions] are the permissions of workers: they cannot read results, other workers'
// chunks, or the key.
//
// A worker can give itself any number of names, and publish results of any experiment. So no number of
// workers decides anything, and every client that has opened a queue guards the stream of results: when more than
// a quarter is taken, what is older than the first result that a scheduler waits for is removed. Of experiments
// that exist that can only be results of stopped ones, whose games are planned again.
//
// # Flow control and limits
//
// A scheduler queues two chunks per core of the workers. An experiment has at most 4096 results that
// are not stored; workers then wait. So do all if the streams are full. Options.OnNotice reports both. Chunks are
// dropped after 14 days; the scheduler plans them again.
//
// # Fairness
//
// A worker takes its next chunk from the experiment that it has spent the least time on, among those
// that have chunks. So experiments get equal time since the newest of them began, whatever the
// length of their chunks.
package jetstream
