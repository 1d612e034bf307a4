//go:build browser || pictures

package serve

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// A board is set up by clicks, keys and paste; values of two players, reasons and the
// tree come, and branches open and close.
func testAsk(t *testing.T, in context.Context) {
	for _, sc := range windows() {
		t.Run(sc.name, func(t *testing.T) {
			b := open(t, in, newSite(t, Options{}), sc, "#ask")
			cells := `document.querySelectorAll('.cells button')`
			b.until(cells + `.length === 16`)
			b.click("Clear")
			b.until(`document.body.innerText.includes('Put some tiles')`)
			b.click("tile 64")
			b.run(evaluate(cells + `[0].click()`))
			b.run(evaluate(cells + `[1].focus()`))
			b.press("3", kb.ArrowRight, "+", "+", kb.ArrowRight, "5", kb.Backspace, kb.ArrowDown, "1")
			b.until(`document.querySelector('textarea').value === '64,8,4,0/0,0,0,2/0,0,0,0/0,0,0,0'`)
			b.until(`document.querySelector('td.best')`)
			b.run(evaluate(`(() => { const d = new DataTransfer(); d.setData('text', '0123456701234567'); document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData: d, bubbles: true})) })()`))
			b.until(`document.querySelector('textarea').value === '0,2,4,8/16,32,64,128/0,2,4,8/16,32,64,128'`)
			b.run(evaluate(`(() => { const d = new DataTransfer(); d.setData('text', '2,3/4,5'); document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData: d, bubbles: true})) })()`))
			b.until(`document.querySelector('[role=alert]')?.innerText.includes('is no tile')`)
			b.click("Example")
			b.click("Add a player")
			b.until(`document.querySelectorAll('td.best').length >= 3 && document.querySelector('.line .mini')`)
			b.click("Open the search tree")
			items := `document.querySelectorAll('[role=treeitem]')`
			b.until(items + `.length > 4`)
			n := js[int](b, items+`.length`)
			b.run(evaluate(items + `[0].focus()`))
			b.press(kb.ArrowLeft)
			b.until(items + `.length === 1`)
			b.press(kb.ArrowRight)
			b.until(items + `.length > 1`)
			b.click("Open all")
			b.until(fmt.Sprintf(`%s.length > %d`, items, n))
			b.click("Best line")
			b.until(fmt.Sprintf(`%s.length === %d`, items, n))
			b.clean()
		})
	}
}
