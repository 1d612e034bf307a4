package serve

import (
	"os"
	"testing"
)

// With SHOTS=folder every view is photographed in every window.
func TestPictures(t *testing.T) {
	if os.Getenv("SHOTS") == "" {
		t.Skip("SHOTS names no folder")
	}
	in := browser(t)
	s := newSite(t, Options{})
	all := append(screens, screen{"narrow-light", 320, 640, true, false}, screen{"wide-dark", 3840, 2160, false, true})
	for _, sc := range all {
		b := open(t, in, s, sc, "")
		b.until(`document.querySelectorAll('.tile').length >= 2`)
		for range 12 {
			b.press("a", "s", "d", "s")
		}
		b.settle()
		b.shot("play")
		b.press(" ")
		b.until(`document.querySelector('.edge[data-best]')`)
		b.press("e")
		b.until(`document.querySelector('.line')`)
		b.settle()
		b.shot("play-hint")
		b.run(navigate("#watch"))
		b.until(`Number(document.querySelector('#moves').innerText) > 3`)
		b.settle()
		b.shot("watch")
		b.run(navigate("#ask"))
		b.until(`document.querySelector('td.best') && document.querySelector('.line')`)
		b.settle()
		b.shot("ask")
		b.click("Open the search tree")
		b.until(`document.querySelectorAll('[role=treeitem]').length > 5`)
		b.run(evaluate(`document.querySelector('.tree').scrollIntoView({block: 'center'})`))
		b.settle()
		b.shot("tree")
		b.run(navigate("#review"))
		b.click("Show an example")
		b.until(`document.querySelector('.list button .bad')`)
		b.settle()
		b.shot("review")
		b.clean()
	}
}
