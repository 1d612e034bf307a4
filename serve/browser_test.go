//go:build browser || pictures

package serve

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/player/catalog"
)

// pages is a browser, and where its pages come from. It is the browser's context.
type pages struct {
	context.Context
	static string // folder of the static site; empty: each site has a server of its own
}

// The page is the same over both transports, so these tests hold for both.
var everywhere = map[string]func(*testing.T, pages){
	"Play": testPlay, "Help": testHelp, "Touch": testTouch, "Slots": testSlots, "Tabs": testTabs, "Watch": testWatch, "Ask": testAsk, "Hints": testHints, "Chances": testChances, "Picture": testPicture, "Drawn": testDrawn,
	"Review": testReview, "LongReview": testLongReview, "TryAgain": testTryAgain, "Drills": testDrills, "HardBoards": testHardBoards, "Lessons": testLessons, "Puzzles": testPuzzles, "Stages": testStages, "Follow": testFollow, "FollowKeys": testFollowKeys, "FollowFour": testFollowFour,
	"Views": testViews, "Starts": testStarts, "Phone": testPhone, "PlayerField": testPlayerField, "Measure": testMeasure, "ReducedMotion": testReducedMotion, "Axe": testAxe, "Arrows": testArrows,
	"Landscape": testLandscape, "Upright": testUpright, "FreeSwipes": testFreeSwipes, "Share": testShare, "Ends": testEnds, "Controls": testControls, "Grade": testGrade,
	"Games": testGames, "Times": testTimes, "Kept": testKept, "FullStorage": testFullStorage, "Backup": testBackup, "Settings": testSettings,
	"Duel": testDuel, "DuelGoal": testDuelGoal, "DuelAlike": testDuelAlike, "DuelRefused": testDuelRefused, "Day": testDay, "Beside": testBeside, "Language": testLanguage,
}

// onServer is what a server alone does: it is shared, has tokens, and shows training.
var onServer = map[string]func(*testing.T, pages){
	"Loading": testLoading, "OwnPlayer": testOwnPlayer, "QuickStart": testQuickStart, "Busy": testBusy, "Curve": testCurve, "Workers": testWorkers, "Decide": testDecide, "Training": testTraining,
	"FollowLink": testFollowLink, "ShareNearby": testShareNearby, "LanguagesFit": testLanguagesFit, "Translated": testTranslated,
	"Token": testToken, "TokenLink": testTokenLink, "Manifest": testManifest,
}

// TestPage uses the page as a person does. It takes Chromium; without it, it is skipped
// here and named by scripts/test.sh. With SHOTS=folder one that fails leaves a picture.
func TestPage(t *testing.T) {
	in := pages{Context: browser(t)}
	in.test(t, everywhere)
	in.test(t, onServer)
}

func (in pages) test(t *testing.T, all map[string]func(*testing.T, pages)) {
	for name, test := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, in)
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

var screens = []screen{
	{"phone-light", 360, 740, true, false},
	{"phone-dark", 360, 740, true, true},
	{"desk-light", 1440, 900, false, false},
	{"desk-dark", 1440, 900, false, true},
}

// windows are those to test in: both sizes, both schemes. On a static site two have all of them, since
// its pages are those of the server. In short tests one will do.
func (in pages) windows() []screen {
	switch {
	case testing.Short():
		return screens[:1]
	case in.static != "":
		return []screen{screens[0], screens[3]}
	}
	return screens
}

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
	away    bool // it was taken away once
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
func staticSite(t *testing.T, folder string) *site {
	t.Helper()
	s := &site{t: t, address: "127.0.0.1:0", static: folder}
	s.up()
	t.Cleanup(s.down)
	return s
}

func newSite(t *testing.T, o Options) *site {
	t.Helper()
	if o.Player.New == nil {
		m, err := catalog.Parse("auto", catalog.Capabilities{Networks: catalog.NoNetworks})
		if err != nil {
			t.Fatal(err)
		}
		o.Player = m
	}
	o.Name, o.Version = "afterstate", "1.2.3"
	s := &site{t: t, address: "127.0.0.1:0", options: o}
	s.up()
	t.Cleanup(s.down)
	return s
}

func (s *site) up() {
	s.t.Helper()
	listener, err := net.Listen("tcp", s.address)
	// Another test may have got the port of a site that was down.
	for begin := time.Now(); errors.Is(err, syscall.EADDRINUSE) && time.Since(begin) < testTime; listener, err = net.Listen("tcp", s.address) {
		time.Sleep(40 * time.Millisecond)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	s.address = listener.Addr().String()
	var ctx context.Context
	ctx, s.stop = context.WithCancel(context.Background())
	s.done = make(chan error, 1)
	if s.static != "" {
		go func() { s.done <- serveFiles(ctx, listener, s.static, s.held) }()
		return
	}
	server, err := New(s.options)
	if err != nil {
		s.t.Fatal(err)
	}
	s.server = server
	if s.wrap != nil {
		server.handler = s.wrap(server.handler)
	}
	go func() { s.done <- server.Serve(ctx, listener) }()
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
