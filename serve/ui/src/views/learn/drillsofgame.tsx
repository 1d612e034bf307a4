// The mistakes of a reviewed game as drills.

import { useEffect, useState } from 'preact/hooks'
import { t } from '../../base/text'
import { link } from '../../engine/net'
import { Button, Card } from '../../parts/ui'
import { addDrills, drillOf, due, useDrills } from '../../state/drills'
import { alive, found, isMistake, type Judged, worst } from '../../state/judge'
import { own } from '../../state/levels'
import type { ReviewSummary } from '../../types'

/** perGame is the number of drills that one game gives: its worst mistakes. */
const perGame = 10

/** DrillsOfGame turns the worst mistakes into drills, unless the game was lost already: those of one's own
    games by itself, others on request. */
export function DrillsOfGame(p: { record: string; info: ReviewSummary; judged: Judged | null }) {
  const { record, info, judged } = p
  const all = useDrills()
  const [added, setAdded] = useState<number | null>(null)
  const known = found(judged, info.moves) === 1
  const mistakes =
    judged && known
      ? worst(
          judged.moves.filter((m) => isMistake(m) && alive(judged.chance, m.move)),
          perGame,
        )
      : []
  const mine = info.player === own
  const from = (move: number) => {
    const holes = { n: String(move + 1), points: String(info.score) }
    const player = info.player || t('an unknown player')
    return mine
      ? t('Move {n} of your game with {points} points', holes)
      : t('Move {n} of a game of {player} with {points} points', { ...holes, player })
  }
  const add = async () => {
    const made = await Promise.all(
      mistakes.map(async (m) => {
        const at = await link.insist('review.show', { record, move: m.move })
        return drillOf(m, at.board, at.score, from(m.move))
      }),
    )
    setAdded(addDrills(made))
  }
  useEffect(() => {
    setAdded(null)
    if (mine && mistakes.length > 0) add().catch(() => {}) // the next review of the game adds them
  }, [record, known])
  if (mistakes.length === 0) return null
  const waiting = due(all).length
  return (
    <Card title={t('Learn')}>
      {added === null && !mine ? (
        <p class="dim">
          {t(
            'The worst mistakes of this game can be practised: the positions come back until you find the right moves.',
          )}
        </p>
      ) : (
        <p class="dim" role="status">
          {added
            ? t('{n} {n|position|positions} of this game {n|is|are} new in Learn.', { n: added })
            : t('The worst mistakes of this game are in Learn.')}{' '}
          {t('They come back until you find the right moves.')}
        </p>
      )}
      <div class="row">
        {!mine && added === null && <Button onClick={add} text={t('Practise these mistakes')} />}
        {waiting > 0 && (
          <Button
            kind={mine || added !== null ? 'main' : ''}
            icon="learn"
            to="learn/mistakes"
            text={t('Practise now ({n} due)', { n: waiting })}
          />
        )}
      </div>
    </Card>
  )
}
