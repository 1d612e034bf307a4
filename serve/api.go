package serve

import (
	"errors"
	"io"
	"mime"
	"net/http"

	"afterstate/wire"
)

// api answers one request in the body of a POST.
func (s *Server) api(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST")
		refuse(w, http.StatusMethodNotAllowed, "method "+wire.Quote(r.Method)+": want POST with a JSON-RPC request as the body; see docs/api.md")
		return
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		refuse(w, http.StatusUnsupportedMediaType, "content type "+wire.Quote(r.Header.Get("Content-Type"))+": want application/json")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, wire.MaxLine))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		refuse(w, http.StatusRequestEntityTooLarge, "the body is too long: want at most 65536 bytes")
		return
	case err != nil:
		refuse(w, http.StatusRequestTimeout, "the body did not arrive within 10 s")
		return
	case len(body) == 0:
		refuse(w, http.StatusBadRequest, `the body is empty: want a request such as {"jsonrpc":"2.0","id":1,"method":"hello"}`)
		return
	}
	from := peerOf(r.RemoteAddr)
	if !s.calls.take(from) {
		refuse(w, http.StatusServiceUnavailable, "too many requests at once: try again later")
		return
	}
	defer s.calls.leave(from)
	c := s.host.NewClient(nil)
	defer c.Close()
	request, wrong := wire.ParseRequest(body)
	var answer []byte
	if wrong != nil {
		answer = wire.Refuse(nil, request, wrong)
	} else {
		answer, _ = c.Reply(r.Context(), request)
	}
	if len(answer) == 0 { // a notification
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(answer)
}
