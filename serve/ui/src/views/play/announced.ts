import { dirNames, placeIn, spoken } from '../../base/format'
import { t } from '../../base/text'
import type { OwnGame } from '../../state/game'

/** announced returns what screen readers say of the last event. The end of each other text differs, so that
    the same one is said again. */
export const announced = (g: OwnGame) => what(g) + (g.events % 2 ? '\u00a0' : '')

function what({ state: s, event }: OwnGame): string {
  if (s.over) return ended(s)
  if (event === 'nothing')
    return s.paused_on_win ? t('You made {tile}!', { tile: '2048' }) : t('Nothing moves.')
  const parts: string[] = event === 'undo' ? [t('Move taken back')] : []
  if (s.step) {
    parts.push(dirNames[s.step.move])
    if (s.step.reward) parts.push(t('plus {n}', { n: s.step.reward }))
    const { cell, tile } = s.step.spawn
    parts.push(
      t('new {tile} in row {row}, column {column}', { tile, ...placeIn(cell, s.board[0]?.length ?? 1) }),
    )
  }
  if (s.paused_on_win) parts.push(t('{tile} reached', { tile: '2048' }))
  return `${[parts.join(', '), spoken(s.board), t('Score {n}', { n: s.score })].filter(Boolean).join('. ')}.`
}

const ended = (s: OwnGame['state']) =>
  (s.paused_on_win ? `${t('{tile} reached', { tile: '2048' })}. ` : '') +
  t('No moves left. Score {n}.', { n: s.score })
