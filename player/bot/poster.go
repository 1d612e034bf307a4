package bot

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"afterstate/wire"
)

// poster is a bot behind HTTP. Each request of the protocol is the body of a POST, and its response
// the body of the answer.
type poster struct {
	exchange
	url     string
	client  *http.Client
	session string // distinguishes concurrent games, whose requests may arrive on any connection
}

func newPoster(url string, client *http.Client) *poster {
	return &poster{url: url, client: client, session: rand.Text()}
}

func (p *poster) ask(ctx context.Context, limit time.Duration, method string, params any, read func(result []byte) error) error {
	line, err := p.request(method, params)
	if err != nil {
		return err
	}
	timed, cancel := within(ctx, limit)
	defer cancel()
	response, err := p.post(timed, line)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && timed.Err() != nil:
		return lateFault(method, limit)
	case err != nil:
		return err
	case len(response) > wire.MaxLine:
		return longFault(response)
	}
	return p.understand(response, method, read)
}

// post returns the body of the answer, cut after wire.MaxLine+1 bytes.
func (p *poster) post(ctx context.Context, line []byte) ([]byte, error) {
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url, bytes.NewReader(bytes.Clone(line)))
	if err != nil {
		return nil, err
	}
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("Accept", "application/json")
	q.Header.Set("User-Agent", "afterstate")
	q.Header.Set("Afterstate-Session", p.session)
	// With this header the client repeats a request whose connection, kept from an earlier one, was
	// closed by the server just then.
	q.Header.Set("Idempotency-Key", p.session+"-"+strconv.FormatInt(p.id, 10))
	r, err := p.client.Do(q)
	if err != nil {
		if p.id > 1 && !errors.Is(err, context.Canceled) { // hello has shown that it can be reached
			return nil, fault("the connection broke", p.url+": "+cause(err))
		}
		return nil, noConnection(p.url, err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(io.LimitReader(r.Body, wire.MaxLine+1))
	if err != nil {
		return nil, fault("the connection broke", p.url+": "+cause(err))
	}
	if r.StatusCode != http.StatusOK {
		err := badStatus(p.url, r, "200", string(body[:min(len(body), 200)]))
		if down := (*unreachable)(nil); p.id > 1 && errors.As(err, &down) {
			err = down.fault
		}
		return nil, err
	}
	return body, nil
}

func (p *poster) bye() {
	_ = p.ask(context.Background(), byeTimeout, wire.MethodBye, nil, func([]byte) error { return nil })
}

func (p *poster) end() (exit, stderr string) {
	p.client.CloseIdleConnections()
	return "", ""
}
