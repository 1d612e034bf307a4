package tui

import "image/color"

// font holds the digits 0 to 9 as five rows of three pixels, with the upper left pixel in the
// highest of fifteen bits. A character shows two pixels, one above the other.
var font = [10]uint16{
	0b111_101_101_101_111, 0b010_110_010_010_111, 0b111_001_111_100_111, 0b111_001_111_001_111, 0b101_101_111_001_001,
	0b111_100_111_001_111, 0b111_100_111_101_111, 0b111_001_001_010_010, 0b111_101_111_101_111, 0b111_101_111_001_111,
}

const (
	digitWide, digitHigh = 3, 5 // pixels
	bigFrom              = 13   // lines of a tile from which its number is drawn with pixels
)

// bigWidth returns the width of a number drawn with pixels.
func bigWidth(text string) int { return (digitWide+1)*len(text) - 1 }

// big draws a number of digits; y counts half characters.
func (c canvas) big(x, y int, paint color.Color, text string) {
	for _, digit := range text {
		for i := range digitWide * digitHigh {
			if font[digit-'0']>>(digitWide*digitHigh-1-i)&1 == 1 {
				c.fill(x+i%digitWide, y+i/digitWide, 1, 1, paint)
			}
		}
		x += digitWide + 1
	}
}
