// A strong player that continues the visitor's own game.
import { boardText } from '../base/boards'
import { Listeners } from '../base/store'
import { cancelled, complaint, link } from '../engine/net'
import { strongest } from '../rules/rules'
import type { OwnGame } from './game'

export const pauses = [700, 250, 30] // milliseconds between two moves

export class Pilot {
  speed = 1
  trouble = ''
  private end: AbortController | null = null
  private readonly listeners = new Listeners()
  readonly onChange = this.listeners.add

  constructor(private readonly game: OwnGame) {}

  get running(): boolean {
    return this.end !== null
  }

  start() {
    this.stop()
    this.trouble = ''
    this.game.handOver()
    if (this.game.state.paused_on_win) this.game.keepPlaying()
    this.end = new AbortController()
    void this.play(this.end.signal)
    this.listeners.tell()
  }

  stop() {
    this.end?.abort()
    this.end = null
    this.listeners.tell()
  }

  faster() {
    this.speed = (this.speed + 1) % pauses.length
    this.listeners.tell()
  }

  private async play(signal: AbortSignal) {
    try {
      while (!signal.aborted && !this.game.state.over) {
        const { board, score, moves } = this.game.state
        const pause = new Promise((done) => setTimeout(done, pauses[this.speed]))
        const { move } = await link.insist(
          'analyze',
          { board: boardText(board), score, player: strongest(this.game.kept.spawn) },
          signal,
        )
        await pause
        if (signal.aborted || !move || this.game.state.moves !== moves) break
        this.game.move(move, true)
        if (this.game.state.paused_on_win) this.game.keepPlaying()
      }
    } catch (e) {
      if (!signal.aborted && !cancelled(e)) this.trouble = complaint(e, 'analyze: ')
    }
    if (!signal.aborted) this.stop()
  }
}
