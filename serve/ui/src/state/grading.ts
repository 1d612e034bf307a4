// The grades of the visitor's own game. Moves are graded in order, each immediately after it was made. The
// values of a board are requested as soon as it is shown, so that a grade rarely waits.
import { boardOf, boardText, sizeOf } from '../base/boards'
import { has, isObject, load, save } from '../base/store'
import { busy, complaint, engine, link } from '../engine/net'
import { shareOf } from '../rules/rules'
import { type Dir, dirs, type GameState, type MoveClass, type MoveReview, p4 } from '../types'
import type { OwnGame } from './game'
import { classInfo, isMistake, meanAccuracy, worst } from './judge'
import { apart } from './kept'
import { hasLevels, levelFor, own, strong } from './strength'

interface Try {
  turn: number // number of moves before this move
  board: string // the board before the move
  score: number
  move: Dir
  counts: boolean // it is the first move made at its turn
  back: boolean // it was taken back
}

export type Graded = Try & Pick<MoveReview, 'class' | 'loss' | 'lost' | 'best' | 'goal'>

/** Tally sums up the moves that count. It is stored with the game. */
export interface Tally {
  seed: number // of the game
  turn: number // moves from this turn on count; earlier turns have been played before
  waiting: Try[] // moves not graded yet, in the order of the game
  moves: number // number of graded moves that were not forced
  inverse: number // sum of the reciprocals of the accuracies of these moves
  streak: number // number of best and good moves in a row
  longest: number
  back: number // number of mistakes and blunders that were taken back
  classes: Partial<Record<MoveClass, number>>
  worst: Graded[]
  last: Graded | null // the newest grade, including moves that do not count
}

const zeros = { turn: 0, moves: 0, inverse: 0, streak: 0, longest: 0, back: 0 }
const nothing: Omit<Tally, 'seed'> = { ...zeros, waiting: [], classes: {}, worst: [], last: null }

const isTry = (x: unknown) =>
  has(x, { turn: 'number', score: 'number', board: 'string' }) && dirs.includes(x.move as Dir)
const isGraded = (x: unknown) =>
  isTry(x) && has(x, { loss: 'number', best: 'string', class: 'string' }) && String(x.class) in classInfo

const numbers = ['seed', ...Object.keys(zeros)]

function isTally(v: unknown): v is Tally {
  const t = v as Tally
  return (
    has(v, Object.fromEntries(numbers.map((name) => [name, 'number']))) &&
    isObject(t.classes) &&
    [t.waiting, t.worst].every(Array.isArray) &&
    t.waiting.every(isTry) &&
    [...t.worst, ...(t.last ? [t.last] : [])].every(isGraded)
  )
}

/** accuracyOf returns the accuracy of the moves that count, from 0 to 1; null if all were forced. */
export const accuracyOf = (t: Tally) => meanAccuracy(t.inverse, t.moves)

const worstMoves = 3
const maxKnown = 64 // maximum number of boards whose values are kept
const retryPause = 2000 // milliseconds until a request that found the server busy is repeated

/** Question has the params of a request for the values of a board. */
interface Question {
  board: string
  score: number
  p4: number
}

const keyOf = (p: Question) => `${p.board} ${p.score} ${p.p4}`

export class Grader {
  private wanted = load('grade', false, (v) => typeof v === 'boolean')
  trouble = '' // why a move has no grade
  revealed: Graded | null = null // the graded move for which the visitor asked to see a better one
  private known = new Map<string, MoveReview[]>()
  private working = false
  private level = '' // the visitor's level on this size; empty: the size has no levels

  constructor(private readonly game: OwnGame) {
    game.onStep = (before, after) => (this.on ? this.step(before, after) : null)
    game.onChange(() => this.work())
    engine?.onNetwork(() => this.work())
    void this.work()
  }

  get on(): boolean {
    return this.wanted && !apart(this.game.kept)
  }

  turn(on: boolean) {
    this.wanted = on
    save('grade', on)
    if (on) this.game.tell()
    // While grading is off, no new grade would replace the last one.
    else this.game.setTally({ ...this.tally, last: null })
  }

  reveal(g: Graded) {
    this.revealed = g
    this.game.tell()
  }

  /** tally returns the tally of the game, or an empty one if the stored one does not fit the game. */
  get tally(): Tally {
    const { tally, seed } = this.game.kept
    return isTally(tally) && tally.seed === seed ? tally : { ...nothing, seed }
  }

  /** last returns the grade of the move that led to the board, or that was just taken back. */
  get last(): Graded | null {
    const { last, waiting } = this.tally
    return last && waiting.length === 0 && last.turn + (last.back ? 0 : 1) === this.game.state.moves
      ? last
      : null
  }

  /** mistaken reports whether the last move may be taken back as a mistake. */
  get mistaken(): boolean {
    const { last } = this
    return last !== null && isMistake(last) && !last.back
  }

  /** better reports whether the better move is shown: the visitor asked for it, or played the turn again. */
  better(g: Graded): boolean {
    return classInfo[g.class].bad && (g === this.revealed || !g.counts)
  }

  /** measured reports whether moves are graded by playouts of a level, not by the strongest player. */
  get measured(): boolean {
    return hasLevels(this.game.kept.size) && this.level !== strong
  }

  /** loads reports whether the site's engine has not loaded its network yet. Grades wait for the network,
      because another judge would give other grades. */
  get loads(): boolean {
    if (this.measured) return false
    return !!engine?.chosen() && !/ready|failed/.test(engine.network.state)
  }

  /** step records that a move was made or taken back. */
  private step(before: GameState, after: GameState): Tally {
    const t = this.tally
    if (after.moves < before.moves) {
      const undone = (x: Try) => x.turn === after.moves && !x.back
      const last = t.last && undone(t.last) && t.waiting.length === 0 ? { ...t.last, back: true } : null
      if (last && this.revealed === t.last) this.revealed = last
      return {
        ...t,
        last,
        back: t.back + (last?.counts && isMistake(last) ? 1 : 0),
        waiting: t.waiting.map((x) => (undone(x) ? { ...x, back: true } : x)),
      }
    }
    if (after.moves === before.moves || !after.step) return t
    const made = {
      turn: before.moves,
      board: boardText(before.board),
      score: before.score,
      move: after.step.move,
      counts: before.moves >= t.turn,
      back: false,
    }
    this.trouble = ''
    return this.graded({ ...t, turn: Math.max(t.turn, after.moves), waiting: [...t.waiting, made] })
  }

  /** graded returns the tally after grading the waiting moves in order, as far as their values are known. */
  private graded(t: Tally): Tally {
    for (;;) {
      const [x, ...waiting] = t.waiting
      const all = x && this.known.get(keyOf(this.questionOf(x)))
      if (!all) return t
      const m = all.find((r) => r.played === x.move)
      t = m ? add({ ...t, waiting }, x, m) : { ...t, waiting }
    }
  }

  /** work requests the values of the boards of waiting moves in order, then of the shown board. */
  private async work() {
    if (this.working || !this.on) return
    this.working = true
    for (let p = this.next(); p; p = this.next()) {
      // inside the loop, since the next board may have another size
      this.level = await levelFor(own, sizeOf(boardOf(p.board)))
      if (this.loads) break
      try {
        const params = { ...p, ...(this.level && { level: this.level }) }
        this.know(p, (await link.insist('review.board', params)).moves)
      } catch (e) {
        if (busy(e)) {
          await new Promise((done) => setTimeout(done, retryPause))
          continue
        }
        const needed = this.tally.waiting.some((x) => keyOf(this.questionOf(x)) === keyOf(p))
        if (!needed) break // work is called again after the next move
        this.trouble = complaint(e, 'review.board: ')
        this.know(p, [])
      }
    }
    this.working = false
  }

  private questionOf({ board, score }: { board: string; score: number }): Question {
    return { board, score, p4: shareOf(this.game.kept.spawn) ?? p4 }
  }

  private next(): Question | null {
    if (!this.on || this.loads) return null
    const s = this.game.state
    const all = [...this.tally.waiting, ...(!s.over ? [{ board: boardText(s.board), score: s.score }] : [])]
    return all.map((x) => this.questionOf(x)).find((x) => !this.known.has(keyOf(x))) ?? null
  }

  private know(p: Question, moves: MoveReview[]) {
    this.known.set(keyOf(p), moves)
    for (const oldest of this.known.keys()) if (this.known.size > maxKnown) this.known.delete(oldest)
    const before = this.tally
    const after = this.graded(before)
    if (after !== before) this.game.setTally(after)
  }
}

function add(t: Tally, x: Try, m: MoveReview): Tally {
  const { loss, lost, best, goal } = m
  const last: Graded = { ...x, class: m.class, loss, lost, best, ...(goal && { goal }) }
  if (!x.counts) return { ...t, last }
  const classes = { ...t.classes, [m.class]: (t.classes[m.class] ?? 0) + 1 }
  if (m.class === 'forced') return { ...t, last, classes }
  const streak = classInfo[m.class].bad ? 0 : t.streak + 1
  return {
    ...t,
    last,
    classes,
    streak,
    longest: Math.max(t.longest, streak),
    moves: t.moves + 1,
    inverse: t.inverse + 1 / m.accuracy,
    back: t.back + (x.back && isMistake(m) ? 1 : 0),
    worst: m.loss > 0 ? worst([...t.worst, last], worstMoves) : t.worst,
  }
}
