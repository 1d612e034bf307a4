package cli_test

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/internal/must"
)

const pictured = "16,4,64,32/0,0,32,4/2,64,4,65536/4,32,4,16"

// spoiled is the picture with one number painted over.
func spoiled(t *testing.T, data []byte) []byte {
	t.Helper()
	m := must.Get(png.Decode(bytes.NewReader(data)))(t)
	c := image.NewRGBA(m.Bounds())
	draw.Draw(c, c.Rect, m, m.Bounds().Min, draw.Src)
	// The first cell begins at about (41, 55); a stroke goes through its number.
	draw.Draw(c, image.Rect(50, 72, 100, 90), image.NewUniform(color.Black), image.Point{}, draw.Src)
	var out bytes.Buffer
	must.Do(t, png.Encode(&out, c))
	return out.Bytes()
}

// best --image shows the board that it read and advises; with doubtful cells only when accepted.
func TestBestImage(t *testing.T) {
	data := must.Get(os.ReadFile("../exchange/picture/testdata/board.png"))(t)
	dir := t.TempDir()
	file, doubtful, text := filepath.Join(dir, "board.png"), filepath.Join(dir, "doubtful.png"), filepath.Join(dir, "board.txt")
	for name, content := range map[string][]byte{file: data, doubtful: spoiled(t, data), text: []byte(pictured)} {
		must.Do(t, os.WriteFile(name, content, 0o644))
	}
	for _, x := range []struct {
		args   string
		in     io.Reader
		status int
		out    []string // all of them in stdout
		err    []string // all of them in stderr; none: it is empty
	}{
		{"--image " + file, nil, 0, []string{"   16     4    64    32\n     .     .    32     4\n", "read from " + file + ": " + pictured, "best: "}, nil},
		{"--image -", bytes.NewReader(data), 0, []string{pictured, "best: "}, nil},
		{"--json --image " + file, nil, 0, []string{`{"board":[[16,4,64,32],[0,0,32,4],[2,64,4,65536],[4,32,4,16]],`}, nil},
		{"--image " + doubtful, nil, 2, []string{"?     4     64     32\n"}, []string{"the cell in row 1, column 1 is doubtful", "Correct the board in this command and run it: afterstate best ", ",4,64,32/0,0,32,4/", "--accept"}},
		{"--json --image " + doubtful, nil, 2, nil, []string{"?     4     64     32\n", "is doubtful"}},
		{"--accept --image " + doubtful, nil, 0, []string{"?     4     64     32\n", "best: "}, nil},
		{"--image " + text, nil, 2, nil, []string{text + ": not a picture that can be read: must be a PNG, JPEG or WebP file"}},
		{"--image ../exchange/picture/testdata/interlaced.png", nil, 2, nil, []string{"interlaced.png: decoding the picture (interlaced PNG of 16 bits, 8000 x 5000 pixels) takes"}},
		{"--image ../exchange/picture/testdata/scans.jpg", nil, 2, nil, []string{"scans.jpg: the picture is a JPEG of 8000 x 5000 pixels with too many scans: must be at most 26 of this size"}},
		{"--image ../exchange/picture/testdata/canvas.webp", nil, 2, nil, []string{"canvas.webp: the webp file is damaged: its frame of 390 x 401 pixels is on a canvas of 100 x 100"}},
		{"--image " + filepath.Join(dir, "none.png"), nil, 2, nil, []string{"none.png cannot be read"}},
		{"--image " + dir, nil, 2, nil, []string{"is a folder: must be a file"}},
		{"--image " + file + " " + pictured, nil, 2, nil, []string{"both --image and a board are given"}},
		{"--accept " + pictured, nil, 2, nil, []string{"--accept goes with --image"}},
	} {
		if x.in == nil {
			x.in = strings.NewReader("")
		}
		args := append([]string{"best", "-p", "greedy"}, strings.Fields(x.args)...)
		status, out, errOut := clitest.Run(t.Context(), x.in, args...)
		if status != x.status || (out == "") != (len(x.out) == 0) || (errOut == "") != (len(x.err) == 0) {
			t.Errorf("best %s: status %d\n%s\n%s", x.args, status, out, errOut)
		}
		for _, want := range x.out {
			if !strings.Contains(out, want) {
				t.Errorf("best %s prints\n%s\nwant %q", x.args, out, want)
			}
		}
		for _, want := range x.err {
			if !strings.Contains(errOut, want) {
				t.Errorf("best %s complains\n%s\nwant %q", x.args, errOut, want)
			}
		}
	}
}
