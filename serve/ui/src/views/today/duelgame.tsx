// What the views of duels share: a duel's name, its game, and its link.

import { useEffect, useState } from 'preact/hooks'
import { sizeText } from '../../base/format'
import { go } from '../../base/route'
import { t } from '../../base/text'
import { complaint } from '../../engine/net'
import { pageAddress, Share } from '../../parts/share'
import { addressOf, type Duel, goalName, idOf, keep, type Match, ownOf } from '../../state/duels'
import { dateOfMatch, dateText } from '../../state/today'

/** useLoaded loads something; again does so again. */
export function useLoaded<T>(load: () => Promise<T>) {
  const [found, setFound] = useState<T | null>(null)
  const [trouble, setTrouble] = useState('')
  const again = () => load().then(setFound, (e: unknown) => setTrouble(complaint(e)))
  useEffect(() => void again(), [])
  return { found, trouble, again }
}

/** nameOf says what a duel is about. */
export function nameOf(m: Match): string {
  const date = dateOfMatch(m)
  return date ? t('Board of {date}', { date: dateText(date) }) : `${sizeText(m.size)}, ${goalName(m.goal)}`
}

/** play keeps a duel, and opens its game. */
export async function play(d: Duel) {
  await keep(d)
  const date = dateOfMatch(d)
  go(date ? `today/${date}` : `today/duel/${idOf(d)}/play`)
}

/** ShareDuel makes the link of a duel: it has the game of the friend whom it answers, and the visitor's. */
export function ShareDuel({ duel, name, kind }: { duel: Duel; name: string; kind: string }) {
  const answers = duel.others.slice(-1)
  const address = () => {
    keep(duel).catch(() => {})
    return pageAddress(`today/duel/${addressOf(duel, [...answers, ...ownOf(duel)])}`)
  }
  const says = !duel.mine
    ? t('It carries the board. Your friend plays it, and answers with a link.')
    : answers.length > 0
      ? t('It carries both games. Whoever opens it sees the comparison.')
      : t('It carries the board and your game. Your friend plays the same board, and answers with a link.')
  return <Share kind={kind} name={name} says={says} address={address} />
}
