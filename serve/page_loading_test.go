//go:build browser || pictures

package serve

import (
	"sync"
	"testing"

	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/serve/session"
)

// While a network is loaded the views say so, and then they answer.
func testLoading(t *testing.T, in pages) {
	release := make(chan struct{})
	unlock := sync.OnceFunc(func() { close(release) })
	defer unlock()
	inner := networks("").Networks
	caps := catalog.Capabilities{Networks: func(name string, _ bool) (models.Source, error) {
		source, err := inner(name, false)
		load := source.Load
		source.Load = func() (*ntuple.Network, error) {
			<-release
			return load()
		}
		return source, err
	}}
	m, err := catalog.Parse("auto", caps)
	if err != nil {
		t.Fatal(err)
	}
	s := &site{t: t, address: "127.0.0.1:0", options: Options{Options: session.Options{Name: "afterstate", Version: "1.2.3", Player: m, Capabilities: caps}}}
	s.up()
	t.Cleanup(s.down)
	const says = `document.body.innerText.includes('Loading the network')`
	wide := in.windows()[0]
	ask := open(t, in, s, wide, "#ask")
	ask.until(says)
	watch := open(t, in, s, wide, "#watch")
	watch.until(says)
	unlock()
	ask.until(`!` + says + ` && document.querySelector('td.best')`)
	watch.until(`!` + says + ` && ` + ready + ` && ` + moves + ` > 2`)
	ask.clean()
	watch.clean()
}
