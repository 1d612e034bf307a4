package drive

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	"afterstate/board"
)

//go:embed overlay.js
var overlayScript string

// answered calls do, and returns an error if the page does not answer in time.
func answered(ctx context.Context, do func(ctx context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	err := do(limited)
	if limited.Err() != nil && ctx.Err() == nil {
		return fmt.Errorf("the page does not answer within %v", answerTime)
	}
	return err
}

// Press presses the key of a move.
func (p *Page) Press(ctx context.Context, d board.Direction) error {
	k, ok := keyOf(p.d.Keys.of(d))
	if !ok {
		return fmt.Errorf("keys: no key for %v", d)
	}
	return answered(ctx, func(ctx context.Context) error { return p.press(ctx, k) })
}

func (p *Page) press(ctx context.Context, k key) error {
	for _, kind := range []string{"keyDown", "keyUp"} {
		event := struct {
			Type string `json:"type"`
			key
		}{kind, k}
		if kind == "keyUp" || k.Text == "" {
			event.Text = ""
		}
		if kind == "keyDown" && k.Text == "" {
			event.Type = "rawKeyDown"
		}
		if err := p.conn.Call(ctx, "Input.dispatchKeyEvent", event, nil); err != nil {
			return err
		}
	}
	return nil
}

// KeepPlaying clicks the element that lets the game continue after a win.
func (p *Page) KeepPlaying(ctx context.Context) error {
	selector, err := json.Marshal(p.d.KeepPlaying)
	if err != nil {
		return err
	}
	return answered(ctx, func(ctx context.Context) error {
		found, err := p.evaluate(ctx, fmt.Sprintf("(e=>{e?.click();return e?'found':''})(document.querySelector(%s))", selector), false)
		if err == nil && found == "" {
			err = fmt.Errorf("the game is won, and the page has no element %s to keep playing", selector)
		}
		return err
	})
}

// Show shows advice on the page; nil removes it.
func (p *Page) Show(ctx context.Context, a *Advice) error {
	advice, err := json.Marshal(a)
	if err == nil {
		_, err = p.evaluate(ctx, fmt.Sprintf("(%s)(%s)", overlayScript, advice), false)
	}
	return err
}
