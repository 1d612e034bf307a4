package eval

import "fmt"

// Info describes an evaluator that New can create.
type Info struct {
	Name    string
	Formula string
	Origin  string
	make    func() Evaluator
}

var infos = []Info{
	{"product", "score x largest tile x empty cells", "2048 AI", plain(product)},
	{"snake", "sum of v x weight; weights 2^n..2^1 along a snake (rows in alternating direction) from the top left", "Borotalcohol/2048-Bot", newSnake},
	{"snake-empty", "0.9 x (sum of v x weight) / 100 + 0.1 x empty cells; weights 2^(n-1)..2^0 along a snake from the bottom left", "Duncan Greene's player for COMS 4701", newSnakeEmpty},
	{"gradient", "best of four corners of the sum of v x ((R+C-2)/2 - steps from the corner)", "a minimax and alpha-beta program", newGradient},
	{"weighted-snake", "sum of v x weight + 2^12 x empty cells; weights 2^(n-1)..2^0 along a snake from the top left", "an expectimax program that stops at a tile", newWeightedSnake},
	{"lines", "sum over rows and columns of weighted terms: empty cells, merges, order, small tiles, borders; lines(empty=270,...) sets weights", "nneonneo/2048-ai", func() Evaluator { return NewLines(NneonneoWeights()) }},
	{"expert", "lines with weights optimized by afterstate tune (CMA-ES)", "", func() Evaluator { return NewLines(ExpertWeights()) }},
	{"smoothness", "minus the sum of |k - k'| over neighbouring tiles", "proposed in 2048 AI and Borotalcohol/2048-Bot", plain(smoothness)},
	{"edges", "sum of v x 10 on the border, v x 5 inside", "proposed in 2048 AI", newEdges},
	{"adjacency", "sum of v x v' over neighbouring tiles", "proposed in 2048 AI", plain(adjacency)},
	{"duplicates", "minus the number of tiles that repeat another one's value", "proposed in 2048 AI", plain(duplicates)},
	{"empty", "number of empty cells", "tried in Borotalcohol/2048-Bot", plain(empty)},
	{"largest", "the largest tile", "tried in Borotalcohol/2048-Bot", plain(largest)},
	{"monotonicity", "minus, for each row and column, the smaller of all rises and all falls of k along its tiles", "", plain(monotonicity)},
}

func plain(t term) func() Evaluator { return func() Evaluator { return t } }

// Unit returns the unit of the evaluator's values.
func (i *Info) Unit() Unit { return i.make().Unit() }

// Infos lists all evaluators. The slice is shared and must not be changed.
func Infos() []Info { return infos }

// Names lists the names of all evaluators.
func Names() []string {
	names := make([]string, len(infos))
	for i, info := range infos {
		names[i] = info.Name
	}
	return names
}

// New returns a new evaluator; an unknown name is an error.
func New(name string) (Evaluator, error) {
	for _, info := range infos {
		if info.Name == name {
			return info.make(), nil
		}
	}
	return nil, fmt.Errorf("no evaluator is called %q", name)
}
