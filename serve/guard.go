package serve

import (
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/afterstate2048/afterstate/protocol"
)

// policy is the Content-Security-Policy: the page may load resources from this server only.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
	"connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// guard rejects requests from other sites; see the package documentation.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
		if !s.known(r.Host) {
			refuse(w, http.StatusMisdirectedRequest, "host "+protocol.Quote(r.Host)+" is not known here: want localhost, an address, or a name given by --host")
			return
		}
		if why := s.foreign(r); why != "" {
			refuse(w, http.StatusForbidden, why)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// known reports whether a host is an address or a name of this server. A site that resolves its own
// name to this address (DNS rebinding) fails this check.
func (s *Server) known(hostport string) bool {
	host := hostOf(hostport)
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	return host == "localhost" || slices.ContainsFunc(s.o.Hosts, func(name string) bool { return strings.EqualFold(name, host) })
}

// hostOf returns the host of "host:port" or "host" in lower case, without brackets; "" if it is malformed, such
// as an IPv6 address without both brackets.
func hostOf(hostport string) string {
	u, err := url.Parse("//" + hostport)
	if err != nil || u.Host != hostport {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// foreign returns why a request comes from another site, or "". The standard library's check
// accepts every GET, since a GET should change nothing. Here a GET opens a WebSocket, so requests
// are checked like a POST; only links to the page are accepted.
func (s *Server) foreign(r *http.Request) string {
	origin := r.Header.Get("Origin")
	if r.URL.Path == "/" && r.Method == http.MethodGet && origin == "" {
		return ""
	}
	checked := *r
	checked.Method = http.MethodPost
	switch {
	case s.crossOrigin.Check(&checked) == nil:
		return ""
	case origin == "":
		return "a request from another site: only the page itself may send requests"
	default:
		return "origin " + protocol.Quote(origin) + " is another site: want the page's own, or none"
	}
}

// refuse answers with an HTTP status and a JSON-RPC error.
func refuse(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	code := protocol.CodeInvalidRequest
	if status == http.StatusServiceUnavailable {
		code = protocol.CodeBusy
	}
	_, _ = w.Write(protocol.Refuse(nil, protocol.Request{}, protocol.Errorf(code, "%s", why)))
}
