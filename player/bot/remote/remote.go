//go:build !js

// Package remote connects to bots that run already, on any machine: over WebSocket (URLs with ws and
// wss) or HTTP (http and https).
//
//	caps := catalog.Capabilities{Connect: remote.Connect}
//
// It transports bytes. Package player/bot sends the requests, limits their time and reads the
// responses; docs/protocol.md describes both.
package remote

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/bot"
)

// Connect returns a dialer for the bot at a URL. It is a [bot.Connector].
func Connect(url string, ca []byte) (bot.Dialer, error) {
	var roots *x509.CertPool // nil: those of the system
	if ca != nil {
		roots = x509.NewCertPool()
		if !roots.AppendCertsFromPEM(ca) {
			return nil, errors.New("it contains no certificate")
		}
	}
	return func(ctx context.Context) (bot.Transport, error) {
		client := newClient(roots)
		if strings.HasPrefix(url, "http") {
			return newPoster(url, client), nil
		}
		return dialSocket(ctx, url, client)
	}, nil
}

func newClient(roots *x509.CertPool) *http.Client {
	transport := &http.Transport{
		Proxy:             http.ProxyFromEnvironment,
		ForceAttemptHTTP2: true,
		IdleConnTimeout:   90 * time.Second,
		TLSClientConfig:   &tls.Config{RootCAs: roots},
	}
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse // a bot's address is what the spec says
	}}
}

// noConnection returns the fault of a connection that cannot be opened.
func noConnection(err error) error {
	f := &player.Forfeit{Reason: "no connection", Detail: cause(err)}
	if errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, io.EOF) {
		return &bot.UnavailableError{Fault: f}
	}
	return f
}

// broken returns the fault of an open connection that failed.
func broken(err error) error {
	return &bot.UnavailableError{Fault: &player.Forfeit{Reason: "the connection broke", Detail: cause(err)}}
}

// badStatus returns the fault of a response whose HTTP status is not the one wanted. body is the
// beginning of the response's body.
func badStatus(r *http.Response, want string, body []byte) error {
	text := "want " + want
	if to := r.Header.Get("Location"); to != "" {
		text += ", not a redirect to " + bot.Quoted([]byte(to))
	}
	if body := strings.TrimSpace(string(body)); body != "" {
		text += ": " + bot.Quoted([]byte(body))
	}
	f := &player.Forfeit{Reason: fmt.Sprintf("HTTP status %d", r.StatusCode), Detail: text}
	switch r.StatusCode {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return &bot.UnavailableError{Fault: f}
	}
	return f
}

// cause returns the text of an error without the method and the URL of the request.
func cause(err error) string {
	if wrapped := (*url.Error)(nil); errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return strings.TrimPrefix(err.Error(), "failed to WebSocket dial: ")
}
