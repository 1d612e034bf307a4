package catalog

// kinds lists the names that are not presets. It is a function because building a preset looks up
// names recursively.
func kinds() []kind {
	return []kind{
		{"auto", "auto", nil, "", "the best player for the board", buildAuto},
		{"foresight", "foresight(eval=product,depth=4,beam=0)", foresightKeys, "2048 AI", "searches the tree of moves through the tiles that will really come: it knows the future", buildForesight},
		{"minimax", "minimax(eval=gradient,depth=4)", minimaxKeys, "a minimax and alpha-beta program", "fears the worst spawn; depth counts layers below the first move", buildMinimax},
		{"expectimax", "expectimax(eval=weighted-snake,plies=3)", expectimaxKeys, "", "averages over the spawns, with any evaluator", buildExpectimax},
		{"ntuple", "ntuple(plies=3)", networkKeys, "", `expectimax with a learned network: the one that comes with the program, or model=RUN, or model="FILE"`, buildNetwork},
		{"greedy", "greedy", nil, "", "takes the largest immediate reward", buildGreedy},
		{"exec", "exec", execKeys, "", `a program of yours, in any language: exec(cmd="python3 bot.py"); see docs/protocol.md`, buildExec},
		{"random", "random", nil, "", "plays any legal move", buildRandom},
	}
}
