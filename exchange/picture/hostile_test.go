package picture

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"os"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
)

// pngOf is a PNG without an end. Its pixels, if it has any, are zeros.
func pngOf(t testing.TB, w, h int, depth, colour, interlace byte, pixels, transparent bool) []byte {
	t.Helper()
	out := []byte("\x89PNG\r\n\x1a\n")
	chunk := func(kind string, body []byte) {
		out = binary.BigEndian.AppendUint32(out, uint32(len(body)))
		at := len(out)
		out = append(append(out, kind...), body...)
		out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[at:]))
	}
	head := binary.BigEndian.AppendUint32(nil, uint32(w))
	head = binary.BigEndian.AppendUint32(head, uint32(h))
	chunk("IHDR", append(head, depth, colour, 0, 0, interlace))
	channels := map[byte]int{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
	if colour == 3 {
		chunk("PLTE", make([]byte, 6))
	}
	if transparent {
		chunk("tRNS", make([]byte, 2*channels))
	}
	var z bytes.Buffer
	to := zlib.NewWriter(&z)
	passes := [][4]int{{1, 1, 0, 0}}
	if interlace == 1 {
		passes = [][4]int{{8, 8, 0, 0}, {8, 8, 4, 0}, {4, 8, 0, 4}, {4, 4, 2, 0}, {2, 4, 0, 2}, {2, 2, 1, 0}, {1, 2, 0, 1}}
	}
	for _, p := range passes {
		columns, rows := (w-p[2]+p[0]-1)/p[0], (h-p[3]+p[1]-1)/p[1]
		for row := make([]byte, 1+(columns*channels*int(depth)+7)/8); rows > 0 && pixels; rows-- {
			must.Get(to.Write(row))(t)
		}
	}
	must.Do(t, to.Close())
	chunk("IDAT", z.Bytes())
	chunk("IEND", nil)
	return out
}

func segment(marker byte, body ...byte) []byte {
	return append([]byte{0xff, marker, byte((len(body) + 2) >> 8), byte(len(body) + 2)}, body...)
}

// jpegOf is a JPEG whose components are sampled by these factors: the frame is 0xc0 or, progressive, 0xc2. Its
// first scan, if it has pixels, has all components; then a progressive one has further scans of the first one.
func jpegOf(frame byte, w, h int, factors []byte, adobe byte, pixels bool, scans int) []byte {
	out := append([]byte{0xff, 0xd8}, segment(0xee, append([]byte("Adobe"), 0, 100, 0, 0, 0, 0, adobe)...)...)
	out = append(out, segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...)...)...)
	sof, first := []byte{8, byte(h >> 8), byte(h), byte(w >> 8), byte(w), byte(len(factors))}, []byte{byte(len(factors))}
	units, blocks := (w/8/int(factors[0]>>4)+1)*(h/8/int(factors[0]&15)+1), 0
	for i, f := range factors {
		sof, first = append(sof, byte(i+1), f, 0), append(first, byte(i+1), 0)
		blocks += units * int(f>>4) * int(f&15)
	}
	out = append(out, segment(frame, sof...)...)
	// One code of one bit in each table: no coefficients, and that no more follow in this block.
	for _, table := range []byte{0x00, 0x10} {
		out = append(out, segment(0xc4, append([]byte{table, 1}, make([]byte, 16)...)...)...)
	}
	last := byte(63)
	if frame == 0xc2 {
		last = 0
	}
	out = append(out, segment(0xda, append(first, 0, last, 0)...)...)
	if pixels {
		out = append(out, make([]byte, blocks/4+1)...)
	}
	for range scans {
		out = append(out, segment(0xda, 1, 1, 0, 1, 63, 0)...)
		if pixels {
			out = append(out, make([]byte, blocks/8+1)...)
		}
	}
	return append(out, 0xff, 0xd9)
}

// riff is a WebP file of chunks, each a kind and its bytes of an even number.
func riff(chunks ...any) []byte {
	out := []byte("RIFF\x00\x00\x00\x00WEBP")
	for i := 0; i < len(chunks); i += 2 {
		body := chunks[i+1].([]byte)
		out = append(out, chunks[i].(string)...)
		out = append(binary.LittleEndian.AppendUint32(out, uint32(len(body))), body...)
	}
	binary.LittleEndian.PutUint32(out[4:], uint32(len(out)-8))
	return out
}

func fileOf(t testing.TB, name string) []byte {
	t.Helper()
	return must.Get(os.ReadFile(name))(t)
}

// frameOf is the lossy picture of a WebP file.
func frameOf(t testing.TB) []byte {
	t.Helper()
	data := fileOf(t, "testdata/lossy.webp")
	return data[bytes.Index(data, []byte("VP8 "))+8:]
}

func canvasOf(w, h int) []byte {
	return []byte{0, 0, 0, 0, byte(w - 1), byte((w - 1) >> 8), 0, byte(h - 1), byte((h - 1) >> 8), 0}
}

// doors returns the files in testdata that tests of other packages use too.
func doors(t testing.TB) map[string][]byte {
	return map[string][]byte{
		"interlaced.png":  pngOf(t, 8000, 5000, 16, 6, 1, false, false),
		"progressive.jpg": jpegOf(0xc2, 8000, 5000, []byte{0x11, 0x11, 0x11, 0x11}, 0, false, 0),
		"scans.jpg":       jpegOf(0xc2, 8000, 5000, []byte{0x11}, 0, false, 100),
		"canvas.webp":     riff("VP8X", canvasOf(100, 100), "VP8 ", frameOf(t)),
	}
}

// hostile are further files of less than 500 kB, which took up to 3 GB or minutes, and what is said about them.
func hostile(t testing.TB) map[string]refusal {
	all := map[string]refusal{
		"a PNG of 16 bits":       {pngOf(t, 8000, 5000, 16, 6, 0, false, false), "(PNG of 16 bits, 8000 x 5000 pixels) takes"},
		"an interlaced PNG":      {pngOf(t, 8000, 5000, 8, 6, 1, false, false), "(interlaced PNG of 8 bits, 8000 x 5000 pixels) takes"},
		"a PNG in one line":      {pngOf(t, 40_000_000, 1, 16, 6, 1, false, false), "no board found"},
		"a progressive JPEG":     {jpegOf(0xc2, 8000, 5000, []byte{0x11, 0x11, 0x11}, 1, false, 0), "(progressive JPEG, 8000 x 5000 pixels) takes"},
		"3000 scans":             {jpegOf(0xc2, 8000, 5000, []byte{0x11}, 0, false, 3000), "a JPEG of 8000 x 5000 pixels with too many scans: at this size there must be at most 26"},
		"3000 scans, sequential": {jpegOf(0xc0, 8000, 5000, []byte{0x11}, 0, false, 3000), "at this size there must be at most 26"},
		"a lossless WebP":        {riff("VP8L", []byte("\x2f\xff\xc0\x3f\x00"+strings.Repeat("\x00", 9))), "lossless, transparent and animated WebP cannot be read"},
		"a lossless frame":       {riff("VP8X", canvasOf(390, 401), "VP8L", []byte("\x2f\xff\xff\xff\x0f"+strings.Repeat("\x00", 9))), "animated WebP cannot be read"},
		"transparency":           {riff("VP8X", canvasOf(390, 401), "ALPH", []byte{0, 0}, "VP8 ", frameOf(t)), "animated WebP cannot be read"},
		"a frame past its box":   {riff("VP8X", canvasOf(100, 100), "VP8 ", []byte("\x30\x01\x00\x9d\x01\x2a\xff\x3f\xff\x3f"+strings.Repeat("\x00", 30))), "its frame of 16383 x 16383 pixels is on a canvas"},
	}
	for name, want := range map[string]string{
		"interlaced.png": "(interlaced PNG of 16 bits, 8000 x 5000 pixels) takes", "progressive.jpg": "(progressive JPEG, 8000 x 5000 pixels) takes",
		"scans.jpg": "too many scans", "canvas.webp": "its frame of 390 x 401 pixels is on a canvas of 100 x 100",
	} {
		all[name] = refusal{fileOf(t, "testdata/"+name), want}
	}
	return all
}

type refusal struct {
	data []byte
	want string
}
