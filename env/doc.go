// Package env is the game as an environment for reinforcement learning: one game
// ([Env]), or a batch of them that moves together ([Vector]).
//
//	e, err := env.New(env.Options{})     // 4x4, the first game of seed 0
//	out := e.Step(board.Left)            // slides, rewards, spawns
//	if out.Terminated || out.Truncated {
//		e.Next()                     // the next game of the same seed
//	}
//
// A Vector writes into buffers of the caller's, of which nil ones are left out, and
// begins games anew by itself, the way [Autoreset] says:
//
//	v, err := env.NewVector(4096, env.Options{})
//	out := env.Buffers{Rewards: make([]float64, v.Len()), Terminated: make([]bool, v.Len())}
//	v.Step(actions, &out)
//
// # The games
//
// Game i of a seed has the tiles of package game with that seed and index: moves that
// are made in both give the same boards and scores. An environment plays game 0 of
// its seed, then game 1 and so on; in a Vector environment i begins with the seed of
// the options + i. Boards are exact for every size and tile. On 4x4 they stand in one
// word as long as that is exact, which is until a 65536 can be made; then package
// board does the work.
//
// # Steps
//
// A legal move slides, is rewarded with what [Options.Reward] makes of the sum of the
// merged tiles, and is followed by a spawn. An illegal one changes no tile; [Illegal]
// says what else it does. An episode is terminated when no move is legal and truncated
// after [Options.MaxSteps] steps, both at once where both hold. An environment whose
// episode has ended stands still until another one begins.
//
// Neither type is for several goroutines at once. Step allocates nothing.
package env
