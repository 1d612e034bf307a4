package game

// Undo undoes the last move and restores the spawner's state. The same move then spawns the same tile again. Undo also
// works after a win and after the end of the game. It returns false at the start of the game.
func (g *Game) Undo() bool {
	if g.at == 0 {
		return false
	}
	to := g.at - 1
	g.at, g.present = to/block*block, g.marks[to/block]
	for g.at < to {
		g.forward()
	}
	g.spawner.Restore(g.present.spawn)
	return true
}

// Redo repeats the last undone move. It returns false when no undone move is left.
func (g *Game) Redo() bool {
	if g.at == len(g.steps) {
		return false
	}
	g.forward()
	return true
}

// forward redoes a move.
func (g *Game) forward() {
	from, step := &g.present, g.steps[g.at].unpack()
	after, reward, _ := from.board.Slide(step.Move)
	next := from.after(after, reward, step.Spawn)
	g.spawner.Restore(from.spawn)
	g.spawner.Skip()
	next.spawn = g.spawner.State()
	g.at++
	g.present = next
}
