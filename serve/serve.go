package serve

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"afterstate/experiment"
	"afterstate/player/catalog"
	"afterstate/runs"
	"afterstate/session"
)

// Options describe a server. Player is required.
type Options struct {
	Name    string // what hello answers
	Version string
	Player  catalog.Maker // answers requests that name no player
	// Capabilities of the specs in requests: no programs and no files, so ReadFile, Exec
	// and Trusted stay unset.
	Capabilities catalog.Capabilities
	Hosts        []string           // names by which the server may be called, beside localhost and addresses
	Searches     int                // at once; 0: GOMAXPROCS
	SearchTime   time.Duration      // of one search at most; 0: 10 s
	Games        int                // watched at once at most; 0: 16
	Clients      int                // WebSockets at once at most; 0: 1024. A client has a quarter of them, or 16
	Runs         string             // folder of training runs; "": there are none
	Experiments  *experiment.Runner // made by NewRunner; nil: there are none
}

// Server answers the page and other programs.
type Server struct {
	o       Options
	host    *session.Host
	handler http.Handler
	sockets *quota         // WebSockets
	calls   *quota         // requests under way
	talking sync.WaitGroup // WebSockets
	rate    float64        // of requests of a connection, a second; twice as many at once

	crossOrigin *http.CrossOriginProtection
}

const (
	mostCalls  = 64
	headerTime = 5 * time.Second
	callsEach  = 32 // of one client
	bodyTime   = 10 * time.Second
	idleTime   = 2 * time.Minute
	goodbye    = 3 * time.Second // for what is under way when the server ends
	maxHeader  = 16 << 10
)

// New is a server. It fails if its player needs more than a request says.
func New(o Options) (*Server, error) {
	if o.Clients <= 0 {
		o.Clients = 1024
	}
	host, err := newHost(&o)
	if err != nil {
		return nil, err
	}
	s := &Server{
		o: o, host: host, sockets: newQuota(o.Clients, o.clientsEach()), calls: newQuota(mostCalls, callsEach),
		rate: usualRate, crossOrigin: http.NewCrossOriginProtection(),
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/api", s.api)
	mux.HandleFunc("/ws", s.socket)
	mux.Handle("/", newPage())
	s.handler = s.guard(mux)
	return s, nil
}

// newHost is what answers the clients.
func newHost(o *Options) (*session.Host, error) {
	h := session.HostOptions{
		Name: o.Name, Version: o.Version, Player: o.Player, Capabilities: o.Capabilities,
		Searches: o.Searches, SearchTime: o.SearchTime, Games: o.Games,
		Training: training{runs.Folder{Path: o.Runs}}, Log: throttledLog,
	}
	if o.Experiments != nil {
		h.Experiments = &experiments{runner: o.Experiments}
	}
	return session.NewHost(h)
}

// clientsEach is how many WebSockets one client may have.
func (o *Options) clientsEach() int { return max(o.Clients/4, 16) }

// ServeHTTP answers a request, for servers of other programs. Close ends what goes on
// in the background then.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Close ends all watched games.
func (s *Server) Close() { s.host.Close() }

// Serve answers requests until ctx ends. Then requests under way are finished, games
// are stopped and connections closed.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	base, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	defer s.Close()
	h := &http.Server{
		Handler:           s.handler,
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       bodyTime,
		WriteTimeout:      s.host.LongestAnswer() + bodyTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeader,
		BaseContext:       func(net.Listener) context.Context { return base },
		ErrorLog:          throttledLog,
		ConnState: func(c net.Conn, state http.ConnState) {
			if a, ok := c.(*accepted); ok {
				a.list.setIdle(a, state == http.StateNew || state == http.StateIdle)
			}
		},
	}
	ended := make(chan error, 1)
	go func() { ended <- h.Serve(newListener(listener, 2*s.o.Clients, 2*s.o.clientsEach())) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	s.Close()
	stop() // sockets say goodbye, searches end
	late, cancel := context.WithTimeout(context.Background(), goodbye)
	defer cancel()
	err := h.Shutdown(late)
	if errors.Is(err, context.DeadlineExceeded) {
		err = h.Close()
	}
	// Shutdown does not know of WebSockets.
	silent := make(chan struct{})
	go func() { s.talking.Wait(); close(silent) }()
	select {
	case <-silent:
	case <-late.Done():
	}
	return err
}
