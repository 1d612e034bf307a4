// The mistakes of a reviewed game as drills.
import { useEffect, useState } from 'preact/hooks'
import { t } from '../../base/text'
import { link } from '../../engine/net'
import { Button, Card } from '../../parts/ui'
import { addDrills, drillOf, due, useDrills } from '../../state/drills'
import { alive, found, isMistake, type Judged, worst } from '../../state/judge'
import { own } from '../../state/strength'
import type { ReviewSummary } from '../../types'

const perGame = 10 // maximum number of drills from one game

/** DrillsOfGame turns the worst mistakes into drills, unless the game was already lost there: automatically for
    the visitor's own games, on request for others. */
export function DrillsOfGame(p: { record: string; info: ReviewSummary; judged: Judged | null }) {
  const { record, info, judged } = p
  const all = useDrills()
  const [added, setAdded] = useState<number | null>(null)
  const known = found(judged, info.moves) === 1
  const bad = judged && known ? judged.moves.filter((m) => isMistake(m) && alive(judged.chance, m.move)) : []
  const mistakes = worst(bad, perGame)
  const mine = info.player === own
  const player = info.player || t('an unknown player')
  const add = async () => {
    const drills = mistakes.map(async (m) => {
      const { board, score } = await link.insist('review.show', { record, move: m.move })
      const holes = { n: String(m.move + 1), points: String(info.score) }
      const from = mine
        ? t('Move {n} of your game with {points} points', holes)
        : t('Move {n} of a game of {player} with {points} points', { ...holes, player })
      return drillOf(m, board, score, from)
    })
    setAdded(addDrills(await Promise.all(drills)))
  }
  useEffect(() => {
    setAdded(null)
    if (mine && mistakes.length > 0) add().catch(() => {}) // if this fails, the next review adds them
  }, [record, known])
  if (mistakes.length === 0) return null
  const offered = added === null && !mine
  const waiting = due(all).length
  return (
    <Card title={t('Learn')}>
      <p class="dim" role="status">
        {offered
          ? t('The worst mistakes of this game can be practised.')
          : added
            ? t('{n} {n|position|positions} of this game {n|is|are} new in Learn.', { n: added })
            : t('The worst mistakes of this game are in Learn.')}{' '}
        {t('They come back until you find the right moves.')}
      </p>
      <div class="row">
        {offered && <Button onClick={add} text={t('Practise these mistakes')} />}
        {waiting > 0 && (
          <Button
            kind={offered ? '' : 'main'}
            icon="learn"
            to="learn/mistakes"
            text={t('Practise now ({n} due)', { n: waiting })}
          />
        )}
      </div>
    </Card>
  )
}
