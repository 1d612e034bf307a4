package serve

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	_ "embed"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/afterstate2048/afterstate/protocol"
)

// policy is the Content-Security-Policy: the page may load resources from this server only.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src blob:; font-src 'self'; " +
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
			refuse(w, http.StatusMisdirectedRequest, "host "+protocol.Quote(r.Host)+" is not a name of this server: use localhost, an IP address, or a name given by --host")
			return
		}
		if why := s.foreign(r); why != "" {
			refuse(w, http.StatusForbidden, why)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// known reports whether the host in hostport is an IP address or a name of this server. A site that
// resolves its own name to this server's address (DNS rebinding) fails this check.
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

// foreign returns why a request counts as coming from another site, or "" if it does not. The standard
// library's check accepts every GET, since a GET should change nothing. Here a GET can open a WebSocket,
// so foreign checks every request as if it were a POST. The exception is a GET of the page itself without
// an Origin header, which is what following a link sends.
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
		return "the request comes from another site: only pages of this server may send requests"
	default:
		return "origin " + protocol.Quote(origin) + " is another site: must be the origin of this page, or absent"
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

// NewToken returns a token of 80 random bits. It is short and in lower case, so that a person can
// type it on a phone.
func NewToken() string { return strings.ToLower(rand.Text())[:16] }

var tokenFormat = regexp.MustCompile(`^[A-Za-z0-9_.~-]{8,128}$`)

// CheckToken returns an error unless the token can be part of an address and of a cookie and is
// hard to guess.
func CheckToken(token string) error {
	if !tokenFormat.MatchString(token) {
		return fmt.Errorf("must be from 8 to 128 characters of A-Z a-z 0-9 - . _ ~")
	}
	return nil
}

// cookieAge is how long a browser keeps the token, in seconds: a year.
const cookieAge = 365 * 24 * 3600

// tokens admits requests that carry Options.Token: in the address of the page, in the cookie that the page then
// sets, or as a bearer token.
func (s *Server) tokens(next http.Handler) http.Handler {
	if s.o.Token == "" {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		atPage := r.URL.Path == "/" && (r.Method == http.MethodGet || r.Method == http.MethodHead)
		given, inAddress := r.URL.Query()["token"]
		inAddress = inAddress && atPage
		switch {
		case inAddress && s.isToken(given[0]):
			http.SetCookie(w, &http.Cookie{
				Name: cookieName(r), Value: s.o.Token, Path: "/", MaxAge: cookieAge,
				HttpOnly: true, Secure: r.TLS != nil, SameSite: http.SameSiteStrictMode,
			})
			redirectToPage(w)
		case !s.carriesToken(r):
			unauthorized(w, r, inAddress)
		case inAddress || atPage && r.URL.RawQuery == retryQuery:
			redirectToPage(w)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// isToken reports whether given is the server's token. It compares hashes in constant time, so that
// the duration reveals neither the token nor its length.
func (s *Server) isToken(given string) bool {
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(s.o.Token))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// carriesToken reports whether a request carries the token in its cookie or as a bearer token.
func (s *Server) carriesToken(r *http.Request) bool {
	if scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && strings.EqualFold(scheme, "Bearer") && s.isToken(strings.TrimSpace(token)) {
		return true
	}
	return slices.ContainsFunc(r.CookiesNamed(cookieName(r)), func(c *http.Cookie) bool { return s.isToken(c.Value) })
}

// cookieName returns the name of the token's cookie. It contains the port, since all servers on a
// host share the host's cookies.
func cookieName(r *http.Request) string {
	if _, port, err := net.SplitHostPort(r.Host); err == nil {
		return "afterstate-token-" + port
	}
	return "afterstate-token"
}

// loopbackHost reports whether host, from a URL or a Host header, is localhost or a loopback address.
func loopbackHost(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// redirectToPage redirects to the page's address without a query. The browser keeps the fragment.
func redirectToPage(w http.ResponseWriter) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Location", "/")
	w.WriteHeader(http.StatusSeeOther)
}

// retryQuery marks the second request of a browser whose first one had no cookie. Browsers withhold a
// SameSite=Strict cookie when they follow a link from another site, but send it when they navigate within this
// site. So the first page with status 401 reloads the address with this query.
const retryQuery = "again"

// unauthorized answers 401: a page for browsers, a JSON-RPC error for programs. wrong is true if
// the address of the request contains a token, which must then be wrong.
func unauthorized(w http.ResponseWriter, r *http.Request, wrong bool) {
	h := w.Header()
	h.Set("WWW-Authenticate", `Bearer realm="afterstate"`)
	if r.URL.Path == "/api" || r.URL.Path == "/ws" {
		refuse(w, http.StatusUnauthorized, "this server requires its token: send the header Authorization: Bearer TOKEN, where TOKEN is the token in the address that afterstate serve prints")
		return
	}
	refresh := ""
	why := "This address needs a token, which this browser does not have."
	if wrong || len(r.CookiesNamed(cookieName(r))) > 0 {
		why = "The token in this address or browser is not the token of this server."
	} else if r.URL.Path == "/" && r.URL.RawQuery == "" {
		refresh = `<meta http-equiv="refresh" content="0; url=/?` + retryQuery + `">` + "\n"
	}
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", unauthorizedPolicy)
	w.WriteHeader(http.StatusUnauthorized)
	if r.Method != http.MethodHead {
		_, _ = io.WriteString(w, strings.NewReplacer("{refresh}", refresh, "{why}", why, "{style}", unauthorizedStyle).Replace(unauthorizedPage))
	}
}

const unauthorizedStyle = `:root{color-scheme:light dark}body{max-width:34rem;margin:12vh auto;padding:0 1.25rem;font:1.05rem/1.55 system-ui,sans-serif}h1{font-size:1.5rem}code{font-size:.95em;overflow-wrap:anywhere}`

// unauthorizedPolicy permits the style of the page that unauthorized sends, and nothing else.
var unauthorizedPolicy = func() string {
	sum := sha256.Sum256([]byte(unauthorizedStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}()

//go:embed unauthorized.html
var unauthorizedPage string
