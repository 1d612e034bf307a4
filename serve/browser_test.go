//go:build browser || pictures

package serve

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// pages is a browser, and where its pages come from. It is the browser's context.
type pages struct {
	context.Context
	static string // folder of the static site; empty: each site has a server of its own
}

// story is a test that uses the page as a person does.
type story struct {
	test   func(*testing.T, pages, screen)
	window screen   // the one that fits it
	more   []screen // make soak tries these too
}

// anywhere is a story that holds in every window: both sizes, both schemes, and some that are special to it.
func anywhere(test func(*testing.T, pages, screen), window screen, more ...screen) story {
	others := slices.DeleteFunc(slices.Clone(screens), func(s screen) bool { return s == window })
	return story{test, window, append(others, more...)}
}

// only is a story that takes a keyboard or a finger, or is about one kind of window.
func only(test func(*testing.T, pages, screen), window screen, more ...screen) story {
	return story{test, window, more}
}

// The page is the same over both transports, so these stories hold for both.
var everywhere = map[string]story{
	"Play": anywhere(testPlay, deskLight), "Help": anywhere(testHelp, phoneLight), "Touch": only(testTouch, phoneLight), "Slots": only(testSlots, deskLight), "Layouts": only(testLayouts, deskLight), "LargeTiles": only(testLargeTiles, phoneLight), "HandOver": anywhere(testHandOver, phoneLight),
	"Tabs": only(testTabs, deskLight), "Watch": anywhere(testWatch, phoneLight), "Solve": anywhere(testAsk, deskDark), "Hints": anywhere(testHints, phoneDark), "ShareOf4s": anywhere(testShareOf4s, phoneLight),
	"Chances": anywhere(testChances, phoneLight), "Picture": anywhere(testPicture, phoneLight), "Drawn": anywhere(testDrawn, deskLight),
	"Review": anywhere(testReview, phoneLight), "LongReview": only(testLongReview, phoneLight), "TryAgain": anywhere(testTryAgain, phoneDark),
	"Drills": anywhere(testDrills, deskLight), "HardBoards": anywhere(testHardBoards, phoneLight), "Lessons": anywhere(testLessons, phoneLight),
	"Puzzles": anywhere(testPuzzles, phoneDark), "Stages": anywhere(testStages, deskLight), "Follow": only(testFollow, phone),
	"FollowKeys": only(testFollowKeys, desk), "FollowFour": only(testFollowFour, phone), "Views": anywhere(testViews, phoneLight), "Words": only(testWords, phone), "Starts": only(testStarts, desk),
	"Phone": only(testPhone, phone), "PlayerField": anywhere(testPlayerField, phoneLight), "Measure": only(testMeasure, deskDark),
	"ReducedMotion": only(testReducedMotion, deskLight), "Arrows": anywhere(testArrows, deskDark), "Landscape": only(testLandscape, lying[1], lying[0], lying[2]),
	"Upright": only(testUpright, phone), "FreeSwipes": only(testFreeSwipes, phone, lying[0]), "Share": anywhere(testShare, phoneLight),
	"Ends": anywhere(testEnds, phoneLight, lying[1]), "Controls": anywhere(testControls, phone, lying[0]), "Grade": anywhere(testGrade, deskLight),
	"Games": anywhere(testGames, deskLight), "Times": anywhere(testTimes, phoneDark), "Kept": only(testKept, deskLight), "FullStorage": only(testFullStorage, phoneLight),
	"Backup": only(testBackup, deskDark), "HostileBackup": only(testHostileBackup, deskLight), "MarksAndDays": anywhere(testMarksAndDays, phoneLight),
	"Settings": anywhere(testSettings, deskLight), "Duel": anywhere(testDuel, phoneLight, lying[1]),
	"DuelGoal": only(testDuelGoal, phone), "DuelAlike": only(testDuelAlike, desk), "DuelRefused": only(testDuelRefused, desk), "Day": anywhere(testDay, phoneLight),
	"Language": only(testLanguage, phoneLight), "Film": anywhere(testFilm, phoneLight),
}

// onServer is what a server alone does: it is shared, has tokens, and shows training.
var onServer = map[string]story{
	"Loading": only(testLoading, phoneLight), "OwnPlayer": only(testOwnPlayer, phoneLight), "QuickStart": only(testQuickStart, phoneLight),
	"Curve": only(testCurve, deskDark), "Workers": anywhere(testWorkers, deskLight), "Decide": anywhere(testDecide, deskDark), "Training": only(testTraining, phoneLight, deskDark),
	"FollowLink": anywhere(testFollowLink, phoneLight, lying[0]), "ShareNearby": only(testShareNearby, phone), "Translated": only(testTranslated, deskLight),
	"Token": anywhere(testToken, phoneDark), "TokenLink": only(testTokenLink, deskLight), "Manifest": anywhere(testManifest, phoneDark),
}

// layouts take longest, so they begin first.
var layouts = map[string]story{
	"LayoutEnglish": only(testLayout("en"), phoneLight), "LayoutGerman": only(testLayout("de"), phoneLight), "LayoutChinese": only(testLayout("zh"), phoneLight),
}

// TestPage uses the page as a person does, on a server. It needs Chromium, and is skipped without
// it. With SHOTS=folder one that fails leaves a picture.
func TestPage(t *testing.T) {
	in := pages{Context: browser(t)}
	in.test(t, layouts)
	in.test(t, everywhere)
	in.test(t, onServer)
}

func (in pages) test(t *testing.T, all map[string]story) {
	for name, s := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s.test(t, in, s.window)
			for _, sc := range s.more[:soak.Count(0, len(s.more))] {
				t.Run(sc.name, func(t *testing.T) { s.test(t, in, sc) })
			}
		})
	}
}

// screen is a window to test in.
type screen struct {
	name          string
	width, height int64
	touch         bool
	dark          bool
}

var (
	phoneLight = screen{"phone-light", 360, 740, true, false}
	phoneDark  = screen{"phone-dark", 360, 740, true, true}
	deskLight  = screen{"desk-light", 1440, 900, false, false}
	deskDark   = screen{"desk-dark", 1440, 900, false, true}
	screens    = []screen{phoneLight, phoneDark, deskLight, deskDark}

	phone = screen{"phone844", 390, 844, true, false}
	desk  = screen{"desk800", 1280, 800, false, true}
	// lying are phones in landscape.
	lying = []screen{{"lying844", 844, 390, true, true}, {"lying667", 667, 375, true, false}, {"lying568", 568, 320, true, false}}
)

// site is a host of the page that can be taken away and brought back at the same address.
type site struct {
	t       *testing.T
	address string
	options Options
	static  string                          // folder of the static site; empty: a server answers
	held    chan struct{}                   // networks of the static site are sent when it is closed; nil: at once
	server  *Server                         // nil with static
	wrap    func(http.Handler) http.Handler // of the server; may be nil
	stop    context.CancelFunc
	done    chan error
	port    *port
	away    bool // it was taken away once
	tabs    int  // opened so far
}

// site returns a host that has only what both transports have.
func (in pages) site(t *testing.T) *site {
	t.Helper()
	if in.static == "" {
		return newSite(t, Options{})
	}
	return staticSite(t, in.static)
}

// staticSite serves a folder as any web host does, and no more than its files.
func staticSite(t *testing.T, folder string) *site { return hosted(&site{t: t, static: folder}) }

func newSite(t *testing.T, o Options) *site {
	t.Helper()
	if o.Player.New == nil {
		o.Player = parsed(t, "auto")
	}
	return hosted(&site{t: t, options: o})
}

// hosted brings a site up for as long as its test runs.
func hosted(s *site) *site {
	s.t.Helper()
	listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))(s.t)
	s.port, s.address = &port{Listener: listener}, listener.Addr().String()
	s.options.Name, s.options.Version = "afterstate", "1.2.3"
	go s.port.accept()
	s.t.Cleanup(func() {
		s.down()
		_ = listener.Close()
	})
	s.up()
	return s
}

func (s *site) up() {
	s.t.Helper()
	listener := s.port.open()
	var ctx context.Context
	ctx, s.stop = context.WithCancel(context.Background())
	s.done = make(chan error, 1)
	if s.static != "" {
		go func() { s.done <- serveFiles(ctx, listener, s.static, s.held) }()
		return
	}
	server := must.Get(New(s.options))(s.t)
	s.server = server
	if s.wrap != nil {
		server.handler = s.wrap(server.handler)
	}
	go func() { s.done <- server.Serve(ctx, listener) }()
}

// port keeps the address of a site while the site is down: connections are then closed at once. No other test can get it.
type port struct {
	net.Listener
	mu   sync.Mutex
	door *door // nil: the site is down
}

// door is the listener of a site while it is up.
type door struct {
	*port
	connections chan net.Conn
	closed      chan struct{}
}

func (p *port) open() net.Listener {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.door = &door{port: p, connections: make(chan net.Conn), closed: make(chan struct{})}
	return p.door
}

// accept hands connections to the site until the port is closed.
func (p *port) accept() {
	for {
		c, err := p.Listener.Accept()
		if err != nil {
			return
		}
		p.mu.Lock()
		d := p.door
		p.mu.Unlock()
		if d == nil {
			_ = c.Close()
			continue
		}
		select {
		case d.connections <- c:
		case <-d.closed:
			_ = c.Close()
		}
	}
}

func (d *door) Accept() (net.Conn, error) {
	select {
	case c := <-d.connections:
		return c, nil
	case <-d.closed:
		return nil, net.ErrClosed
	}
}

// Close ends Accept. The port stays open.
func (d *door) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.door == d {
		d.door = nil
		close(d.closed)
	}
	return nil
}

// staticPath is the folder that a static site is put into, as on hosts where each project has one.
const staticPath = "/projects/2048/"

// serveFiles serves files until ctx ends, and then closes all connections.
func serveFiles(ctx context.Context, l net.Listener, folder string, held <-chan struct{}) error {
	mux := http.NewServeMux()
	files := http.StripPrefix(staticPath, http.FileServer(http.Dir(folder)))
	mux.HandleFunc(staticPath, func(w http.ResponseWriter, r *http.Request) {
		if held != nil && strings.Contains(r.URL.Path, "network") {
			select {
			case <-held:
			case <-r.Context().Done():
				return
			}
		}
		files.ServeHTTP(w, r)
	})
	server := &http.Server{Handler: mux}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// url returns the address of the page; path may have a query and a fragment.
func (s *site) url(path string) string {
	folder := "/"
	if s.static != "" {
		folder = staticPath
	}
	return "http://" + s.address + folder + path
}

func (s *site) down() {
	if s.stop == nil {
		return // it is down
	}
	s.away = true
	s.stop()
	s.stop = nil
	if err := <-s.done; err != nil {
		s.t.Error(err)
	}
}
