package drive

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/afterstate2048/afterstate/rules/board"
)

//go:embed overlay.js
var overlayScript string

// answerTime is the time that a page has for an answer, besides that of the question.
const answerTime = 15 * time.Second

var errNoAnswer = errors.New("the page does not answer")

// answered calls do, which takes some time itself, and returns errNoAnswer if the page does not answer in time.
func answered(ctx context.Context, within time.Duration, do func(ctx context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, within+answerTime)
	defer cancel()
	err := do(limited)
	if limited.Err() != nil && ctx.Err() == nil {
		return fmt.Errorf("%w within %v", errNoAnswer, within+answerTime)
	}
	return err
}

// Press presses the key of a move.
func (p *Page) Press(ctx context.Context, d board.Direction) error {
	k, ok := keyOf(p.d.Keys[d])
	if !ok {
		return fmt.Errorf("keys: no key for %v", d)
	}
	down, up := keyEvent{"keyDown", k}, keyEvent{"keyUp", k}
	if up.Text = ""; k.Text == "" {
		down.Type = "rawKeyDown"
	}
	return answered(ctx, 0, func(ctx context.Context) error {
		err := p.conn.Call(ctx, "Input.dispatchKeyEvent", down, nil)
		if err == nil {
			err = p.conn.Call(ctx, "Input.dispatchKeyEvent", up, nil)
		}
		return err
	})
}

type keyEvent struct {
	Type string `json:"type"`
	key
}

// KeepPlaying clicks the element that lets the game continue after a win.
func (p *Page) KeepPlaying(ctx context.Context) error {
	selector, err := json.Marshal(p.d.KeepPlaying)
	if err != nil {
		return err
	}
	return answered(ctx, 0, func(ctx context.Context) error {
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
