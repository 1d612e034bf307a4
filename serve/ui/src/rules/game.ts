// A game in progress, with undo and redo.
import { type Board, type Dir, dirs, type GameState, type Step } from '../types'
import { begin, beginFrom, over, type Position, playMove, seeded, shareOf } from './rules'

/** An Opening and the moves together determine a game. */
interface Opening {
  size: string
  spawn: string
  seed: number
  start?: Board | undefined // the start board; absent: two new tiles
  keep?: boolean // the game does not stop at the winning tile
}

export class Game {
  /** state is the visible state of the game. */
  state: GameState
  private readonly share: number
  // the position before each move, including undone moves, and the last position
  private readonly past: Position[]
  private readonly made: number[] = [] // indices into dirs, including undone moves
  private at = 0
  private keep: boolean

  /** The constructor throws an Error if the spawn rule is not random, if a move is not legal, or if more
      moves are undone than given. */
  constructor(o: Opening, moves: readonly number[] = [], undone = 0) {
    const share = shareOf(o.spawn)
    if (share === null) throw new Error(`the tiles of ${o.spawn} are not random`)
    this.share = share
    this.keep = true
    this.past = [o.start ? beginFrom(o.start, seeded(o.seed)) : begin(o.size, seeded(o.seed), share)]
    for (const [i, m] of moves.entries())
      if (!this.play(dirs[m] ?? 'up')) throw new Error(`move ${i + 1} is not legal`)
    // a move after the win shows that the player continued
    this.keep = o.keep || (this.past.at(-2)?.won ?? false)
    this.at -= undone
    if (this.at < 0) throw new Error(`${undone} of ${moves.length} moves are undone`)
    this.state = this.show(null)
  }

  /** moves returns the moves as indices into dirs, including undone ones. */
  get moves(): readonly number[] {
    return this.made
  }

  /** boards returns the board before each move, and the last one. */
  boards(): Board[] {
    return this.past.slice(0, this.at + 1).map((p) => p.board)
  }

  private get now(): Position {
    return this.past[this.at] as Position
  }

  private show(step: Step | null): GameState {
    const { board, score, won } = this.now
    return {
      board,
      score,
      moves: this.at,
      undone: this.made.length - this.at,
      over: over(board),
      won,
      paused_on_win: won && !this.keep,
      step,
    }
  }

  private play(move: Dir): Step | null {
    const played = this.now.won && !this.keep ? null : playMove(this.now, move, this.share)
    if (!played) return null
    this.made.length = this.at
    this.past.length = ++this.at
    this.made.push(dirs.indexOf(move))
    this.past.push(played.position)
    return played.step
  }

  /** move makes a move, and reports whether it changed anything. */
  move(move: Dir): boolean {
    const step = this.play(move)
    if (step) this.state = this.show(step)
    return step !== null
  }

  /** undo takes the last move back, and reports whether there was one. */
  undo(): boolean {
    if (this.at === 0) return false
    this.at--
    this.state = this.show(null)
    return true
  }

  /** redo makes an undone move again, and reports whether there was one. */
  redo(): boolean {
    const played =
      this.at < this.made.length && playMove(this.now, dirs[this.made[this.at] ?? 0] ?? 'up', this.share)
    if (!played) return false
    this.at++
    this.state = this.show(played.step)
    return true
  }

  keepPlaying() {
    this.keep = true
    this.state = this.show(null)
  }
}
