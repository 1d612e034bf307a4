// Short tones of a game: one for the largest tile that a move merges; three for a new largest tile, a new best score or
// the end of the game.
import { exponent, largest } from '../base/boards'
import type { GameState } from '../types'

let audio: AudioContext | null = null

const steps = [0, 2, 4, 7, 9] // semitones of a pentatonic scale: any two of its tones sound good together

/** pitch returns the frequency of a tile, higher for larger tiles. */
const pitch = (tile: number) =>
  165 * 2 ** (Math.floor(exponent(tile) / 5) + (steps[exponent(tile) % 5] ?? 0) / 12)

function tone(context: AudioContext, hertz: number, after: number, seconds: number) {
  const at = context.currentTime + after
  const wave = context.createOscillator()
  const volume = context.createGain()
  wave.type = 'triangle'
  wave.frequency.value = hertz
  volume.gain.setValueAtTime(0.12, at)
  volume.gain.exponentialRampToValueAtTime(0.001, at + seconds)
  wave.connect(volume).connect(context.destination)
  wave.start(at)
  wave.stop(at + seconds)
}

/** sound plays the tones of a state's last move. before is the largest tile before the move; best is true if
    the score is a new best score. */
export function sound({ board, step, over }: GameState, before: number, best = false) {
  const merged = step?.motions.filter((m) => m.merged).map((m) => board.flat()[m.to] ?? 0) ?? []
  if (merged.length === 0 && !over) return
  audio ??= new AudioContext()
  if (audio.state === 'suspended') void audio.resume()
  const hertz = pitch(Math.max(4, ...merged))
  const now = largest(board)
  if (over) for (const [i, below] of [1, 0.8, 0.6].entries()) tone(audio, 330 * below, 0.16 * i, 0.4)
  else if (now > before || best)
    for (const [i, above] of [1, 1.25, 1.5].entries()) tone(audio, hertz * above, 0.09 * i, 0.25)
  else tone(audio, hertz, 0, 0.12)
}
