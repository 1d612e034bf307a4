package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"afterstate/board"
	"afterstate/wire"
)

// peerPath is where macroxue's 2048-ai answers the page of a game that it plays
// (github.com/macroxue/2048-ai, README, "Server mode"): GET /move?board=EDC1BA9187611111 answers one
// letter. It is served for the pages of one other origin, Options.PeerAPI.
const peerPath = "/move"

// CheckPeerOrigin returns an error unless text is an origin: a scheme and a host, as browsers send it.
func CheckPeerOrigin(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || text != u.Scheme+"://"+strings.ToLower(u.Host) {
		return fmt.Errorf("origin %s: want SCHEME://HOST or SCHEME://HOST:PORT in lower case, without a path, such as https://macroxue.github.io", wire.Quote(text))
	}
	return nil
}

// peer answers requests for moves, and passes the others on.
func (s *Server) peer(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != peerPath {
			next.ServeHTTP(w, r)
			return
		}
		h := w.Header()
		h.Set("Content-Type", "text/plain; charset=utf-8")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-store")
		h.Set("Vary", "Origin")
		status, text := s.peerAnswer(h, r)
		w.WriteHeader(status)
		if status != http.StatusNoContent {
			_, _ = w.Write([]byte(text))
		}
	})
}

// peerAnswer returns the status and the text of an answer, and sets its headers.
func (s *Server) peerAnswer(h http.Header, r *http.Request) (status int, text string) {
	origin := r.Header.Get("Origin")
	switch {
	case !s.known(r.Host):
		return http.StatusMisdirectedRequest, "host " + wire.Quote(r.Host) + " is not known here: want localhost, an address, or a name given by --host"
	case origin == s.o.PeerAPI:
		h.Set("Access-Control-Allow-Origin", s.o.PeerAPI)
	case origin != "":
		return http.StatusForbidden, "origin " + wire.Quote(origin) + " may not ask: want " + s.o.PeerAPI + ", the origin of --peer-api"
	default: // a program, or an image of another site
		if why := s.foreign(r); why != "" {
			return http.StatusForbidden, why
		}
	}
	switch {
	case r.Method == http.MethodOptions && origin != "":
		// A page on the internet that asks a private address sends a request like this first.
		h.Set("Access-Control-Allow-Methods", "GET")
		h.Set("Access-Control-Max-Age", "600")
		if r.Header.Get("Access-Control-Request-Private-Network") == "true" {
			h.Set("Access-Control-Allow-Private-Network", "true")
		}
		return http.StatusNoContent, ""
	case r.Method != http.MethodGet:
		h.Set("Allow", "GET, OPTIONS")
		return http.StatusMethodNotAllowed, "method " + wire.Quote(r.Method) + ": want GET " + peerPath + "?board=..."
	case s.o.Token != "" && !s.carriesToken(r) && !(s.o.TrustLoopback && overLoopback(r)):
		return http.StatusUnauthorized, "this server requires its token: send the header Authorization: Bearer TOKEN"
	}
	b, err := peerBoard(r.URL.Query())
	if err != nil {
		return http.StatusBadRequest, err.Error()
	}
	return s.peerMove(r, b)
}

// peerBoard reads the board: 16 exponents, row by row, 0 to 9 and A to G.
func peerBoard(query url.Values) (board.Board, error) {
	given := query["board"]
	if len(given) != 1 {
		return board.Board{}, fmt.Errorf("%d boards: want one, as in %s?board=EDC1BA9187611111", len(given), peerPath)
	}
	text := given[0]
	if len(text) != 16 || strings.Trim(text, "0123456789abcdefgABCDEFG") != "" {
		return board.Board{}, fmt.Errorf("board %s: want 16 exponents 0-9A-G, row by row, such as EDC1BA9187611111", wire.Quote(text))
	}
	return board.Parse(text)
}

// peerMove asks the default player: u, r, d or l, and g when the game is over. It takes a place for a
// search.
func (s *Server) peerMove(r *http.Request, b board.Board) (status int, text string) {
	from := peerOf(r.RemoteAddr)
	if !s.calls.take(from) {
		return http.StatusServiceUnavailable, "too many requests at once: try again later"
	}
	defer s.calls.leave(from)
	params, err := json.Marshal(wire.BestMove{Board: b})
	if err != nil {
		return http.StatusInternalServerError, err.Error()
	}
	c := s.host.NewClient(nil)
	defer c.Close()
	result, err := c.Call(r.Context(), wire.MethodBestMove, params)
	if err != nil {
		return peerStatus(err), err.Error()
	}
	answer, ok := result.(wire.Move)
	switch {
	case !ok:
		return http.StatusInternalServerError, "the player's answer is no move"
	case answer.Move == nil:
		return http.StatusOK, "g"
	}
	return http.StatusOK, answer.Move.String()[:1]
}

// peerStatus returns the HTTP status of an error of a search.
func peerStatus(err error) int {
	var known *wire.Error
	if errors.As(err, &known) {
		switch known.Code {
		case wire.CodeBusy, wire.CodeTime, wire.CodeMemory:
			return http.StatusServiceUnavailable
		}
	}
	return http.StatusInternalServerError
}
