package serve

import (
	"encoding/json"
	"net/http"
)

// webManifest is the W3C web application manifest, with which a phone can keep the page on its home
// screen.
type webManifest struct {
	ID              string         `json:"id,omitempty"` // identifies the app even if start_url changes; "": by start_url
	Name            string         `json:"name"`
	ShortName       string         `json:"short_name"`
	Description     string         `json:"description"`
	StartURL        string         `json:"start_url"`
	Display         string         `json:"display"`
	ThemeColor      string         `json:"theme_color"` // the page has one for each colour scheme
	BackgroundColor string         `json:"background_color"`
	Icons           []manifestIcon `json:"icons"`
}

type manifestIcon struct {
	Src     string `json:"src"`
	Sizes   string `json:"sizes"`
	Type    string `json:"type"`
	Purpose string `json:"purpose"`
}

// pageColour is the page's background in the light scheme.
const pageColour = "#f7f5f0"

// newManifest returns the manifest of a page in a folder, whose path or relative address ends in a slash.
func newManifest(folder string) *webManifest {
	return &webManifest{
		Name: "Afterstate", ShortName: "Afterstate", Description: "Play 2048, watch it played well, and ask what is best on your board.",
		StartURL: folder, Display: "standalone", ThemeColor: pageColour, BackgroundColor: pageColour,
		Icons: []manifestIcon{
			{folder + "icon-192.png", "192x192", "image/png", "any"},
			{folder + "icon-512.png", "512x512", "image/png", "any"},
			{folder + "icon-maskable-512.png", "512x512", "image/png", "maskable"},
		},
	}
}

func (m *webManifest) json() []byte {
	data, _ := json.Marshal(m) // cannot fail: it is text
	return data
}

// manifest serves the manifest. For a client that came with the token, the start address has it too,
// because an app on a home screen may have cookies of its own.
func (s *Server) manifest(w http.ResponseWriter, r *http.Request) {
	m := newManifest("/")
	m.ID = "/"
	if s.carriesToken(r) {
		m.StartURL = WithToken("/", s.o.Token)
	}
	newFile(manifestName, m.json()).serve(w, r)
}

const manifestName = "manifest.webmanifest"
