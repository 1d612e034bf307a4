// What the views of duels share: a duel's name, its game, and its link.

import { go } from '../../base/route'
import { t } from '../../base/text'
import { pageAddress, Share } from '../../parts/share'
import { addressOf, type Duel, goalName, idOf, keep, type Match, ownOf } from '../../state/duels'
import { dateOfMatch, dateText } from '../../state/today'

/** nameOf says what a duel is about. */
export function nameOf(m: Match): string {
  const date = dateOfMatch(m)
  return date
    ? t('Board of {date}', { date: dateText(date) })
    : `${m.size.replace('x', '\u00a0×\u00a0')}, ${goalName(m.goal)}`
}

/** play keeps a duel, and opens its game. */
export async function play(d: Duel) {
  await keep(d)
  const date = dateOfMatch(d)
  go(date ? `today/${date}` : `today/duel/${idOf(d)}/play`)
}

/** ShareDuel makes the link of a duel: it has the visitor's game, after that of the friend whom it answers.
 */
export function ShareDuel({ duel, name, kind }: { duel: Duel; name: string; kind?: string }) {
  const answers = duel.others.at(-1)
  const games = [...(answers ? [answers] : []), ...ownOf(duel)]
  const says =
    answers && duel.mine
      ? t('It carries both games. Whoever opens it sees the comparison.')
      : duel.mine
        ? t('It carries the board and your game. Your friend plays the same board, and answers with a link.')
        : t('It carries the board. Your friend plays it, and answers with a link.')
  return (
    <Share
      kind={kind}
      name={name}
      says={says}
      address={() => {
        keep(duel).catch(() => {})
        return pageAddress(`today/duel/${addressOf(duel, games)}`)
      }}
    />
  )
}
