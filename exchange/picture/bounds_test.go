package picture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/internal/testenv"
)

// What cannot be read is refused, and says why.
func TestRefused(t *testing.T) {
	whole := encodePNG(t, (&drawing{board: boardOf(t, someBoard), margin: 50, side: 60, gap: 8}).draw(t))
	var g bytes.Buffer
	must.Do(t, gif.Encode(&g, image.NewGray(image.Rect(0, 0, 9, 9)), nil))
	for what, c := range map[string]refusal{
		"nothing":            {nil, "the picture is empty"},
		"text":               {[]byte("2,4,8,16"), "must be a PNG, JPEG or WebP file"},
		"a GIF":              {g.Bytes(), "must be a PNG, JPEG or WebP file"},
		"half a file":        {whole[:len(whole)/2], "the png file is damaged"},
		"a huge claim":       {pngOf(t, 100_000, 100_000, 8, 6, 0, false, false), "must be at most 40 million"},
		"just too many":      {pngOf(t, 8000, 5001, 8, 6, 0, false, false), "must be at most 40 million"},
		"the largest claim":  {pngOf(t, 1<<31-1, 1<<31-1, 8, 6, 0, false, false), "dimension overflow"},
		"a huge file":        {append(slices.Clone(whole), make([]byte, MaxBytes)...), "must be at most 20 MB"},
		"a PNG's beginning":  {whole[:20], "the png file is damaged: unexpected EOF"},
		"a JPEG's beginning": {[]byte("\xff\xd8\xff\xc0"), "the jpeg file is damaged: unexpected EOF"},
		"a WebP's beginning": {[]byte("RIFF\x04\x00\x00\x00WEBPVP8"), "the webp file is damaged: "},
		"a cut WebP":         {fileOf(t, "testdata/lossy.webp")[:1000], "the webp file is damaged: "},
	} {
		if _, err := Parse(t.Context(), c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v: want %q", what, err, c.want)
		}
	}
}

// Reading stops when the context ends.
func TestStopped(t *testing.T) {
	for what, data := range map[string][]byte{"png": pngOf(t, 700, 600, 8, 6, 0, true, false), "jpeg": jpegOf(0xc2, 700, 600, []byte{0x22, 0x11, 0x11}, 1, true, 50)} {
		for end := range 3 {
			ctx := &ending{Context: t.Context(), left: 5 * end}
			if _, err := Parse(ctx, data); !errors.Is(err, context.Canceled) {
				t.Errorf("%s after its context: %v", what, err)
			}
		}
	}
}

// ending is a context that has ended once it was asked some times.
type ending struct {
	context.Context
	left int
}

func (e *ending) Err() error {
	if e.left--; e.left < 0 {
		return context.Canceled
	}
	return nil
}

// Small files that ask for much memory or time are refused before anything is decoded. Those of testdata are made
// again in the full suite only, which takes longer than to read them.
func TestHostile(t *testing.T) {
	if soak.Wanted() || must.Updating() {
		for name, data := range doors(t) {
			must.Golden(t, "testdata/"+name, data)
		}
	}
	for what, c := range hostile(t) {
		if len(c.data) > 500_000 {
			t.Errorf("%s: %d bytes", what, len(c.data))
		}
		var err error
		if took := testenv.Allocated(func() { _, err = Parse(t.Context(), c.data) }); took > 16<<20 {
			t.Errorf("%s: %d MB were allocated", what, took>>20)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v: want %q", what, err, c.want)
		}
	}
}

// The computed cost of a file is at least what its decoder takes; of a PNG not twice as much.
func TestCost(t *testing.T) {
	const w, h = 503, 497
	files := map[string][]byte{"lossy": fileOf(t, "testdata/lossy.webp")}
	for _, interlace := range []byte{0, 1} {
		for colour, depths := range map[byte][]byte{0: {1, 8, 16}, 2: {8, 16}, 3: {1, 8}, 4: {8, 16}, 6: {8, 16}} {
			for _, depth := range depths {
				files[fmt.Sprintf("png of %d bits in colour %d, interlace %d", depth, colour, interlace)] = pngOf(t, w, h, depth, colour, interlace, true, colour == 0 || colour == 2)
			}
		}
	}
	for _, frame := range []byte{0xc0, 0xc2} {
		for _, factors := range []string{"\x22", "\x11\x11\x11", "\x22\x11\x11", "\x42\x11\x11", "\x22\x21\x21", "\x11\x11\x11\x11", "\x22\x11\x11\x22"} {
			for _, adobe := range []byte{0, 1} {
				files[fmt.Sprintf("jpeg %x of %x, %d", frame, factors, adobe)] = jpegOf(frame, w, h, []byte(factors), adobe, true, 2*int(frame&2))
			}
		}
	}
	for what, data := range files {
		head, err := readHeader(data)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		took := int(testenv.Allocated(func() { _, err = decode(t.Context(), data) }))
		t.Logf("%s: %d kB, computed %d kB", what, took>>10, head.bytes>>10)
		if err != nil || took > head.bytes || head.format == "png" && head.bytes > 2*took+2<<20 {
			t.Errorf("%s: %d bytes, computed %d: %v", what, took, head.bytes, err)
		}
	}
}

// The kinds of docs/pictures.md are accepted in the sizes that stand there, with more scans than encoders make.
func TestAccepted(t *testing.T) {
	for what, data := range map[string][]byte{
		"png":                       pngOf(t, 8000, 5000, 8, 6, 0, false, false),
		"png of 16 bits":            pngOf(t, 8000, 4000, 16, 6, 0, false, false),
		"interlaced png":            pngOf(t, 8000, 4000, 8, 6, 1, false, false),
		"interlaced png of 16 bits": pngOf(t, 4000, 4000, 16, 6, 1, false, false),
		"jpeg":                      jpegOf(0xc0, 7200, 5000, []byte{0x11, 0x11, 0x11}, 1, false, 0),
		"progressive jpeg":          jpegOf(0xc2, 4400, 3000, []byte{0x11, 0x11, 0x11}, 1, false, 16),
		"progressive jpeg, CMYK":    jpegOf(0xc2, 4000, 2500, []byte{0x11, 0x11, 0x11, 0x11}, 0, false, 16),
		"a small jpeg of 500 scans": jpegOf(0xc2, 800, 800, []byte{0x11, 0x11, 0x11}, 1, false, 500),
		"webp":                      riff("VP8 ", append([]byte("\x30\x01\x00\x9d\x01\x2a\x40\x1f\x88\x13"), make([]byte, 100)...)),
	} {
		if _, err := readHeader(data); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// The memory of a large picture is given back to the system.
func TestGivenBack(t *testing.T) {
	soak.Full(t, "it decodes 22 megapixels; TestCost has the memory that decoders take")
	data := pngOf(t, 5500, 4000, 8, 6, 0, true, false)
	held := func() int {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapSys - m.HeapReleased)
	}
	before := held()
	if _, err := Parse(t.Context(), data); !errors.Is(err, ErrNoBoard) {
		t.Error(err)
	}
	if more := held() - before; more > 48<<20 {
		t.Errorf("%d MB more are held", more>>20)
	}
}

// FuzzParse requires an error or a sound reading for any bytes, and that no more is allocated than the header says. Large
// pictures only take long.
func FuzzParse(f *testing.F) {
	d := drawing{board: boardOf(f, someBoard), margin: 20, side: 24, gap: 4}
	m := d.draw(f)
	f.Add(encodePNG(f, m))
	f.Add(encodeJPEG(f, m))
	f.Add(pngOf(f, 60, 50, 16, 6, 1, true, false))
	f.Add(jpegOf(0xc2, 60, 50, []byte{0x22, 0x11, 0x11, 0x22}, 0, true, 3))
	f.Add(fileOf(f, "testdata/lossy.webp"))
	for _, c := range hostile(f) {
		f.Add(c.data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		head, err := readHeader(data)
		if err == nil && (head.w*head.h > 1_000_000 || head.format != "webp" && head.bytes > 32<<20) {
			return // decoding would take long
		}
		var m *raster
		if took := testenv.Allocated(func() { m, err = decode(t.Context(), data) }); took > int64(head.bytes)+1<<20 {
			t.Errorf("%d bytes were allocated: must be at most %d", took, head.bytes)
		}
		var r Reading
		if err == nil {
			r, err = read(t.Context(), m)
		}
		if err != nil {
			if len(err.Error()) > 300 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
			return
		}
		size := r.Board.Size()
		if !size.Valid() || size.Rows < 3 || size.Cols < 3 || len(r.Cells) != size.Cells() || r.Grid != "" && len(r.Doubts()) != len(r.Cells) {
			t.Errorf("%v, %d cells, %q", r.Board, len(r.Cells), r.Grid)
		}
		for i := range r.Cells {
			if e := int(r.Board.Cell(i)); e > maxExponent || e > len(r.Cells)+1 && !r.Cells[i] {
				t.Errorf("cell %d has 2^%d", i, e)
			}
		}
	})
}
