// Package env provides 2048 as an environment for reinforcement learning: a batch of games that are
// stepped together ([Vector]).
//
// A Vector writes into the caller's buffers, skipping nil ones, and resets finished games according
// to [Autoreset]:
//
//	v, err := env.NewVector(4096, env.Options{})
//	out := env.Buffers{Rewards: make([]float64, v.Len()), Terminated: make([]bool, v.Len())}
//	v.Step(actions, &out)
//
// # Games
//
// Game i of a seed has the same spawns as in package game: the same moves give the same boards and
// scores. In a Vector of n, environment i plays games i, i+n, i+2n and so on of the seed. So no two
// environments play the same game, and vectors of different seeds share no game. Boards are exact
// for every size and tile. A 4x4 board is packed into one word until a move could make a 65536;
// package board then takes over.
//
// # Steps
//
// A legal move slides the tiles and is followed by a spawn. Its reward is [Options.Reward] of the
// sum of the merged tiles. An illegal move changes no tile; [Illegal] defines its other effects. An
// episode is terminated when no move is legal and truncated after [Options.MaxSteps] steps; both
// can be true. After its episode has ended, an environment does not change until its next episode
// starts.
//
// A Vector is not safe for concurrent use. Step does not allocate.
package env
