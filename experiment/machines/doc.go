// Package machines carries jobs to workers on other machines, and their results back, over NATS JetStream. A job is a
// [Job]: an ID, a kind, and a payload in the format of its kind. There are two kinds, [Games] and [Training].
//
// A scheduler connects, opens the queue of its experiment, and receives results:
//
//	c, err := machines.Connect(ctx, machines.Options{URL: "nats://TOKEN@host:4222?cert=SHA256"})
//	q, err := c.OpenQueue(ctx, machines.QueueInfo{ID: id, Version: version, Signature: signature}, nil)
//	err = q.Put(ctx, machines.Job{ID: "1", Kind: machines.Games, Payload: chunk})
//	r, err := q.Next(ctx) // r.Payload; then r.Ack()
//
// A worker does the jobs of all experiments of its build:
//
//	info := protocol.Worker{Name: host, Cores: 8, Version: version, Signature: signature}
//	w, err := c.NewWorker(machines.WorkerOptions{Info: info, Core: core})
//	err = w.Work(ctx)
//
// Packages experiment and experiment/training do both for the commands.
//
// # Streams
//
// All names begin with the namespace (Options.Namespace), so that users of one NATS do not meet.
//
//   - NS-jobs is a work queue. A job has the subject NS.jobs.LANE.QUEUE.ID, and there is one message of a subject at a
//     time, so that a job that is put twice is one. A lane is a build; jobs that run other programs have a lane of
//     their own, from which only workers take that allow them. All workers of a lane pull from one consumer, with
//     explicit acknowledgement. While a worker does a job it says so; one that is silent for 30 s loses the job to
//     another one.
//   - NS-results holds results until the scheduler has stored them. A result that is sent twice is stored once.
//   - The bucket NS-queues has an entry for each queue that has a scheduler, and NS-workers one for each worker. They
//     expire when they are not renewed.
//   - The object store NS-files holds networks, checkpoints and large results by the SHA-256 of their contents.
//
// # Trust
//
// Whoever holds the address of the server is trusted, as with an SSH key: a worker can deliver what it likes. The
// schedulers check that games follow the rules, which finds broken builds.
//
// # Failures
//
// Jobs and results survive the end of any worker, of the scheduler and of the server, at any time: a job is removed when
// its result is stored, and a result when the scheduler has stored it. A job may be done twice, and a result may come
// twice.
//
// A worker that cannot do a job hands it back, says why, and takes none for a minute. A job that failed three times on
// workers, or with which eight workers were lost, is done by its scheduler.
package machines
