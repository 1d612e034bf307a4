package catalog

// kinds lists the names that are not presets. It is a function because building a preset looks up
// names recursively.
func kinds() []kind {
	return []kind{
		{"auto", "auto", nil, "", "perfect on 2x2 and 2x3, and on 2x4 and 3x3 once they are solved; champion on 4x4, the embedded networks on 3x4, 3x5, their turns and 5x5, otherwise expert; for games that are watched", buildAuto("champion")},
		{"best", "best", nil, "", "as auto, but master on 4x4; for single answers", buildAuto("master")},
		{"foresight", "foresight(eval=product,depth=4,beam=0)", foresightKeys, "2048 AI", "searches with knowledge of the actual coming spawns, so it is not comparable with other players", buildForesight},
		{"minimax", "minimax(eval=gradient,depth=4)", minimaxKeys, "a minimax and alpha-beta program", "assumes the worst spawn; depth counts layers (spawns and moves) below the root's move", buildMinimax},
		{"expectimax", "expectimax(eval=weighted-snake,plies=3)", expectimaxKeys, "", "maximizes over moves and averages over spawns, with any evaluator", buildExpectimax},
		{"ntuple", "ntuple(plies=3)", networkKeys, "", `expectimax with a network: the embedded one, or model=RUN, or model="FILE"`, buildNetwork},
		{"perfect", "perfect", perfectKeys, "", "looks up exact values: 2x2 and 2x3, and after afterstate solve SIZE 2x4 and 3x3", buildPerfect},
		{"greedy", "greedy", nil, "", "maximizes the immediate reward", buildGreedy},
		{"exec", "exec", execKeys, "", `your own program in any language: exec(cmd="python3 bot.py"); see docs/protocol.md`, buildExec},
		{"remote", "remote", remoteKeys, "", `your own program, running already, here or on another machine: remote(url="ws://host:8080/bot"); see docs/protocol.md`, buildRemote},
		{"random", "random", nil, "", "plays a uniformly random legal move", buildRandom},
	}
}
