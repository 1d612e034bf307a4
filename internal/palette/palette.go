// Package palette holds the colours of tiles, shared by the terminal, pictures and the page.
// Terminals with 256 or 16 colours have approximations in tui/theme.go; the page's icon is
// serve/ui/static/favicon.svg.
//
//	fill, ink := palette.Tile(11) // "#756bdb", "#ffffff": a 2048 and its number
//
// Every tile from 2 to 262144 has its own colour. From tile to tile, lightness falls evenly and the
// hue runs once from sand through red, violet and blue to green, both in OKLCH. Because
// neighbouring tiles also differ in lightness, colour-blind viewers can distinguish them. Numbers
// have a contrast of at least 4 to 1.
package palette

// Colours of empty cells and of the grid between cells, on a light and on a dark background.
const (
	EmptyLight, GridLight = "#e6e2d8", "#cfc9bb"
	EmptyDark, GridDark   = "#2a2e37", "#3b414d"
)

const dark, light = "#20242c", "#ffffff"

var tiles = [...]string{
	"#f3edd7", "#f8ddb5", "#fdcaa0", "#fdb89b", "#fea399", "#ff8ca0", // 2 to 64
	"#f578b2", "#db72c5", "#bd6ed3", "#9b6cda", "#756bdb", "#496bd3", // 128 to 4096
	"#006ac3", "#0069ac", "#00678f", "#00626d", "#005a49", "#005021", // 8192 to 262144
}

// firstLight is the exponent of the smallest tile with a light number.
const firstLight = 11

// Tile returns the colours of a tile and of its number, as #rrggbb. Tiles above 262144 have the
// colours of 262144; an empty cell has two empty strings.
func Tile(exponent uint8) (fill, ink string) {
	if exponent == 0 {
		return "", ""
	}
	ink = dark
	if exponent >= firstLight {
		ink = light
	}
	return tiles[min(int(exponent), len(tiles))-1], ink
}
