package jetstream

import (
	"cmp"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/afterstate2048/afterstate/experiment/arena"
)

// names are the names of one namespace.
type names struct{ ns string }

func (n names) chunks() string  { return n.ns + "-chunks" }
func (n names) results() string { return n.ns + "-results" }
func (n names) state() string   { return n.ns + "-state" }
func (n names) workers() string { return n.ns + "-workers" }
func (n names) bucket() string  { return n.ns + "-files" }
func (n names) files() string   { return "OBJ_" + n.bucket() }

// chunk is the subject of one message.
func (n names) chunk(experiment, lane, name string) string {
	return n.ns + ".chunks." + experiment + "." + lane + "." + name
}
func (n names) next(lane string) string {
	return "$JS.API.CONSUMER.MSG.NEXT." + n.chunks() + "." + lane
}
func (n names) result(experiment string) string { return n.ns + ".results." + experiment }
func (n names) experiment(id string) string     { return n.ns + ".experiments." + id }
func (n names) owner(experiment string) string  { return n.ns + ".owners." + experiment }
func (n names) rejected(worker string) string   { return n.ns + ".rejected." + worker }
func (n names) worker(id string) string         { return n.ns + ".workers." + id }
func (n names) inbox(client string) string      { return n.ns + ".inbox." + client }

// lost is the subject of the server's messages about chunks of a consumer that were handed out too often.
func (n names) lost(consumer string) string {
	return "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES." + n.chunks() + "." + consumer
}

// Permissions are what a client may do, as subjects with the wildcards of NATS.
type Permissions struct {
	Publish   []string `json:"publish"`
	Subscribe []string `json:"subscribe"`
}

// WorkerPermissions are those of a worker in a namespace ("": afterstate): to take chunks, deliver
// results, announce itself, and read experiments and files. They do not suffice to read results or
// other workers' messages. id is the worker's Options.ID; with "*" workers can read each other's
// messages, and so learn the leases of others' chunks.
func WorkerPermissions(namespace, id string) Permissions {
	n := namesOf(namespace)
	p := Permissions{
		Publish: []string{
			n.next("*"),
			"$JS.ACK." + n.chunks() + ".>",
			n.result("*"),
			n.worker("*"),
		},
		Subscribe: []string{n.inbox(id) + ".>"},
	}
	for _, stream := range []string{n.state(), n.workers(), n.files()} {
		p.Publish = append(p.Publish, "$JS.API.DIRECT.GET."+stream)
	}
	return p
}

const defaultNamespace = "afterstate"

func namesOf(namespace string) names { return names{cmp.Or(namespace, defaultNamespace)} }

// common is the lane of the players that every worker plays.
const common = "common"

// maxLanes limits the lanes of an experiment, of programs and of others: each has a consumer, and workers ask all of
// them. Players beyond share lanes.
const maxLanes = 32

// laneOf is the lane of a player. Those that some workers may not play are apart, so that these take the chunks of the
// others.
func laneOf(m *arena.Member) string {
	kind := "program"
	if !m.Program {
		if kind = "player"; !m.Demanding {
			return common
		}
	}
	sum := fnv.New32a()
	sum.Write([]byte(m.Identity))
	return fmt.Sprintf("%s%d", kind, sum.Sum32()%maxLanes)
}

// divide sets players and lanes of an experiment, and returns the lanes of the players by identity.
func divide(x *arena.QueueInfo) map[string]string {
	x.Lanes = []arena.Lane{{Name: common}}
	lanes := map[string]string{}
	for i := range x.Members {
		m := &x.Members[i]
		name := laneOf(m)
		at := slices.IndexFunc(x.Lanes, func(l arena.Lane) bool { return l.Name == name })
		if at < 0 {
			at = len(x.Lanes)
			x.Lanes = append(x.Lanes, arena.Lane{Name: name, AllowExec: m.Program})
		}
		x.Lanes[at].Players = append(x.Lanes[at].Players, m.Name)
		x.Players = append(x.Players, m.Name)
		lanes[m.Identity] = name
	}
	return lanes
}

// openLane is a lane of an experiment, from which a worker takes chunks.
type openLane struct {
	experiment *arena.QueueInfo
	arena.Lane
}

// key names the lane among those of all experiments. Its consumer is called so.
func (l *openLane) key() string { return l.experiment.ID + "-" + l.Name }

// refusal is why a worker takes no chunks of the lane.
func (l *openLane) refusal(reason string) arena.Refusal {
	return arena.Refusal{Experiment: l.experiment.Name, Players: l.Players, Reason: reason}
}

// lanesOf returns the lanes of an experiment.
func lanesOf(x *arena.QueueInfo) (all []openLane) {
	for _, l := range x.Lanes {
		if namePattern.MatchString(l.Name) {
			all = append(all, openLane{x, l})
		}
	}
	return all
}

// chunkMessage is a chunk in the stream.
type chunkMessage struct {
	Chunk arena.Chunk `json:"chunk"`
	Lease string      `json:"lease"`
}

// resultMessage is a delivery in the stream.
type resultMessage struct {
	arena.Delivery
	Lease     string `json:"lease"`
	From      string `json:"from"` // secret of the worker, see WorkerConn
	Signature string `json:"signature,omitempty"`
	Version   string `json:"version"`
}

// newLease returns a lease for a chunk of an experiment: a random part, and a hash over both that
// nobody else can compute.
func newLease(key []byte, experiment string, c *arena.Chunk) string {
	nonce := rand.Text()
	return nonce + "." + leaseSum(key, experiment, nonce, c)
}

func leaseSum(key []byte, experiment, nonce string, c *arena.Chunk) string {
	h := hmac.New(sha256.New, key)
	chunk, _ := json.Marshal(c) // strings and numbers
	for _, part := range [][]byte{[]byte(experiment), []byte(nonce), chunk} {
		h.Write(part)
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// validLease reports whether a lease is one for this chunk.
func validLease(key []byte, experiment, lease string, c *arena.Chunk) bool {
	nonce, sum, ok := strings.Cut(lease, ".")
	return ok && hmac.Equal([]byte(sum), []byte(leaseSum(key, experiment, nonce, c)))
}

// publicID is the ID that others see of a worker. The worker's deliveries have its secret, so that
// nobody else can deliver in its name.
func publicID(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:6])
}
