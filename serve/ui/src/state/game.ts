// The played game. The server implements the rules; the page stores the data that
// determines the game (seed and moves), so that it survives a reload, a lost connection,
// or a restart of the server.
import { Listeners } from '../base/changes'
import { boardText, largest, pack, packTimes, sizeOf, sum, unpack, unpackTimes } from '../base/format'
import { isObject, load, save } from '../base/store'
import { t } from '../base/text'
import { busy, complaint, type Link, Lost, link, RpcError } from '../engine/net'
import { type Board, type Dir, dirs, type GameState } from '../types'
import { branch, fresh, isKept, type Kept } from './kept'
import { remember } from './played'

/** from returns a game that begins with a board. */
export const from = (board: Board): Kept => ({
  ...fresh(sizeOf(board), 'random'),
  start: boardText(board),
  keep: largest(board) >= 2048,
})

/** timesOf returns the time of each move in milliseconds, -1 where it is not known. */
function timesOf(k: Kept): number[] {
  try {
    const times = unpackTimes(k.times ?? '')
    if (times.length === k.count && times.every((ms) => ms >= -1)) return times
  } catch {
    // they are damaged
  }
  return Array<number>(k.count).fill(-1)
}

const startOf = (k: Kept) => (k.start === undefined ? {} : { start: k.start })

/** gameKey returns the storage key of the best score of a size and rule, and of its unfinished game. */
export const gameKey = (size: string, spawn: string) => (spawn === 'random' ? size : `${size} ${spawn}`)

type Place = Pick<Kept, 'size' | 'spawn' | 'seed' | 'duel' | 'stage'>

/** apart is whether a game is played without undo and hints, and beside the visitor's own games. */
export const apart = (k: Pick<Kept, 'duel' | 'stage'>) => k.duel !== undefined || k.stage !== undefined

/** placeOf returns the storage key of an unfinished game: the page keeps one for each size and rule, each stage and each duel. */
export const placeOf = (k: Place) =>
  k.stage !== undefined
    ? `stage ${k.stage}`
    : k.duel !== undefined
      ? `duel ${k.duel}/${k.size}/${k.seed}`
      : gameKey(k.size, k.spawn)

/** unfinished returns the game of a storage key. */
export const unfinished = (place: string): Kept | undefined =>
  load<Record<string, Kept>>('games', {}, isGames)[place]

/** ownGame returns the newest unfinished game that is in no duel and of no stage, or a fresh one. */
export const ownGame = () =>
  Object.values(load<Record<string, Kept>>('games', {}, isGames))
    .filter((k) => !apart(k))
    .sort((a, b) => b.when - a.when)[0] ?? fresh('4x4', 'random')

/** mark identifies the state of a kept game. */
const mark = (k: Kept) => [k.seed, k.start ?? '', k.moves, k.count, k.undone, k.keep].join()

const busyWords = t('The server is busy. Trying again; nothing is lost.')
const retryPause = 2000 // milliseconds
const recordPause = 3000 // milliseconds after the last move
const maxThought = 300_000 // milliseconds: who takes longer is away

type Op =
  | { method: 'game.move'; move: Dir; ms: number | null }
  | { method: 'game.undo' | 'game.redo' | 'game.keep' }

const isGames = (v: unknown) => isObject(v) && Object.values(v).every(isKept)
const isBest = (v: unknown) => isObject(v) && Object.values(v).every((n) => typeof n === 'number')

export class Game {
  /** state is null until the server has opened the game. */
  state: GameState | null = null
  kept: Kept
  /** trouble is an error message. */
  trouble = ''
  /** elsewhere reports that the game was continued in another tab. */
  elsewhere = false
  stored = true
  /** onStep gets the states before and after a move, an undo or a redo, and returns the tally to store with it; null: none. */
  onStep: (before: GameState, after: GameState) => unknown = () => null
  private moves: number[] // all of them, undone ones too
  private times: number[] = [] // of all moves
  private since = 0 // from when on somebody sees the board; 0: nobody does
  private spent = 0 // milliseconds in which somebody saw it before
  private at: number // how many are made
  private queue: Op[] = [] // not answered yet, in order
  private ready = false // the server has the game
  private epoch = 0
  private known = '' // the game as it was when it was last read or stored here
  private recording = 0 // a timer
  private unrecorded = false // moves were made here since the game was kept
  private listeners = new Listeners()
  readonly onChange = this.listeners.add

  constructor(private readonly link: Link) {
    const last = load<Place>(
      'last',
      { size: '4x4', spawn: 'random', seed: 0 },
      (v) => isObject(v) && typeof v.size === 'string' && typeof v.spawn === 'string',
    )
    this.kept = unfinished(placeOf(last)) ?? ownGame()
    this.moves = []
    this.at = 0
    this.take(this.kept)
    if (!unfinished(placeOf(this.kept))) this.write()
    link.onOpen(() => {
      if (!this.follow()) this.open()
    })
    link.onStatus((s) => {
      if (s === 'lost') this.ready = false
    })
    const look = () => !document.hidden && this.follow()
    addEventListener('storage', look)
    addEventListener('pageshow', look)
    document.addEventListener('visibilitychange', () => (document.hidden ? this.record() : this.follow()))
  }

  /** busy reports whether moves are unanswered. */
  get busy(): boolean {
    return !this.state || this.queue.length > 0
  }

  /** follow continues the game at the state that another tab stored, and reports whether
      there was one. This tab stores every change immediately, so an unknown stored state is
      newer. */
  private follow(): boolean {
    const there = unfinished(placeOf(this.kept))
    if (!this.stored || !there || mark(there) === this.known) return false
    this.queue = []
    this.elsewhere = true
    this.take(there)
    this.open()
    return true
  }

  tell() {
    this.listeners.tell()
  }

  best(): number {
    return load<Record<string, number>>('best', {}, isBest)[gameKey(this.kept.size, this.kept.spawn)] ?? 0
  }

  /** begin starts a game in place of the one that has its storage key. */
  begin(kept: Kept) {
    this.record()
    this.elsewhere = false
    this.state = null
    this.queue = []
    this.take(kept)
    this.write()
    this.open()
  }

  /** record keeps the game among the played ones if it was played on here. */
  private record() {
    clearTimeout(this.recording)
    if (!this.unrecorded) return
    this.unrecorded = false
    remember(
      this.made(),
      this.state?.moves === this.at && this.state.score === this.kept.score ? this.state : null,
    )
  }

  /** seen says whether somebody sees the board and can move. */
  seen(now: boolean) {
    this.tick()
    this.since = now ? performance.now() : 0
  }

  private tick() {
    const now = this.since && performance.now()
    this.spent += now - this.since
    this.since = now
  }

  /** think begins the time of the next move. */
  private think() {
    this.tick()
    this.spent = 0
  }

  private take(kept: Kept) {
    this.kept = kept.uid === undefined ? branch(kept) : kept
    this.known = mark(kept)
    try {
      this.moves = unpack(kept.moves, kept.count)
      this.times = timesOf(kept)
    } catch {
      this.kept = { ...branch(kept), moves: '', count: 0, undone: 0 }
      this.moves = []
      this.times = []
      this.trouble = t('The moves of that game are damaged, so it starts again.')
    }
    this.at = this.moves.length - this.kept.undone
    this.unrecorded = false
    this.ready = false
    this.think()
    this.tell()
  }

  private async open() {
    const epoch = ++this.epoch
    const k = this.kept
    this.ready = false
    try {
      const state = await this.link.ask('game.open', { ...opening(k), undone: k.undone })
      if (epoch !== this.epoch) return
      this.ready = true
      if (this.trouble === busyWords) this.trouble = ''
      if (!this.state) this.think()
      this.answer(state, false) // another tab may have continued it since
      for (const op of this.queue) this.send(op, epoch)
    } catch (e) {
      if (e instanceof Lost || epoch !== this.epoch) return
      if (busy(e)) {
        this.trouble = busyWords
        this.tell()
        setTimeout(() => epoch === this.epoch && this.open(), retryPause)
        return
      }
      this.refuse(e)
    }
  }

  /** refuse moves a game that the server does not accept to another key, and starts a new one. */
  private refuse(e: unknown) {
    const why = e instanceof RpcError ? e.message : String(e)
    save(`aside.${Date.now()}`, this.kept)
    this.trouble = t('A saved game could not be opened ({why}). It is set aside, and a new game starts.', {
      why,
    })
    const { size, spawn } = this.kept
    this.begin(
      e instanceof RpcError && /size|spawn/.test(e.message) ? fresh('4x4', 'random') : fresh(size, spawn),
    )
  }

  /** complete is whether the stage that the game is of is complete. */
  get complete(): boolean {
    return this.kept.stage !== undefined && this.state !== null && sum(this.state.board) >= this.kept.stage
  }

  move(move: Dir) {
    if (this.complete) return
    this.tick()
    this.push({
      method: 'game.move',
      move,
      ms: this.since ? Math.min(Math.round(this.spent), maxThought) : null,
    })
    this.spent = 0
  }

  undo() {
    if (!apart(this.kept)) this.push({ method: 'game.undo' })
  }

  redo() {
    if (!apart(this.kept)) this.push({ method: 'game.redo' })
  }

  keepPlaying() {
    this.push({ method: 'game.keep' })
  }

  private push(op: Op) {
    this.elsewhere = false
    this.follow()
    this.queue.push(op)
    this.tell()
    if (this.ready) this.send(op, this.epoch)
  }

  /** send sends one queued operation; answers arrive in order. */
  private async send(op: Op, epoch: number) {
    try {
      const state = await (op.method === 'game.move'
        ? this.link.ask(op.method, { move: op.move, ...(op.ms !== null && { ms: op.ms }) })
        : this.link.ask(op.method, {}))
      if (epoch !== this.epoch) return
      this.queue.shift()
      this.apply(op, state)
      const tally = this.state && this.onStep(this.state, state)
      if (tally) this.kept = { ...this.kept, tally }
      this.answer(state, true)
    } catch (e) {
      if (e instanceof Lost || epoch !== this.epoch) return // it stays in the queue
      this.queue.shift()
      this.trouble = complaint(e)
      this.tell()
    }
  }

  private apply(op: Op, state: GameState) {
    if (op.method === 'game.keep') this.kept.keep = true
    if (op.method === 'game.move' && state.step) {
      this.moves.length = this.times.length = this.at
      this.moves.push(dirs.indexOf(op.move))
      this.times.push(op.ms ?? -1)
    }
    if (op.method === 'game.move' && !state.step)
      this.spent += op.ms ?? 0 // nothing moved
    else if (this.queue.length === 0) this.think()
    this.at = state.moves
  }

  private answer(state: GameState, changed: boolean) {
    this.state = state
    this.kept = {
      ...this.kept,
      moves: pack(this.moves),
      count: this.moves.length,
      undone: this.moves.length - this.at,
      ...(this.times.some((ms) => ms >= 0) && { times: packTimes(this.times) }),
      score: state.score,
      ...(changed && { when: Date.now() }),
    }
    if (changed) {
      this.unrecorded = true
      this.write()
      clearTimeout(this.recording)
      this.recording = window.setTimeout(() => this.record(), state.over ? 0 : recordPause)
    }
    this.tell()
  }

  private write() {
    const { size, spawn, seed, duel, stage } = this.kept
    const key = gameKey(size, spawn)
    this.known = mark(this.kept)
    const best = load<Record<string, number>>('best', {}, isBest)
    if (this.kept.start === undefined && this.kept.score > (best[key] ?? 0))
      save('best', { ...best, [key]: this.kept.score })
    this.stored = save('games', {
      ...load<Record<string, Kept>>('games', {}, isGames),
      [placeOf(this.kept)]: this.kept,
    })
    save('last', { size, spawn, ...(apart(this.kept) && { seed, duel, stage }) })
  }

  /** setTally stores another tally, unless another tab continued the game. */
  setTally(tally: unknown) {
    if (this.follow()) return
    this.kept = { ...this.kept, tally }
    this.write()
    this.tell()
  }

  /** made returns the game without its undone moves. */
  made(): Kept {
    return cut(this.kept, this.at)
  }
}

/** cut returns a game as it was after some of its moves. */
export function cut(k: Kept, count: number): Kept {
  return {
    ...k,
    moves: pack(unpack(k.moves, k.count).slice(0, count)),
    count,
    undone: 0,
    ...(k.times && { times: packTimes(timesOf(k).slice(0, count)) }),
  }
}

/** hashOf returns the part of a link that replays a game and opens it after some of its moves. */
export function hashOf(k: Kept, at: number): string {
  const rule = k.spawn === 'random' && k.start === undefined ? '' : `/${encodeURIComponent(k.spawn)}`
  const start = k.start === undefined ? '' : `/${encodeURIComponent(k.start)}`
  return `${k.size}/${k.seed}/${k.count}/${k.moves || '-'}/${at}${rule}${start}`
}

/** fromHash is the inverse of hashOf; null if there is no game. */
export function fromHash(parts: string[]): { kept: Kept; at: number } | null {
  const [size, seed, count, moves, place, spawn, start] = parts
  try {
    const kept = {
      ...fresh(size ?? '', spawn ? decodeURIComponent(spawn) : 'random', Number(seed)),
      ...(start ? { start: decodeURIComponent(start) } : {}),
      count: Number(count),
      moves: moves === '-' ? '' : (moves ?? ''),
      keep: true,
    }
    const at = Number(place)
    return isKept(kept) &&
      unpack(kept.moves, kept.count) &&
      Number.isSafeInteger(at) &&
      at >= 0 &&
      at <= kept.count
      ? { kept, at }
      : null
  } catch {
    return null
  }
}

/** opening returns the params that open or replay a game. */
export const opening = (k: Kept) => ({
  size: k.size,
  ...startOf(k),
  spawn: k.spawn,
  seed: k.seed,
  moves: k.moves,
  move_count: k.count,
  ...(k.times && { times: packTimes(timesOf(k)) }),
  keep: k.keep,
})

/** refusal returns why a game cannot be played, or ''. */
export function refusal(k: Kept): Promise<string> {
  return link.alone('game.open', opening(k)).then(
    () => '',
    (e: unknown) => {
      if (e instanceof RpcError) return e.message.replace('game.open: ', '')
      throw e
    },
  )
}
