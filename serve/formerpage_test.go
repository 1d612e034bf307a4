//go:build browser || pictures

package serve

import (
	"testing"
)

// Players that the page kept under former names of keys are asked under today's.
func testFormerNames(t *testing.T, in pages) {
	b := open(t, in, in.site(t), screens[2], "#training")
	b.until(`document.querySelector('main')`)
	b.run(evaluate(`localStorage.setItem('afterstate.judges', '["expectimax(eval=sum(smooth=1,empty=2),plies=1,table=2MB,scope=move,dead=-9)"]'); location.hash = '#ask'`))
	b.reload()
	b.until(`[...document.querySelectorAll('input')].some((x) => x.value === 'expectimax(eval=sum(smoothness=1,empty=2),plies=1,tt=2MB,tt_lifetime=root_move,death_value=-9)') && document.querySelector('td.best')`)
	b.clean()
}
