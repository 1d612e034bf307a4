package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// webManifest is the W3C web application manifest, with which a phone can keep the page on its home
// screen.
type webManifest struct {
	ID              string         `json:"id"` // identifies the app even if start_url changes
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

// manifest serves the manifest. For a client that came with the token, the start address has it too,
// because an app on a home screen may have cookies of its own.
func (s *Server) manifest(w http.ResponseWriter, r *http.Request) {
	m := webManifest{
		ID: "/", Name: "Afterstate", ShortName: "Afterstate", Description: "Play 2048, watch it played well, and ask what is best on your board.",
		StartURL: "/", Display: "standalone", ThemeColor: pageColour, BackgroundColor: pageColour,
	}
	if s.carriesToken(r) {
		m.StartURL = WithToken("/", s.o.Token)
	}
	for _, i := range icons {
		if i.purpose != "" {
			m.Icons = append(m.Icons, manifestIcon{i.path, fmt.Sprintf("%dx%[1]d", i.size), "image/png", i.purpose})
		}
	}
	data, _ := json.Marshal(m) // cannot fail: it is text
	newFile("manifest.webmanifest", data).serve(w, r)
}
