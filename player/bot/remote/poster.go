//go:build !js

package remote

import (
	"bytes"
	"context"
	"crypto/rand"
	"io"
	"net/http"
	"strconv"

	"github.com/afterstate2048/afterstate/protocol"
)

// poster is a bot behind HTTP. Each request of the protocol is the body of a POST, and its response
// the body of the answer.
type poster struct {
	url     string
	client  *http.Client
	session string // distinguishes concurrent games, whose requests may arrive on any connection
	sent    int64  // number of requests
	reached bool   // a response has arrived
}

func newPoster(url string, client *http.Client) *poster {
	return &poster{url: url, client: client, session: rand.Text()}
}

func (p *poster) Send(ctx context.Context, request []byte) (response []byte, err error) {
	// The client may read the body after Do has returned, so it needs a copy.
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url, bytes.NewReader(bytes.Clone(request)))
	if err != nil {
		return nil, err
	}
	p.sent++
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("Accept", "application/json")
	q.Header.Set("User-Agent", "afterstate")
	q.Header.Set("Afterstate-Session", p.session)
	// With this header the client repeats a request if the server closed the reused connection at the
	// same moment.
	q.Header.Set("Idempotency-Key", p.session+"-"+strconv.FormatInt(p.sent, 10))
	r, err := p.client.Do(q)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case p.reached:
		return nil, broken(err)
	default:
		return nil, noConnection(err)
	}
	defer r.Body.Close()
	p.reached = true
	body, err := io.ReadAll(io.LimitReader(r.Body, protocol.MaxLine+1))
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, broken(err)
	case r.StatusCode != http.StatusOK:
		return nil, badStatus(r, "200", body[:min(len(body), 200)])
	case len(body) > protocol.MaxLine:
		return body, protocol.ErrTooLong
	}
	return body, nil
}

func (p *poster) Close() { p.client.CloseIdleConnections() }
