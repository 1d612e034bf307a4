package qrcode

import (
	"image"
	"image/color"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/makiuchi-d/gozxing"
	zxing "github.com/makiuchi-d/gozxing/qrcode"

	"github.com/afterstate2048/afterstate/internal/must"
)

// photograph returns a picture of the printed lines, with a square of 4 pixels for each module. It requires the
// colours to be set on every line and nothing else to be there.
func photograph(t *testing.T, lines []string, width int) *image.Gray {
	t.Helper()
	const scale = 4
	shot := image.NewGray(image.Rect(0, 0, scale*width, 2*scale*len(lines)))
	for y, line := range lines {
		text, ok := strings.CutPrefix(line, "\x1b[38;5;16;48;5;231m")
		text, closed := strings.CutSuffix(text, "\x1b[0m")
		if !ok || !closed || utf8.RuneCountInString(text) != width {
			t.Fatalf("line %d: %q", y, line)
		}
		for x, r := range []rune(text) {
			at := strings.IndexRune(" ▀▄█", r)
			halves := map[rune][2]uint8{' ': {255, 255}, '▀': {0, 255}, '▄': {255, 0}, '█': {0, 0}}[r]
			if at < 0 {
				t.Fatalf("line %d: %q", y, r)
			}
			for dy := range 2 * scale {
				for dx := range scale {
					shot.SetGray(scale*x+dx, 2*scale*y+dy, color.Gray{Y: halves[dy/scale]})
				}
			}
		}
	}
	return shot
}

// Another program's decoder reads the printed codes, for all lengths of addresses.
func TestDraw(t *testing.T) {
	for _, text := range []string{
		"http://192.168.178.20:2048/?token=abcdefghijklmnop",
		"http://10.0.0.2:80/",
		"http://[2001:db8:1234:5678:9abc:def0:1234:5678]:20480/?token=0123456789abcdef",
		"http://192.0.2.1:2048/?token=" + strings.Repeat("~Az9-", 25),
	} {
		lines, width, err := Draw(text)
		if err != nil {
			t.Fatal(err)
		}
		shot := photograph(t, lines, width)
		bits := must.Get(gozxing.NewBinaryBitmapFromImage(shot))(t)
		got, err := zxing.NewQRCodeReader().Decode(bits, nil)
		if err != nil || got.GetText() != text {
			t.Errorf("%s reads as %v, %v", text, got, err)
		}
		for i := range 4 * margin { // white all around
			if shot.GrayAt(i, 4*width/2).Y == 0 || shot.GrayAt(4*width-1-i, 4*width/2).Y == 0 || shot.GrayAt(4*width/2, i).Y == 0 {
				t.Fatalf("%s: the margin is not white", text)
			}
		}
	}
}

// A typical address fits a window of 80x24 with three lines of text.
func TestDrawFits(t *testing.T) {
	lines, width, err := Draw("http://192.168.178.20:2048/?token=abcdefghijklmnop")
	if err != nil || width > 80 || len(lines) > 21 {
		t.Errorf("%dx%d, %v", width, len(lines), err)
	}
	if _, _, err := Draw(strings.Repeat("x", 5000)); err == nil {
		t.Error("a text that is too long gets a code")
	}
}
