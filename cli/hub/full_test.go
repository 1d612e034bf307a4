//go:build unix

package hub_test

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/afterstate2048/afterstate/cli/clitest"
)

// dial connects to the hub without this program.
func (l *lab) dial(url string) jetstream.JetStream {
	l.Helper()
	address, _, _ := strings.Cut(url, "?")
	nc, err := nats.Connect(address, nats.Timeout(clitest.Hang), nats.Name("test"), nats.CustomInboxPrefix("afterstate.inbox.test"),
		nats.Secure(&tls.Config{InsecureSkipVerify: true}))
	if err != nil {
		l.Fatal(err)
	}
	l.Cleanup(nc.Close)
	j, err := jetstream.New(nc, jetstream.WithDefaultTimeout(clitest.Hang))
	if err != nil {
		l.Fatal(err)
	}
	return j
}

// resize changes the size of a stream of the hub, and returns the former one.
func (l *lab) resize(j jetstream.JetStream, stream string, size int64) (former int64) {
	l.Helper()
	s, err := j.Stream(l.Context(), stream)
	if err != nil {
		l.Fatal(err)
	}
	config := s.CachedInfo().Config
	former, config.MaxBytes = config.MaxBytes, size
	if _, err := j.UpdateStream(l.Context(), config); err != nil {
		l.Fatal(err)
	}
	return former
}

// The holder of the workers' token fills the stream of results for experiments that do not exist, and announces
// workers that do not exist. The hub makes room, an experiment is played, and its worker is listed.
func TestFloodedHub(t *testing.T) {
	l := newLab(t)
	l.startHub()
	owner, worker := l.dial(l.OwnerURL), l.dial(l.WorkerURLs[0])
	l.resize(owner, "afterstate-results", 1<<20)
	var err error
	for n := 0; err == nil; n++ {
		_, err = worker.Publish(t.Context(), fmt.Sprint("afterstate.results.nobody", n), bytes.Repeat([]byte("x"), 10_000))
	}
	if !strings.Contains(err.Error(), "maximum bytes exceeded") {
		t.Fatal(err)
	}
	clitest.WaitFor(t, func() bool { // there is no scheduler yet
		s, err := owner.Stream(t.Context(), "afterstate-results")
		return err == nil && s.CachedInfo().State.Msgs == 0
	})
	for n := range 20_000 {
		if err := worker.Conn().Publish(fmt.Sprintf("afterstate.workers.%012x", n), []byte(`{"name":"nobody"}`)); err != nil {
			t.Fatal(err)
		}
	}
	l.worker("--name", "somebody")
	clitest.WaitFor(t, func() bool { return strings.Contains(l.do("workers", "hub"), "somebody") })
	run, size := l.begin(20)
	run.ends(0)
	l.equal("first", size)
}

// A full stream is reported by the experiment and by the worker, and so is that there is room again.
func TestFullHub(t *testing.T) {
	l := newLab(t)
	l.startHub()
	owner := l.dial(l.OwnerURL)
	chunks, results := l.resize(owner, "afterstate-chunks", 1), l.resize(owner, "afterstate-results", 1)
	worker := l.worker()
	run, size := l.begin(20)
	run.says("stores no more games (stream afterstate-chunks: maximum bytes exceeded); trying again")
	l.resize(owner, "afterstate-chunks", chunks)
	run.says("stores games again")
	worker.says("stores no more games (stream afterstate-results: maximum bytes exceeded); trying again")
	l.resize(owner, "afterstate-results", results)
	worker.says("stores games again")
	run.ends(0)
	l.equal("first", size)
}
