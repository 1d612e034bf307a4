package jetstream

import "cmp"

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
			"$JS.API.CONSUMER.MSG.NEXT." + n.chunks() + ".*",
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
