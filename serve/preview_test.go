package serve

import (
	"bytes"
	"fmt"
	"image/png"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
)

// The picture of the page, of which TestPreview takes a new one.
const (
	previewName                 = "preview.png"
	previewWidth, previewHeight = 1200, 630
)

// Where the address of the page is shared, its title, description and picture appear. All of them are in the page.
func TestSharedAddress(t *testing.T) {
	page := thePage()
	f := page.files["/"+previewName]
	if f == nil || f.kind != "image/png" {
		t.Fatalf("%s is not served: %+v", previewName, f)
	}
	picture := must.Get(png.Decode(bytes.NewReader(f.whole)))(t)
	if b := picture.Bounds(); b.Dx() != previewWidth || b.Dy() != previewHeight || len(f.whole) > 100_000 {
		t.Errorf("%s is %v with %d bytes: must be at most 100,000 and %dx%d", previewName, b, len(f.whole), previewWidth, previewHeight)
	}
	html := string(page.files["/index.html"].whole)
	for name, want := range map[string]string{
		"og:title": "Afterstate: 2048, played and explained", "og:type": "website", "og:image": previewName,
		"og:image:width": fmt.Sprint(previewWidth), "og:image:height": fmt.Sprint(previewHeight),
	} {
		if tag := fmt.Sprintf(`<meta property="%s" content="%s">`, name, want); !strings.Contains(html, tag) {
			t.Errorf("the page lacks %s", tag)
		}
	}
	for _, name := range []string{"og:description", "og:image:alt"} {
		if !strings.Contains(html, fmt.Sprintf(`<meta property="%s" content="`, name)) {
			t.Errorf("the page lacks %s", name)
		}
	}
}
