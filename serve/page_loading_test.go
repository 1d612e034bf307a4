//go:build browser || pictures

package serve

import (
	"sync"
	"testing"

	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/serve/session"
)

// While a network is loaded the views say so, and then they answer.
func testLoading(t *testing.T, in pages, sc screen) {
	release := make(chan struct{})
	unlock := sync.OnceFunc(func() { close(release) })
	defer unlock()
	inner := emptyNetwork().Networks
	caps := catalog.Capabilities{Networks: func(name string, _ bool) (models.Source, error) {
		source, err := inner(name, false)
		load := source.Load
		source.Load = func() (*ntuple.Network, error) {
			<-release
			return load()
		}
		return source, err
	}}
	m := must.Get(catalog.Parse("auto", caps))(t)
	s := newSite(t, Options{Options: session.Options{Player: m, Capabilities: caps}})
	const says = `document.body.innerText.includes('Loading the network')`
	ask := open(t, in, s, sc, "#solve")
	ask.until(says)
	watch := open(t, in, s, sc, "#watch")
	watch.until(says)
	unlock()
	ask.until(`!` + says + ` && document.querySelector('td.best')`)
	watch.until(`!` + says + ` && ` + ready + ` && ` + moves + ` > 2`)
	ask.clean()
	watch.clean()
}
