package bot

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// CheckURL returns an error for URLs that a bot cannot be reached by.
func CheckURL(text string) error {
	u, err := url.Parse(text)
	if err != nil {
		return err.(*url.Error).Err
	}
	switch u.Scheme {
	case "ws", "wss", "http", "https":
	default:
		return fmt.Errorf("the scheme is %q", u.Scheme)
	}
	if u.Host == "" {
		return errors.New("there is no host")
	}
	if u.User != nil {
		return errors.New("it has a user name or password, which reports would show")
	}
	return nil
}

// unreachable is the fault of a bot that cannot be connected to at the moment.
type unreachable struct{ fault error }

func (u *unreachable) Error() string { return u.fault.Error() }
func (u *unreachable) Unwrap() error { return u.fault }

// dropped is the fault of a bot whose connection was lost.
type dropped struct{ fault error }

func (d *dropped) Error() string { return d.fault.Error() }
func (d *dropped) Unwrap() error { return d.fault }

// dial connects to the bot of a URL, within the startup limit.
func (o *Options) dial(ctx context.Context) (connection, error) {
	transport := &http.Transport{
		Proxy:             http.ProxyFromEnvironment,
		ForceAttemptHTTP2: true,
		IdleConnTimeout:   90 * time.Second,
		TLSClientConfig:   &tls.Config{RootCAs: o.RootCAs},
	}
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse // a bot's address is what the spec says
	}}
	if strings.HasPrefix(o.URL, "http") {
		return newPoster(o.URL, client), nil
	}
	return dialSocket(ctx, o.URL, client, o.Startup)
}

// noConnection returns the fault of a connection that cannot be opened.
func noConnection(address string, err error) error {
	f := fault("no connection", address+": "+cause(err))
	if errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ECONNRESET) {
		return &unreachable{f}
	}
	return f
}

// badStatus returns the fault of a response with another HTTP status than the one wanted.
func badStatus(address string, r *http.Response, want, body string) error {
	text := fmt.Sprintf("%s: want %s", address, want)
	if to := r.Header.Get("Location"); to != "" {
		text += ", not a redirect to " + short(to)
	}
	if body = strings.TrimSpace(body); body != "" {
		text += ": " + quoted([]byte(body))
	}
	f := fault(fmt.Sprintf("HTTP status %d", r.StatusCode), text)
	switch r.StatusCode {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return &unreachable{f}
	}
	return f
}

// cause returns what happened, without the method and the URL of the request.
func cause(err error) string {
	if wrapped := (*url.Error)(nil); errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return strings.TrimPrefix(err.Error(), "failed to WebSocket dial: ")
}

// within returns a context that ends with ctx, or after a limit (0: none).
func within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, limit)
}
