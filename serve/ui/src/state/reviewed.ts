// The game that Review shows, and the position in it.
import { go } from '../base/route'

const key = 'afterstate.review'

/** review opens Review with the record of a game; with mistake, it begins at the move that cost the game. */
export function review(record: string, mistake = false) {
  setReviewed(record, mistake ? 'mistake' : 0)
  go('review')
}

export function setReviewed(record: string, at: number | 'mistake' = 0) {
  sessionStorage.setItem(key, record)
  setPlace(at)
}

export const reviewed = () => sessionStorage.getItem(key) ?? ''

/** setPlace stores the position to show: a number of moves, or mistake for the move that cost the game. */
export const setPlace = (at: number | 'mistake') => sessionStorage.setItem(`${key}.at`, String(at))

/** place is the inverse of setPlace. */
export function place(): number | 'mistake' {
  const at = sessionStorage.getItem(`${key}.at`)
  return at === 'mistake' ? at : Math.max(0, Math.trunc(Number(at)) || 0)
}
