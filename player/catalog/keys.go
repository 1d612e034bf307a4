package catalog

import (
	"fmt"
	"math"
	"time"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/eval/endings"
	"github.com/afterstate2048/afterstate/search"
)

const (
	evaluatorUnit = "the evaluator's unit"
	anEvaluator   = "an evaluator: its name, lines(...) or sum(...)"

	// maxPlies is the largest search depth a spec may request.
	maxPlies      = 64
	defaultLayers = 4 // depth of minimax without a time limit
	maxFactor     = 1e100

	defaultTimeout = 10 * time.Second // of a program, added to time when no timeout is given
	defaultStartup = "30s"

	implBitboard = 0  // the number of this word of the key impl
	maxName      = 60 // bytes of the key name
)

func evalKey(defaultValue string) key {
	return key{"eval", "", "", other(anEvaluator), defaultValue, "", "evaluator of the leaves of the search"}
}

func timeKey() key {
	return key{"time", "Time", "duration", duration{}, "0", "", "time limit of a decision: the search deepens until it is reached"}
}

// searchKeys are the keys of every expectimax search.
var searchKeys = []key{
	{"plies", "Plies", "plies", whole{1, maxPlies, 0}, "", "3, or no limit with time or nodes", "depth of the search: number of the player's moves"},
	{"depth_by_tiles", "DepthByTiles", "different tiles", whole{-maxPlies, maxPlies, 0}, "", "off", "number of different tiles on the board minus this is the depth, but at least plies; the depth grows during a game"},
	{"min_prob", "MinProb", "probability", number{0, 1}, "0", "", "evaluate, do not search, afterstates that are reached with a lower probability than this"},
	{"prune_margin", "PruneMargin", evaluatorUnit, number{0, maxFactor}, "0", "", "below the root, skip moves whose static value is below the best one by more than this; 0: off"},
	{"tt", "TT", "bytes", memory{search.MinTT, 64 << 30, 64 << 20}, "0", "", "size of the transposition table"},
	{"tt_lifetime", "TTLifetime", "", words{"search", "root_move", "game"}, "search", "", "lifetime of entries: one search, one root move of a search, or the whole game"},
	{"tt_exact", "TTExact", "", words{"no", "yes"}, "no", "", "use only entries of the same depth whose line was at least as likely: the table then changes no value (on 4x4 with min_prob: very few)"},
	{"soft_limit", "SoftLimit", "", words{"no", "yes"}, "no", "", "with time or nodes: do not start a depth that would probably not be finished"},
	{"clear_margin", "ClearMargin", evaluatorUnit, number{0, maxFactor}, "0", "", "with time or nodes: do not search deeper than 4 plies when the best move's value is above all others by more than this; 0: off"},
	{"threads", "Threads", "threads", whole{1, 256, 2}, "1", "", "threads that share the search of one position; with several, games are not reproducible"},
	{"impl", "", "", words{"bitboard", "generic"}, "bitboard", "", "implementation on 4x4: 64-bit boards, if the evaluator allows it, or the one for all sizes; both return the same values"},
	timeKey(),
	{"nodes", "Nodes", "nodes", whole{1, 1 << 40, 0}, "", "no limit", "node limit of a decision: the search deepens until it is reached; boards after a spawn and their slides count"},
	{"p4", "P4", "probability", number{0, 1}, "0.1", "", "probability of a 4 that the search assumes"},
}

// expectimaxKeys are searchKeys and the keys for evaluators other than networks.
var expectimaxKeys = append([]key{
	evalKey("weighted-snake"),
	{"leaf", "Leaf", "", words{"afterstate", "spawn"}, "afterstate", "", "where the evaluator is applied: to the board after the last move, or after each spawn that follows it"},
	{"prune", "Prune", "", words{"none", "star1", "star2"}, "none", "", "pruning of chance nodes by the evaluator's bounds, which changes no value; not used with tt"},
	{"death_value", "DeathValue", evaluatorUnit, number{math.Inf(-1), maxFactor}, "-inf", "", "value of a board without a legal move, for heuristic evaluators; for points it is 0"},
}, searchKeys...)

var networkKeys = append([]key{
	{"model", "", "", other(`the name of a training run, or "FILE"`), "", "the embedded network", "network that evaluates afterstates"},
	{"endings", "", "", other(`the name of a training run of endings, or "FILE", or none`), "", "the embedded ending network; none with model", "network that decides in endings, by the chance to make the 32768"},
	{"endings_walls", "", "walls", whole{1, endings.MaxWalls, 0}, "4", "", "number of walls from which on endings decides: 4 are 16384, 8192, 4096 and 2048"},
	{"endings_margin", "", "points", number{0, maxFactor}, "5000", "", "prune_margin in endings, where the tile 32768 counts 240,000 points"},
	{"downgrade", "", "tile", tile{}, "", fmt.Sprintf("as the network was trained, or else %d", 1<<defaultDowngrade), "tile downgrading: boards with this tile or a larger one are evaluated as boards with smaller tiles; 0: off"},
}, searchKeys...)

var perfectKeys = []key{
	{"goal", "", "tile", tile{}, "0", "", "maximize the chance to make this tile; 0: the expected score"},
	{"p4", "", "probability", number{0, 1}, "0.1", "", "probability of a 4 for which the size was solved"},
}

var minimaxKeys = []key{
	evalKey("gradient"),
	{"depth", "Layers", "layers", whole{0, 64, 0}, "", fmt.Sprintf("%d, or no limit with time", defaultLayers), "layers below the first move: spawns and moves in turn"},
	{"prune", "AlphaBeta", "", words{"none", "alphabeta"}, "none", "", "alpha-beta pruning, which changes no value"},
	timeKey(),
}

// The maximum depth of foresight without a beam, for trusted and untrusted specs.
const deepestFull, deepestFullGuest = 10, 8

var foresightKeys = []key{
	evalKey("product"),
	{"depth", "Depth", "plies", whole{1, 10000, 0}, "4", "", fmt.Sprintf("number of the player's moves; up to %d without a beam", deepestFull)},
	{"beam", "Beam", "positions", whole{0, 1 << 20, 1 << 12}, "0", "", "beam width: positions kept at each depth; 0: all"},
	{"reuse_tree", "Rebuild", "", words{"yes", "no"}, "yes", "", "reuse the subtree of the move that was made"},
}

var execKeys = append([]key{
	{"cmd", "", "", other(`a program and its arguments such as "python3 bot.py"`), "", "required", "program to start, which answers the protocol of docs/protocol.md"},
}, botKeys...)

var remoteKeys = append([]key{
	{"url", "", "", other(`a URL with ws, wss, http or https, such as "ws://host:8080/bot"`), "", "required", "address of a program that runs already and answers the protocol of docs/protocol.md"},
	{"ca", "", "", other(`a path in double quotes of a PEM file`), "", "the system's", "certificates of the authorities that may sign the server's certificate, for wss and https"},
}, botKeys...)

// botKeys are the keys of every external program.
var botKeys = []key{
	{"name", "", "", other(fmt.Sprintf("a name of at most %d bytes, in double quotes if it is not one word", maxName)), "", "the name in its answer to hello", "name in reports"},
	{"time", "Time", "duration", duration{}, "0", "", "time limit of a decision, sent to the program as time_ms"},
	{"timeout", "Timeout", "duration", duration{}, "", fmt.Sprintf("time + %v", defaultTimeout), "time after which a program that has not answered forfeits the game"},
	{"startup", "Startup", "duration", duration{}, defaultStartup, "", "time limit for the response to hello"},
}

var randomRuleKeys = []key{
	{"p4", "", "probability", number{0, 1}, "0.1", "", "probability of a 4"},
}

// searchRuleKeys are the keys of the spawn rules adversary and friendly.
var searchRuleKeys = []key{
	evalKey("gradient"),
	{"plies", "Plies", "plies", whole{1, 8, 2}, "1", "", "depth of the search for the tile: number of the player's moves"},
	{"share", "", "probability", number{0, 1}, "1", "", "probability that the rule chooses a spawn; the others are random"},
}

// fileKey returns the key file of an evaluator.
func fileKey() key {
	return key{"file", "", "", other("a path in double quotes, without other keys"), "", "none", "JSON file of weights"}
}

// linesKeys returns the weights of the evaluator lines.
func linesKeys() []key {
	var keys []key
	anchor := eval.NneonneoWeights()
	for _, w := range eval.LineWeightInfos() {
		keys = append(keys, key{
			name: w.Name, unit: w.Unit, value: number{-eval.MaxLineWeight, eval.MaxLineWeight},
			defaultValue: fmt.Sprint(*anchor.Field(w.Name)), help: w.Help,
		})
	}
	return append(keys, fileKey())
}

// sumKeys returns the weights of the evaluator sum: one for every other evaluator.
func sumKeys() []key {
	var keys []key
	for _, name := range eval.Names() {
		keys = append(keys, key{name, "", "factor", number{-eval.MaxWeight, eval.MaxWeight}, "0", "", "weight of evaluator " + name})
	}
	return append(keys, fileKey())
}
