package catalog

import "afterstate/wire"

// kinds lists the names that are no presets. It is a function because building
// a preset looks names up again.
func kinds() []kind {
	return []kind{
		{wire.PlayerInfo{Name: "auto", Spec: "auto", Summary: "the best deterministic player there is for the board's size: on 4x4 the network that comes with the program, or expert where there is none; elsewhere expert with fewer nodes"}, buildAuto},
		{wire.PlayerInfo{Name: "foresight", Spec: "foresight(eval=product,depth=4,beam=0)", Keys: foresightKeys, Origin: "S0",
			Summary: "searches the tree of moves through the tiles that will really come: it knows the future"}, buildForesight},
		{wire.PlayerInfo{Name: "minimax", Spec: "minimax(eval=gradient,depth=4)", Keys: minimaxKeys, Origin: "S3",
			Summary: "fears the worst spawn; depth counts layers below the first move"}, buildMinimax},
		{wire.PlayerInfo{Name: "expectimax", Spec: "expectimax(eval=weighted-snake,plies=3)", Keys: expectimaxKeys,
			Summary: "averages over the spawns, with any evaluator"}, buildExpectimax},
		{wire.PlayerInfo{Name: "ntuple", Spec: "ntuple(plies=3)", Keys: networkKeys,
			Summary: `expectimax with a learned network: the one that comes with the program, or model=RUN, or model="FILE"`}, buildNetwork},
		{wire.PlayerInfo{Name: "greedy", Spec: "greedy", Summary: "takes the largest immediate reward"}, buildGreedy},
		{wire.PlayerInfo{Name: "exec", Spec: "exec", Keys: execKeys,
			Summary: `a program of yours, in any language: exec(cmd="python3 bot.py"); see docs/protocol.md`}, buildExec},
		{wire.PlayerInfo{Name: "random", Spec: "random", Summary: "plays any legal move"}, buildRandom},
	}
}
