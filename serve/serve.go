package serve

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/net/netutil"

	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/serve/session"
)

// Options configures a server. The embedded field Player is required.
type Options struct {
	// Options configures the host that answers the requests. Leave ReadFile, Exec and Trusted unset in its
	// Capabilities, because specs from clients must not use files or programs. New sets Experiments, Training
	// and Links.
	session.Options
	Hosts []string // accepted host names, besides localhost and IP addresses
	// If Token is not empty, clients must present it, in the address of the page or as a bearer token.
	Token   string
	Clients int                // maximum number of WebSockets, 0 for 1024; twice as many connections are accepted
	Runs    string             // folder of training runs; "" for none
	Train   bool               // clients may start the first training run
	Runner  *experiment.Runner // plays experiments, created by NewRunner; nil: no experiments
}

// Server is the HTTP handler of the page and of the API.
type Server struct {
	o        Options
	host     *session.Host
	training *training
	handler  http.Handler
	sockets  session.Slots  // open WebSockets
	calls    session.Slots  // requests to /api in progress
	pictures session.Slots  // requests to /api/picture in progress
	talking  sync.WaitGroup // counts open WebSockets
	at       atomic.Value   // the net.Addr on which Serve listens

	crossOrigin *http.CrossOriginProtection
}

const (
	maxCalls    = 64
	headerTime  = 5 * time.Second
	bodyTime    = 10 * time.Second
	maxPictures = 4           // maximum number of requests to /api/picture in progress
	pictureTime = time.Minute // time limit for the body of a request to /api/picture
	idleTime    = 2 * time.Minute
	goodbye     = 3 * time.Second // time limit for requests in progress when the server stops
	maxHeader   = 16 << 10
)

// New returns a server. It fails if the player needs future spawns, which requests cannot provide.
func New(o Options) (_ *Server, err error) {
	if o.Clients <= 0 {
		o.Clients = 1024
	}
	s := &Server{
		o: o, training: newTraining(runs.Folder{Path: o.Runs}, o.Train), crossOrigin: http.NewCrossOriginProtection(),
		sockets: make(session.Slots, o.Clients), calls: make(session.Slots, maxCalls), pictures: make(session.Slots, maxPictures),
	}
	o.Training, o.Links = s.training, s.links
	if o.Runner != nil {
		o.Experiments = o.Runner
	}
	if s.host, err = session.NewHost(o.Options); err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/api", s.api)
	mux.HandleFunc("/api/picture", s.picture)
	mux.HandleFunc("/ws", s.socket)
	mux.HandleFunc("/manifest.webmanifest", s.manifest)
	mux.Handle("/", thePage())
	s.handler = s.guard(s.tokens(mux))
	return s, nil
}

// ServeHTTP implements http.Handler, so that other programs can use s in their own server. Such
// programs call Close to end the background work.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Close ends all watched games, the solve in progress and the training run that this server started.
func (s *Server) Close() {
	s.host.Close()
	s.training.close()
}

// Serve answers requests until ctx ends. Then it calls Close, cancels searches and closes the WebSockets.
// Other requests in progress get three seconds to finish.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	base, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	defer s.Close()
	s.at.Store(listener.Addr())
	h := &http.Server{
		Handler:           s.handler,
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       bodyTime,
		WriteTimeout:      s.host.LongestAnswer() + bodyTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeader,
		BaseContext:       func(net.Listener) context.Context { return base },
	}
	ended := make(chan error, 1)
	go func() { ended <- h.Serve(netutil.LimitListener(listener, 2*s.o.Clients)) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	s.Close()
	stop() // closes the WebSockets and cancels searches
	late, cancel := context.WithTimeout(context.Background(), goodbye)
	defer cancel()
	err := h.Shutdown(late)
	if errors.Is(err, context.DeadlineExceeded) {
		err = h.Close()
	}
	// http.Server.Shutdown does not wait for WebSockets.
	silent := make(chan struct{})
	go func() { s.talking.Wait(); close(silent) }()
	select {
	case <-silent:
	case <-late.Done():
	}
	return err
}
