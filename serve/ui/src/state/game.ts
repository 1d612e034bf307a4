// The game that a person plays in Play, and separate games, such as those of duels. The page makes the moves
// itself; it stores the seed and the moves, which determine the game.
import { useEffect, useState } from 'preact/hooks'
import { largest, pack, packTimes, sum } from '../base/boards'
import { Listeners, listen, save, useRedraw } from '../base/store'
import { t } from '../base/text'
import type { Game } from '../rules/game'
import type { Dir, GameState } from '../types'
import { apart, cut, fresh, gameOf, type Kept, mark, newUid, placeOf, timesOf } from './kept'
import { lastGame, remember, storeBest, storeGame, unfinished } from './played'

const recordPause = 3000 // milliseconds after the last move until the game is recorded

/** Event is what happened last: a move, an attempted move that changes nothing, or another change of the board. */
export type Event = 'move' | 'nothing' | 'undo' | 'redo' | 'keep' | 'open'

export class OwnGame {
  kept: Kept
  event: Event = 'open'
  events = 0 // number of events so far
  trouble = '' // an error message
  elsewhere = false // the game was continued in another tab
  stored = true
  /** onStep gets the states before and after a move, an undo or a redo, and returns the tally to store with the
      game; null: none. */
  onStep: (before: GameState, after: GameState) => unknown = () => null
  private game: Game
  private times: number[] = [] // times of all moves
  private known = '' // the game as it was when it was last read or stored here
  private recording = 0 // a timer
  private unrecorded = false // moves were made here since the game was recorded
  private readonly listeners = new Listeners()
  readonly onChange = this.listeners.add

  readonly clock = new MoveClock()
  private readonly end: () => void

  constructor(kept: Kept) {
    this.kept = kept
    this.game = this.take(this.kept)
    if (!apart(kept) && !unfinished(placeOf(this.kept))) this.write()
    const look = () => (document.hidden ? this.record() : this.follow())
    this.end = listen(['storage', 'pageshow', 'visibilitychange'], look)
  }

  /** close ends the use of a game that is played apart, and records it. */
  close() {
    this.record()
    this.end()
  }

  get state(): GameState {
    return this.game.state
  }

  /** follow continues the game from the state that another tab stored, and reports whether there was such a
      state. This tab stores every change immediately, so an unknown stored state is newer. */
  private follow(): boolean {
    const newest = unfinished(placeOf(this.kept))
    if (!this.stored || !newest || mark(newest) === this.known) return false
    this.elsewhere = true
    this.game = this.take(newest)
    this.happened('open')
    return true
  }

  tell() {
    this.listeners.tell()
  }

  private happened(event: Event) {
    this.event = event
    this.events++
    this.tell()
  }

  /** update stores a change that does not affect the moves. */
  private update(change: Partial<Kept>) {
    this.kept = { ...this.kept, ...change }
    this.write()
  }

  /** begin starts a game in place of the one that has its storage key. */
  begin(kept: Kept) {
    this.record()
    this.elsewhere = false
    this.trouble = ''
    this.game = this.take(kept)
    this.write()
    this.happened('open')
  }

  /** record adds the game to the played games if moves were made here. */
  private record() {
    clearTimeout(this.recording)
    if (!this.unrecorded) return
    this.unrecorded = false
    if (!this.kept.watched) remember(this.made(), this.state)
  }

  /** take returns the game in progress for a stored game. If that cannot be played, it is set aside, and a new
      game begins. */
  private take(kept: Kept): Game {
    let game: Game
    try {
      game = gameOf(kept)
      this.kept = kept
    } catch (e) {
      save(`aside.${Date.now()}`, kept)
      this.trouble = t('A saved game could not be opened ({why}). It is set aside, and a new game starts.', {
        why: e instanceof Error ? e.message : String(e),
      })
      this.kept = fresh(kept.size, kept.spawn)
      game = gameOf(this.kept)
    }
    this.known = mark(kept)
    this.times = timesOf(this.kept)
    this.unrecorded = false
    this.clock.start()
    return game
  }

  /** complete reports whether the game's stage is complete. */
  get complete(): boolean {
    return this.kept.stage !== undefined && sum(this.state.board) >= this.kept.stage
  }

  /** move makes a move. If player is set, another player makes it, so its time is unknown. */
  move(move: Dir, player = false) {
    if (this.complete) return
    this.change('move', () => {
      const { moves } = this.state
      if (!this.game.move(move)) return false
      this.times.length = moves
      this.times.push(player ? -1 : this.clock.time())
      return true
    })
  }

  undo() {
    if (!apart(this.kept)) this.change('undo', () => this.game.undo())
  }

  redo() {
    if (!apart(this.kept)) this.change('redo', () => this.game.redo())
  }

  keepPlaying() {
    this.change('keep', () => {
      this.game.keepPlaying()
      this.kept = { ...this.kept, keep: true }
      return true
    })
  }

  help() {
    if (!this.kept.helped) this.update({ helped: true })
  }

  /** handOver lets another player go on with a copy of the game. */
  handOver() {
    if (this.kept.watched) return
    this.record()
    const { uid, helped = false } = this.kept
    this.update({ uid: newUid(), watched: { uid, helped, count: this.state.moves } })
  }

  /** takeBack returns to the visitor's own game as it was when another player took over. */
  takeBack() {
    const { watched, ...copy } = this.kept
    if (!watched) return
    const { uid, helped, count } = watched
    this.begin({ ...cut(copy, count), uid, helped })
  }

  /** change calls make, which reports whether it changed anything, and stores the game. */
  private change(event: Event, make: () => boolean) {
    this.elsewhere = false
    this.follow()
    const before = this.state
    if (!make()) {
      this.happened('nothing')
      return
    }
    this.clock.start()
    const { state } = this
    const tally = this.onStep(before, state)
    const { moves } = this.game
    const { watched } = this.kept
    this.kept = {
      ...this.kept,
      ...(tally ? { tally } : {}),
      ...(event === 'undo' && { helped: true }),
      ...(event === 'move' &&
        watched && { watched: { ...watched, count: Math.min(watched.count, before.moves) } }),
      moves: pack(moves),
      count: moves.length,
      undone: state.undone,
      ...(this.times.some((ms) => ms >= 0) && { times: packTimes(this.times) }),
      score: state.score,
      when: Date.now(),
    }
    this.unrecorded = true
    this.write()
    clearTimeout(this.recording)
    this.recording = window.setTimeout(() => this.record(), state.over ? 0 : recordPause)
    this.happened(event)
  }

  private write() {
    this.known = mark(this.kept)
    storeBest(this.kept)
    this.stored = storeGame(this.kept)
  }

  /** setTally stores another tally, unless another tab continued the game. */
  setTally(tally: unknown) {
    if (this.follow()) return
    this.update({ tally })
    this.tell()
  }

  /** made returns the game without its undone moves. */
  made(): Kept {
    return cut(this.kept, this.state.moves)
  }

  /** lasted returns the milliseconds of all moves together; null if the time of one is not known. */
  lasted(): number | null {
    const times = this.times.slice(0, this.state.moves)
    return times.some((ms) => ms < 0) ? null : times.reduce((all, ms) => all + ms, 0)
  }

  /** reached returns the milliseconds after which each large tile was first made; empty if the time of a move is
      not known. */
  reached(): { tile: number; ms: number }[] {
    if (this.lasted() === null) return []
    const all: { tile: number; ms: number }[] = []
    let [passed, next] = [0, 512]
    for (const [i, board] of this.game.boards().entries()) {
      for (; largest(board) >= next; next *= 2) if (i > 0) all.push({ tile: next, ms: passed })
      passed += this.times[i] ?? 0
    }
    return all
  }
}

let game: OwnGame | null = null

/** theGame is the game that a person plays in Play; it lives as long as the page. */
export function theGame(): OwnGame {
  game ??= new OwnGame(lastGame())
  return game
}

/** useGame returns the game of Play, or of kept, a game that is played apart. The game's clock runs while the
    component is visible, and the component is redrawn after changes. */
export function useGame(kept?: Kept): OwnGame {
  const [g] = useState(() => (kept ? new OwnGame(kept) : theGame()))
  useRedraw(g.onChange)
  useEffect(() => {
    const look = () => g.clock.seen(!document.hidden)
    look()
    const end = listen('visibilitychange', look)
    return () => {
      end()
      g.clock.seen(false)
      if (kept) g.close()
    }
  }, [g])
  return g
}

const maxThought = 300_000 // milliseconds that a move can take at most: a visitor who needs longer is away

/** MoveClock measures how long a move takes while somebody sees the board. */
export class MoveClock {
  private since = 0 // time of the last call of tick; 0: nobody sees the board
  private spent = 0 // milliseconds spent on the current move until then

  /** seen tells the clock whether somebody sees the board and can move. */
  seen(now: boolean) {
    this.tick()
    this.since = now ? performance.now() : 0
  }

  private tick() {
    const now = this.since && performance.now()
    this.spent += now - this.since
    this.since = now
  }

  /** time returns the milliseconds since the last start, -1 if nobody sees the board. */
  time(): number {
    this.tick()
    return this.since ? Math.min(Math.round(this.spent), maxThought) : -1
  }

  /** start begins the time of the next move. */
  start() {
    this.tick()
    this.spent = 0
  }
}
