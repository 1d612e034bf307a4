// What the views of duels share: a duel's name, its game in Play, and its link.

import { dateLocale } from '../../base/format'
import { go } from '../../base/route'
import { t } from '../../base/text'
import { pageAddress, Share } from '../../parts/share'
import {
  addressOf,
  type Duel,
  dayOf,
  drop,
  gameOf,
  goalName,
  keep,
  type Match,
  ownOf,
} from '../../state/duels'
import { theGame } from '../../state/game'
import { unfinished } from '../../state/gamestorage'
import { placeOf } from '../../state/kept'

export const dayText = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'long', year: 'numeric' })

/** nameOf says what a duel is about. */
export function nameOf(m: Match): string {
  const day = dayOf(m)
  return day
    ? t('Board of {date}', { date: dayText.format(day) })
    : `${m.size.replace('x', '\u00a0×\u00a0')}, ${goalName(m.goal)}`
}

/** play opens the game of a duel in Play, and keeps the duel. */
export async function play(d: Duel) {
  await keep(d)
  const game = gameOf(d, d.mine)
  theGame().begin(unfinished(placeOf(game)) ?? game)
  go('play')
}

/** tidy removes the game of a duel that is over from those that wait, unless Play shows it. */
export function tidy(d: Duel) {
  if (placeOf(theGame().kept) !== placeOf(gameOf(d, null))) drop(d)
}

/** ShareDuel makes the link of a duel: it has the visitor's game, after that of the friend whom it answers. */
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
        return pageAddress(`play/duel/${addressOf(duel, games)}`)
      }}
    />
  )
}
