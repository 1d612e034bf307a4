// Reads a screen recording of a 2048 game: seeks through it, reads the boards of its frames, and asks which games they make.
import { busy, complaint, link } from './net'
import { canvas, NoBoard, readPicture } from './picture'
import type { FootageFrame, FootageGames, PictureBoard, PictureFrame } from './types'

/** Film is what was read of a recording. */
export interface Film extends FootageGames {
  frames: number // that were looked at
  read: number // those that did not look like the frame before
}

const frameTime = 1 / 30 // seconds
const searchPause = 0.5 // of the recording, between two searches for a board
const cellPixels = 80
const largest = 1280 // pixels of a side of a frame in which the board is searched

/** accepted says what browsers read. */
const accepted = 'must be a recording that this browser can play: WebM, and in most browsers MP4 with H.264'

/** once waits for an event of a video. */
function once(video: HTMLVideoElement, event: string, signal: AbortSignal): Promise<void> {
  return new Promise((done, failed) => {
    const bad = () => failed(new Error(video.error ? `Not a recording that can be read: ${accepted}.` : 'Cancelled.'))
    if (video.error || signal.aborted) return bad()
    video.addEventListener(event, () => done(), { once: true, signal })
    video.addEventListener('error', bad, { once: true, signal })
    signal.addEventListener('abort', bad, { once: true })
  })
}

/** opened returns a video that can be sought, and its length in seconds. */
async function opened(file: Blob, signal: AbortSignal): Promise<[HTMLVideoElement, number]> {
  const video = Object.assign(document.createElement('video'), { muted: true, playsInline: true, preload: 'auto' })
  video.src = URL.createObjectURL(file)
  await once(video, 'loadeddata', signal)
  if (video.videoWidth === 0) throw new Error(`No pictures are in the recording: ${accepted}.`)
  if (video.duration === Infinity) { // recorded by a browser: the length is known at the end
    const end = once(video, 'seeked', signal)
    video.currentTime = 1e9
    await end
  }
  return [video, Number.isFinite(video.duration) ? video.duration : video.currentTime]
}

interface Place {
  size: string
  frame: PictureFrame
}

/** readFilm reads a recording. report gets the share that is read. */
export async function readFilm(file: Blob, signal: AbortSignal, report: (share: number) => void): Promise<Film> {
  const [video, end] = await opened(file, signal)
  try {
    const frames: FootageFrame[] = []
    const scene = new Scene(video, signal)
    let looked = 0
    for (let at = 0; at < end; at = ++looked * frameTime) {
      const sought = once(video, 'seeked', signal)
      video.currentTime = Math.min(at + frameTime / 2, end) // in the middle of a frame, so that rounding finds it
      await sought
      const ms = Math.round(1000 * at)
      const last = frames.at(-1)
      if (!scene.changed()) {
        if (last) last.to_ms = ms
      } else {
        const read = await scene.board(at)
        if (read && last && String(last.board) === String(read.board) && String(last.doubts) === String(read.doubts)) last.to_ms = ms
        else if (read) frames.push({ from_ms: ms, to_ms: ms, board: read.board, doubts: read.doubts })
      }
      report(at / end)
    }
    if (!scene.found) throw new NoBoard()
    return { ...await link.alone('review.footage', { frames }, signal), frames: looked, read: scene.reads }
  } finally {
    URL.revokeObjectURL(video.src)
    video.removeAttribute('src')
    video.load()
  }
}

/** Scene is the part of a recording's pictures with the board. */
class Scene {
  found: Place | null = null
  reads = 0
  private crop = canvas(1, 1)
  private seen: Uint8ClampedArray | null = null // of the picture that was read last
  private sure = 0 // when a board was last read for certain, in seconds
  private searched = -searchPause
  private fresh = false // the place was found on this picture

  constructor(private readonly video: HTMLVideoElement, private readonly signal: AbortSignal) {}

  /** changed reports whether the picture looks different from that which was read last. Compression changes pixels a little. */
  changed(): boolean {
    const { video, found } = this
    if (!found) return true
    const { left = 0, top = 0, width = 1, height = 1 } = found.frame
    const { width: w, height: h } = this.crop.canvas
    this.crop.drawImage(video, left * video.videoWidth, top * video.videoHeight, width * video.videoWidth, height * video.videoHeight, 0, 0, w, h)
    const now = this.crop.getImageData(0, 0, w, h).data
    const before = this.seen
    let different = before ? 0 : 12
    for (let i = 0; before && i < now.length && different < 12; i += 4) {
      if (Math.abs(now[i]! - before[i]!) + Math.abs(now[i + 1]! - before[i + 1]!) + Math.abs(now[i + 2]! - before[i + 2]!) > 40) different++
    }
    if (different < 12) return false
    this.seen = now
    return true
  }

  /** board reads the picture, at a time in seconds: where the board was before, or wherever it is. */
  async board(at: number): Promise<PictureBoard | null> {
    if ((!this.found || at - this.sure > 1) && at - this.searched >= searchPause) {
      this.searched = at
      await this.search(at)
    }
    if (!this.found) return null
    const { size } = this.found
    if (this.fresh) this.changed()
    this.fresh = false
    const read = await this.patiently(this.crop.canvas, { size })
    if (read.doubts.length === 0) this.sure = at
    return read
  }

  /** search looks for a board. */
  private async search(at: number) {
    const { videoWidth: w, videoHeight: h } = this.video
    const scale = Math.min(1, largest / Math.max(w, h))
    const whole = canvas(Math.round(w * scale), Math.round(h * scale))
    whole.imageSmoothingQuality = 'high'
    whole.drawImage(this.video, 0, 0, whole.canvas.width, whole.canvas.height)
    const read = await this.patiently(whole.canvas).catch((e: unknown) => {
      if (e instanceof NoBoard) return null
      throw e
    })
    if (!read || read.grid || read.doubts.length > 0) return
    const [rows = 0, cols = 0] = [read.board.length, read.board[0]?.length]
    this.found = { size: `${rows}x${cols}`, frame: read.frame }
    this.crop = canvas(cellPixels * cols, cellPixels * rows)
    this.crop.imageSmoothingQuality = 'high'
    this.seen = null
    this.sure = at
    this.fresh = true
  }

  /** patiently reads a picture again while the server reads others. */
  private async patiently(picture: HTMLCanvasElement, at = {}): Promise<PictureBoard> {
    for (let tries = 0; ; tries++) {
      try {
        this.reads++
        return await readPicture(picture, this.signal, at)
      } catch (e) {
        if (!busy(e) || tries === 20) throw e
        await new Promise((done) => setTimeout(done, 250))
      }
    }
  }
}

/** troubleOf returns what to tell of an error. */
export const troubleOf = (e: unknown) => (e instanceof NoBoard ? 'No board is found in the recording: must show the whole board of a 2048 game, upright.' : complaint(e, 'review.footage: '))
