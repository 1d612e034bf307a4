package catalog

import (
	"fmt"
	"math"

	"afterstate/eval"
	"afterstate/search"
)

const (
	evaluatorUnit = "the evaluator's unit"
	anEvaluator   = "an evaluator: its name, lines(...) or sum(...)"

	// maxPlies is the largest search depth a spec may request.
	maxPlies      = 64
	defaultLayers = 4 // depth of minimax without a time limit
	maxFactor     = 1e100
)

func evalKey(usual string) key {
	return key{"eval", "", other(anEvaluator), usual, "", "evaluator of the positions at which the search ends"}
}

func timeKey() key {
	return key{"time", "duration", duration{}, "0", "", "time limit of a decision: the search deepens until it is reached"}
}

// searchKeys are the keys of every expectimax search.
var searchKeys = []key{
	{"plies", "plies", whole{1, maxPlies, 0}, "", "3, or no limit with time or nodes", "depth of the search: how many of the player's moves it looks ahead"},
	{"depth_by_tiles", "different tiles", whole{-maxPlies, maxPlies, 0}, "", "off", "depth that grows during a game: as many plies as there are different tiles on the board, minus this, but at least plies"},
	{"min_prob", "probability", number{0, 1}, "0", "", "do not search beyond an afterstate that is reached with a lower probability than this"},
	{"prune_margin", evaluatorUnit, number{0, maxFactor}, "0", "", "below the first move, leave out moves whose afterstates the evaluator finds worse than the best one by more than this; 0: none"},
	{"tt", "bytes", memory{search.MinTT, 64 << 30, 64 << 20}, "0", "", "size of the transposition table"},
	{"tt_lifetime", "", words{"search", "root_move", "game"}, "search", "", "how long an entry is used: in the search of one position, of one of its moves, or in the whole game"},
	{"tt_exact", "", words{"no", "yes"}, "no", "", "use only entries of the same depth that are at least as likely, so that the table changes no value (on 4x4 with min_prob: hardly any)"},
	{"soft_limit", "", words{"no", "yes"}, "no", "", "with time or nodes: do not begin a depth that would probably not be finished"},
	{"threads", "threads", whole{1, 256, 2}, "1", "", "threads that search one position together; with several, games may not repeat"},
	{"impl", "", words{"bitboard", "generic"}, "bitboard", "", "implementation on 4x4: a 64-bit word a board where the evaluator allows it, or the one for all sizes; both find the same values"},
	timeKey(),
	{"nodes", "nodes", whole{1, 1 << 40, 0}, "", "no limit", "node limit of a decision: the search deepens until it is reached; boards after a spawn and their slides count"},
	{"p4", "probability", number{0, 1}, "0.1", "", "probability of a 4 that the search assumes"},
}

// expectimaxKeys are searchKeys and the keys for evaluators other than networks.
var expectimaxKeys = append([]key{
	evalKey("weighted-snake"),
	{"leaf", "", words{"afterstate", "spawn"}, "afterstate", "", "where the evaluator is applied: to the board after the last move, or after each spawn that follows it"},
	{"prune", "", words{"none", "star1", "star2"}, "none", "", "prune chance nodes by the evaluator's bounds (Star1, Star2), which changes no value; not used with tt"},
	{"death_value", evaluatorUnit, number{math.Inf(-1), maxFactor}, "-inf", "", "value of a position without moves under a heuristic; in points it is 0"},
}, searchKeys...)

var networkKeys = append([]key{
	{"model", "", other(`the name of a training run, or "FILE"`), "", "the network that comes with the program", "network that values afterstates"},
	{"downgrade", "tile", tile{}, "", fmt.Sprintf("as the network was trained, or else %d", 1<<defaultDowngrade), "value boards with this tile or larger ones, everywhere in the tree, as boards of smaller tiles, which the network knows better; 0: value all boards as they are"},
}, searchKeys...)

var minimaxKeys = []key{
	evalKey("gradient"),
	{"depth", "layers", whole{0, 64, 0}, "", fmt.Sprintf("%d, or no limit with time", defaultLayers), "layers below the first move: spawns and moves in turn"},
	{"prune", "", words{"none", "alphabeta"}, "none", "", "alpha-beta pruning, which changes no value"},
	timeKey(),
}

// The maximum depth of foresight without a beam, for trusted and untrusted specs.
const deepestFull, deepestFullGuest = 10, 8

var foresightKeys = []key{
	evalKey("product"),
	{"depth", "plies", whole{1, 10000, 0}, "4", "", fmt.Sprintf("how many of the player's moves it looks ahead; up to %d without a beam", deepestFull)},
	{"beam", "positions", whole{0, 1 << 20, 1 << 12}, "0", "", "beam width: how many positions are kept at each depth; 0: all"},
	{"reuse_tree", "", words{"yes", "no"}, "yes", "", "keep the part of the tree below the move that was made"},
}

var execKeys = []key{
	{"cmd", "", other(`a program and its arguments such as "python3 bot.py"`), "", "must be given", "program to start; it is asked by the protocol of docs/protocol.md"},
	{"time", "duration", duration{}, "0", "", "time that the program is given for a decision"},
	{"timeout", "duration", duration{}, "", fmt.Sprintf("time + %v", defaultTimeout), "time after which a program that has not answered forfeits the game"},
	{"startup", "duration", duration{}, defaultStartup, "", "time in which the program must have answered hello"},
}

var randomRuleKeys = []key{
	{"p4", "probability", number{0, 1}, "0.1", "", "probability of a 4"},
}

// searchRuleKeys are the keys of the spawn rules adversary and friendly.
var searchRuleKeys = []key{
	evalKey("gradient"),
	{"plies", "plies", whole{1, 8, 2}, "1", "", "depth of the search for the tile: how many of the player's moves it looks ahead"},
	{"share", "probability", number{0, 1}, "1", "", "probability that the rule chooses a spawn; the others are random"},
}

// fileKey returns the key file of an evaluator.
func fileKey() key {
	return key{"file", "", other("a path in double quotes, without other keys"), "", "none", "JSON file of weights"}
}

// linesKeys returns the weights of the evaluator lines.
func linesKeys() []key {
	var keys []key
	anchor := eval.AnchorWeights()
	for _, w := range eval.LineWeightInfos() {
		keys = append(keys, key{
			name: w.Name, unit: w.Unit, value: number{-eval.MaxLineWeight, eval.MaxLineWeight},
			usual: fmt.Sprint(*anchor.Field(w.Name)), help: w.Help,
		})
	}
	return append(keys, fileKey())
}

// sumKeys returns the weights of the evaluator sum: one for every other evaluator.
func sumKeys() []key {
	var keys []key
	for _, name := range eval.Names() {
		keys = append(keys, key{name, "factor", number{-eval.MaxWeight, eval.MaxWeight}, "0", "", "weight of evaluator " + name})
	}
	return append(keys, fileKey())
}
