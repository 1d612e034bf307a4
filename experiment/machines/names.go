package machines

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// names are the names of one namespace.
type names struct{ ns string }

func (n names) jobs() string    { return n.ns + "-jobs" }    // a stream
func (n names) results() string { return n.ns + "-results" } // a stream
func (n names) queues() string  { return n.ns + "-queues" }  // a bucket of keys and values
func (n names) workers() string { return n.ns + "-workers" } // a bucket of keys and values
func (n names) files() string   { return n.ns + "-files" }   // a bucket of objects

// job is the subject of a job. There is at most one message of each subject.
func (n names) job(lane, queue, id string) string {
	return n.ns + ".jobs." + lane + "." + queue + "." + id
}

func (n names) result(queue string) string { return n.ns + ".results." + queue }

// laneOf names the jobs that are done by programs that play alike. Those that run other programs are apart, since only
// some workers do that. Each lane has a consumer of this name.
func laneOf(version, signature string, programs bool) string {
	if signature == "" {
		signature = "version " + version
	}
	sum := sha256.Sum256([]byte(signature))
	name := hex.EncodeToString(sum[:8])
	if programs {
		name += "-programs"
	}
	return name
}

// Kind says what a worker does with the payload of a job.
type Kind string

// The kinds of jobs.
const (
	Games    Kind = "games"    // play a chunk of games
	Training Kind = "training" // train a part of a run
)

// Job is work for a worker.
type Job struct {
	ID      string          `json:"id"` // up to 64 letters, digits, - and _; equal work of a queue has an equal ID
	Kind    Kind            `json:"kind"`
	Payload json.RawMessage `json:"payload"`

	Queue    string `json:"queue"`              // its ID; Queue.Put sets it
	Name     string `json:"name"`               // of the experiment, for people; Queue.Put sets it
	Player   string `json:"player"`             // or the name of a run, for people
	Programs bool   `json:"programs,omitempty"` // it runs other programs, which workers must allow
}

// resultMessage is what a worker says of a job, in the stream of results.
type resultMessage struct {
	ID      string          `json:"id"`
	Worker  string          `json:"worker"`            // its name
	Build   string          `json:"build"`             // its lane without programs
	Payload json.RawMessage `json:"payload,omitempty"` // or else
	File    string          `json:"file,omitempty"`    // the SHA-256 of the file with the payload, if that is too large for a message
	Failed  string          `json:"failed,omitempty"`  // why the worker handed the job back
	Lost    bool            `json:"lost,omitempty"`    // too many workers were silent
}
