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
// A worker does the jobs of all experiments that were started with the same build:
//
//	info := protocol.Worker{Name: host, Cores: 8, Version: version, Signature: signature}
//	w, err := c.NewWorker(machines.WorkerOptions{Info: info, Core: core})
//	err = w.Work(ctx)
//
// Packages experiment and experiment/training implement both sides for the commands.
//
// # Streams
//
//   - afterstate-jobs is a work queue. A job has the subject afterstate.jobs.CONSUMER.QUEUE.ID.
//     There is at most one message per subject, so a job that is put twice is stored once. All workers of
//     one build pull from one consumer, with explicit acknowledgement. Jobs that run other programs have
//     a separate consumer, from which only workers with AllowExec take jobs. A worker reports regularly
//     that it is still working on its job; if it is silent for 30 s, another worker gets the job.
//   - afterstate-results holds results until the scheduler has stored them. A result that is sent twice is stored once.
//   - The bucket afterstate-queues has an entry for each queue that has a scheduler, and
//     afterstate-workers one for each worker. Entries expire unless they are renewed.
//   - The object store afterstate-files holds networks, checkpoints and large results by the SHA-256 of their contents.
//
// # Trust
//
// Everyone who has the address of the server is trusted, as with an SSH key: a worker can deliver any result.
// Schedulers check that games follow the rules, which finds broken builds.
//
// # Failures
//
// Jobs and results survive if a worker, the scheduler or the server ends at any time: a job is removed when
// its result is stored on the server, and a result is removed when the scheduler has stored it. A job may be
// done twice, and a result may arrive twice.
//
// A worker that cannot do a job hands it back with the reason, and takes no jobs for a minute. If the server no longer
// has a file of the job, the worker is not at fault, and takes the next job at once. A job that failed on workers
// three times, or was lost with its worker eight times, is done by its scheduler.
package machines
