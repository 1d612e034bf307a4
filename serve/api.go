package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"time"

	"github.com/afterstate2048/afterstate/protocol"
)

// api answers one request in the body of a POST.
func (s *Server) api(w http.ResponseWriter, r *http.Request) {
	s.post(w, r, protocol.MaxReview, bodyTime, protocol.ParsePageRequest)
}

// picture answers a request for a method that takes a file, so the body may be large. If too many such requests
// are in progress, it waits for one to end: a page that sends a picture again, with other rows or columns, does
// so before the server has dropped the earlier request.
func (s *Server) picture(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), bodyTime)
	defer cancel()
	if err := s.pictures.Enter(ctx); err != nil {
		refuse(w, http.StatusServiceUnavailable, "too many files at once: try again later")
		return
	}
	defer s.pictures.Leave()
	// Ignore the error: only servers in tests lack support for deadlines.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(pictureTime))
	s.post(w, r, protocol.MaxPicture, pictureTime, protocol.ParseFileRequest)
}

// post answers one request of at most limit bytes in the body of a POST. within is the time limit for the body;
// the connection's deadline enforces it.
func (s *Server) post(w http.ResponseWriter, r *http.Request, limit int64, within time.Duration, parse func([]byte) (protocol.Request, *protocol.Error)) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST")
		refuse(w, http.StatusMethodNotAllowed, "method "+protocol.Quote(r.Method)+": use POST with a JSON-RPC request as the body; see docs/api.md")
		return
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		refuse(w, http.StatusUnsupportedMediaType, "content type "+protocol.Quote(r.Header.Get("Content-Type"))+": must be application/json")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		refuse(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is too long: must be at most %d bytes", limit))
		return
	case err != nil:
		refuse(w, http.StatusRequestTimeout, fmt.Sprintf("the body did not arrive within %d s", int(within.Seconds())))
		return
	case len(body) == 0:
		refuse(w, http.StatusBadRequest, `the body is empty: give a request such as {"jsonrpc":"2.0","id":1,"method":"hello"}`)
		return
	}
	if !s.calls.TryEnter() {
		refuse(w, http.StatusServiceUnavailable, "too many requests at once: try again later")
		return
	}
	defer s.calls.Leave()
	request, wrong := parse(body)
	answer := s.host.Answer(r.Context(), request, wrong)
	if len(answer) == 0 { // a notification has no answer
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(answer)
}
