package catalog

// kinds lists the names that are not presets. It is a function because building a preset looks up
// names recursively.
func kinds() []kind {
	return []kind{
		{"auto", "auto", nil, "", "strong and fast: perfect on 2x2 and 2x3, and on 2x4 and 3x3 once they are solved; champion on 4x4, the embedded networks on 3x4, 3x5, their turns and 5x5, otherwise expert; for games that are watched", buildAuto("champion")},
		{"best", "best", nil, "", "strongest: as auto, but with master on 4x4, which takes longer; for single answers", buildAuto("master")},
		{"foresight", "foresight(eval=product,depth=4,beam=0)", foresightKeys, "2048 AI", "knows the coming tiles: searches with knowledge of the actual coming spawns, so it is not comparable with other players", buildForesight},
		{"minimax", "minimax(eval=gradient,depth=4)", minimaxKeys, "a minimax and alpha-beta program", "expects the worst tiles: assumes the worst spawn; depth counts layers (spawns and moves) below the root's move", buildMinimax},
		{"expectimax", "expectimax(eval=weighted-snake,plies=3)", expectimaxKeys, "", "looks ahead: maximizes over moves and averages over spawns, with any evaluator", buildExpectimax},
		{"ntuple", "ntuple(plies=3)", networkKeys, "", `a network: expectimax with the embedded one, or model=RUN, or model="FILE"`, buildNetwork},
		{"perfect", "perfect", perfectKeys, "", "perfect on small boards: looks up exact values of 2x2 and 2x3, and after afterstate solve SIZE 2x4 and 3x3", buildPerfect},
		{"greedy", "greedy", nil, "", "most points now: maximizes the immediate reward", buildGreedy},
		{"exec", "exec", execKeys, "", `your own program: in any language, as in exec(cmd="python3 bot.py"); see docs/protocol.md`, buildExec},
		{"remote", "remote", remoteKeys, "", `your own running program: here or on another machine, as in remote(url="ws://host:8080/bot"); see docs/protocol.md`, buildRemote},
		{"random", "random", nil, "", "random moves: plays a uniformly random legal move", buildRandom},
	}
}
