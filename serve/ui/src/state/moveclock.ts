const maxThought = 300_000 // milliseconds: who takes longer is away

/** MoveClock measures how long a move takes while somebody sees the board. */
export class MoveClock {
  private since = 0 // from when on somebody sees the board; 0: nobody does
  private spent = 0 // milliseconds in which somebody saw it before

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
