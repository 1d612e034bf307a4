// Reads a screen recording of a game: seeks through it, reads the boards of its frames, and requests the games in them.
import { t } from '../base/text'
import { busy, complaint, link } from '../engine/net'
import { canvas, NoBoard, readPicture } from '../engine/picture'
import type { FootageFrame, FootageGames, PictureBoard, PictureFrame, ReadPicture } from '../types'

const rate = 30 // frames per second that are examined
const places = 32 // number of places in the recording at which a board is searched for
const maxWait = 500 // milliseconds to wait until the video shows a picture
const maxDoubt = 2 // seconds without a reliably read board, after which the board is searched for again
const cellPixels = 80
const largest = 1280 // maximum side, in pixels, of a frame that is searched for a board

const unreadable = () =>
  new Error(
    t(
      'This recording cannot be read. Choose a video that this browser plays: WebM, or in most browsers MP4 with H.264.',
    ),
  )

/** once waits for an event of a video. */
const once = (video: HTMLVideoElement, event: string, signal: AbortSignal): Promise<void> =>
  new Promise((done, failed) => {
    const bad = () => failed(video.error ? unreadable() : new Error('cancelled'))
    if (video.error || signal.aborted) return bad()
    const off = new AbortController()
    const ends = (f: () => void) => () => {
      off.abort()
      f()
    }
    video.addEventListener(event, ends(done), off)
    video.addEventListener('error', ends(bad), off)
    signal.addEventListener('abort', ends(bad), off)
  })

/** readFilm reads a recording. report gets the share that is read. */
export async function readFilm(
  file: Blob,
  signal: AbortSignal,
  report: (share: number) => void,
): Promise<FootageGames> {
  const video = document.createElement('video')
  Object.assign(video, { muted: true, playsInline: true, preload: 'auto' })
  video.src = URL.createObjectURL(file)
  try {
    await once(video, 'loadeddata', signal)
    if (video.videoWidth === 0) throw unreadable()
    if (video.duration === Infinity) {
      // A recording made by a browser does not contain its length; a seek to the end finds it.
      const end = once(video, 'seeked', signal)
      video.currentTime = 1e9
      await end
    }
    const end = Number.isFinite(video.duration) ? video.duration : video.currentTime
    return await new Reader(video, end, signal).film(report)
  } finally {
    URL.revokeObjectURL(video.src)
    video.removeAttribute('src')
    video.load()
  }
}

class Reader {
  private size: string | null = null // board size; null: no board was found yet
  private frame: PictureFrame = {}
  private crop = canvas(1, 1) // the pixels of the cells
  private sure = 0 // time in seconds at which a board was last read reliably

  constructor(
    private readonly video: HTMLVideoElement,
    private readonly end: number,
    private readonly signal: AbortSignal,
  ) {}

  async film(report: (share: number) => void): Promise<FootageGames> {
    // A board with many tiles is easiest to find, so the middle comes first: 1/2, 1/4, 3/4, 1/8 ...
    for (let i = 1; i < places && !this.size; i++) {
      const power = 2 ** Math.floor(Math.log2(i))
      await this.seek((this.end * (2 * (i - power) + 1)) / (2 * power))
      await this.search()
    }
    if (!this.size) throw new NoBoard()
    // For most of the game, the frames with a board at rest are enough. All frames are read only where the
    // moves are still unknown.
    let frames = await this.sweep(0, this.end, false, (share) => report(0.8 * share))
    const found = await this.games(frames)
    const open = this.uncovered(found)
    for (const [i, [from, to]] of open.entries()) {
      const part = (share: number) => report(0.8 + (0.2 * (i + share)) / open.length)
      const before = frames.filter((f) => f.to_ms < 1000 * from)
      const after = frames.filter((f) => f.from_ms > 1000 * to)
      frames = [...before, ...(await this.sweep(from, to, true, part)), ...after]
    }
    return open.length ? this.games(frames) : found
  }

  private games(frames: FootageFrame[]) {
    return link.alone('review.footage', { frames }, this.signal)
  }

  /** uncovered returns the times, in seconds, that no part of a game covers. */
  private uncovered({ parts }: FootageGames): [from: number, to: number][] {
    const edges = [-1, ...parts.flatMap((p) => [p.from_ms, p.to_ms]), 1000 * this.end + 1]
    const spans: [number, number][] = []
    for (let i = 0; i < edges.length; i += 2) {
      const [from = 0, to = 0] = edges.slice(i)
      if (to - from > 1500 / rate) spans.push([(from + 1) / 1000, (to - 1) / 1000])
    }
    return spans
  }

  /** seek shows a time of the recording. A browser may report that it has arrived while it still shows the
      previous picture, and a picture of moving tiles that is read twice looks like a board at rest. So seek
      waits until the new picture is presented. In a hidden tab no picture is presented; after a jump
      seek waits for the timeout there, otherwise not at all. */
  private async seek(to: number) {
    const { video } = this
    const jump = Math.abs(to - video.currentTime) > 1.5 / rate
    const shown =
      (jump || !document.hidden) &&
      'requestVideoFrameCallback' in video &&
      new Promise<void>((done) => {
        video.requestVideoFrameCallback(() => done())
        setTimeout(done, maxWait)
      })
    const done = once(video, 'seeked', this.signal)
    video.currentTime = to
    await done
    await shown
  }

  /** sweep reads the boards between two times of a recording: all, or only those at rest, in pictures that look like
      the previous one. */
  private async sweep(
    from: number,
    to: number,
    all: boolean,
    report: (share: number) => void,
  ): Promise<FootageFrame[]> {
    const frames: FootageFrame[] = []
    let before: Uint8ClampedArray | null = null
    let since = 0
    let unread = true
    for (let i = Math.ceil(from * rate); i / rate <= to; i++) {
      // the middle of frame i, so that rounding errors select no other frame
      await this.seek(Math.min((i + 0.5) / rate, this.end))
      const ms = Math.round((1000 * i) / rate)
      const now = this.cells()
      const still = before && sameLook(before, now)
      const last = frames.at(-1)
      if (!still) {
        before = now
        since = ms
        unread = true
      }
      if (!unread && last) last.to_ms = ms
      if (unread && (all || still)) {
        const { board, doubts } = await this.board(i / rate)
        unread = false
        if (last && String(last.board) === String(board) && String(last.doubts) === String(doubts))
          last.to_ms = ms
        else frames.push({ from_ms: since, to_ms: ms, board, doubts })
      }
      report(Math.min(1, (i / rate - from) / (to - from)))
    }
    return frames
  }

  /** cells draws the cells of the picture, and returns their pixels. */
  private cells(): Uint8ClampedArray {
    const { videoWidth: w, videoHeight: h } = this.video
    const { left = 0, top = 0, width = 1, height = 1 } = this.frame
    const { canvas: to } = this.crop
    this.crop.drawImage(this.video, left * w, top * h, width * w, height * h, 0, 0, to.width, to.height)
    return this.crop.getImageData(0, 0, to.width, to.height).data
  }

  /** board reads the cells. If they show no board for a while, it searches for the board again. */
  private async board(at: number): Promise<PictureBoard> {
    const read = async () => this.patiently(this.crop.canvas, { size: this.size ?? '' })
    let found = await read()
    if (found.doubts.length > 0 && Math.abs(at - this.sure) > maxDoubt) {
      this.sure = at
      if (await this.search()) {
        this.cells()
        found = await read()
      }
    }
    if (found.doubts.length === 0) this.sure = at
    return found
  }

  /** search looks for a board in the picture. */
  private async search(): Promise<boolean> {
    const { videoWidth: w, videoHeight: h } = this.video
    const scale = Math.min(1, largest / Math.max(w, h))
    const whole = canvas(Math.round(w * scale), Math.round(h * scale))
    whole.imageSmoothingQuality = 'high'
    whole.drawImage(this.video, 0, 0, whole.canvas.width, whole.canvas.height)
    const read = await this.patiently(whole.canvas).catch((e: unknown) => {
      if (e instanceof NoBoard) return null
      throw e
    })
    if (!read || read.grid || read.doubts.length > 0) return false
    const [rows, cols] = [read.board.length, read.board[0]?.length ?? 0]
    this.size = `${rows}x${cols}`
    this.frame = read.frame
    this.crop = canvas(cellPixels * cols, cellPixels * rows)
    this.crop.imageSmoothingQuality = 'high'
    return true
  }

  /** patiently reads a picture, and tries again while the server is busy with others. */
  private async patiently(
    picture: HTMLCanvasElement,
    at: Omit<ReadPicture, 'data'> = {},
  ): Promise<PictureBoard> {
    for (let tries = 0; ; tries++) {
      try {
        return await readPicture(picture, this.signal, at)
      } catch (e) {
        if (!busy(e) || tries === 20) throw e
        await new Promise((done) => setTimeout(done, 250))
      }
    }
  }
}

/** sameLook reports whether pixels look the same. Compression changes them a little. */
function sameLook(a: Uint8ClampedArray, b: Uint8ClampedArray): boolean {
  if (a.length !== b.length) return false
  let different = 0
  const by = (i: number) => Math.abs((a[i] ?? 0) - (b[i] ?? 0))
  for (let i = 0; i < a.length && different < 12; i += 4) if (by(i) + by(i + 1) + by(i + 2) > 40) different++
  return different < 12
}

/** troubleOf returns the text to show for an error. */
export const troubleOf = (e: unknown) =>
  e instanceof NoBoard
    ? t('No board found in the recording. It must show the whole board of a 2048 game, upright.')
    : complaint(e, 'review.footage: ')
