package bitboard_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/afterstate2048/afterstate/rules/bitboard"
)

func TestMirrorsKnown(t *testing.T) {
	b := from(t, parse(t, "0,2,4,8/16,32,64,128/256,512,1024,2048/4096,8192,16384,32768"))
	for _, c := range []struct {
		name string
		got  bitboard.Board
		want string
	}{
		{"transpose", b.Transpose(), "0,16,256,4096/2,32,512,8192/4,64,1024,16384/8,128,2048,32768"},
		{"mirror", b.Mirror(), "8,4,2,0/128,64,32,16/2048,1024,512,256/32768,16384,8192,4096"},
		{"flip", b.Flip(), "4096,8192,16384,32768/256,512,1024,2048/16,32,64,128/0,2,4,8"},
	} {
		if got := c.got.Board(); got.String() != c.want {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
	}
}

// Each symmetry is an involution, and all are distinguishable.
func TestMirrorsTurnBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBoard(t)
		full := b.Board()
		if b.Transpose().Board() != full.Transposed() || b.Flip().Board() != full.Flipped() {
			t.Fatalf("%v: transposed %v, flipped %v", full, b.Transpose().Board(), b.Flip().Board())
		}
		if b.Transpose().Transpose() != b || b.Mirror().Mirror() != b || b.Flip().Flip() != b {
			t.Fatalf("%v: a mirror does not turn back", full)
		}
		if b.Transpose().Flip().Transpose() != b.Mirror() || b.Mirror().Flip() != b.Flip().Mirror() {
			t.Fatalf("%v: mirrored %v, flipped %v", full, b.Mirror().Board(), b.Flip().Board())
		}
	})
}

func TestSymmetries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBoard(t)
		full := b.Board()
		var want []bitboard.Board
		for _, image := range full.Symmetries() {
			want = append(want, from(t, image))
		}
		images := b.Symmetries()
		if !slices.Equal(images[:], want) {
			t.Fatalf("%v: images %x, want %x", full, images, want)
		}
		for _, image := range images {
			if image.Canonical() != slices.Min(want) {
				t.Fatalf("%v: canonical %v, want %v", image.Board(), image.Canonical().Board(), slices.Min(want).Board())
			}
			checkCounts(t, image, image.Board())
			if image.Empty() != b.Empty() || image.Sum() != b.Sum() || image.Exponents() != b.Exponents() || image.Terminal() != b.Terminal() {
				t.Fatalf("%v and its image %v tell different things", full, image.Board())
			}
		}
	})
}
