// The list of your games: a tap reviews one.
import { useState } from 'preact/hooks'
import { dateLocale, exponent, minute, share, sizeText, whole } from '../../base/format'
import { t } from '../../base/text'
import { complaint } from '../../engine/net'
import { figure } from '../../parts/accuracy'
import { ruleName } from '../../parts/fields'
import { Alert, Button, Card, Dialog, Figure, Icon } from '../../parts/ui'
import { hashOf } from '../../state/gamelinks'
import { recordOf } from '../../state/kept'
import { forget, type PlayedGame } from '../../state/played'
import { review } from '../../state/reviewed'
import { accuracyOf, luckOf } from '../../state/strength'

export const percent = (x: number | null) => (x === null ? '–' : share(x))
export const tileText = (tile: number) => (tile > 0 ? whole(tile) : '–')

export const dateText = (when: number) =>
  new Date(when).toLocaleDateString(dateLocale, {
    day: 'numeric',
    month: 'short',
    ...(new Date(when).getFullYear() !== new Date().getFullYear() && { year: 'numeric' }),
  })

const page = 15 // games that are listed at once

/** open reviews a game, and passes on why it cannot. */
function open(g: PlayedGame, onTrouble: (trouble: string) => void) {
  try {
    review(recordOf(g), g.over)
  } catch (e) {
    onTrouble(complaint(e))
  }
}

export function GameList(p: { games: PlayedGame[]; level: string; onShow: (g: PlayedGame) => void }) {
  const { games, level } = p
  const [most, setMost] = useState(page)
  const [trouble, setTrouble] = useState('')
  return (
    <Card title={t('Games')} side={<span class="dim">{whole(games.length)}</span>}>
      <Alert text={trouble} />
      <ul class="list" id="games">
        {games.slice(0, most).map((g) => (
          <li key={g.uid} class="slot">
            <button type="button" class="played" onClick={() => open(g, setTrouble)}>
              <i class="chip" data-e={exponent(g.largest)} data-n={String(g.largest).length}>
                {g.largest || ''}
              </i>
              <span>
                <b>{whole(g.score)}</b>
                <small class="dim">
                  {dateText(g.when)} · {sizeText(g.size)}
                </small>
              </span>
              <span class="dim">{figure(accuracyOf(g, level))}</span>
            </button>
            <button
              type="button"
              class="button plain"
              aria-label={t('More about the game with {n} points', { n: g.score })}
              onClick={() => p.onShow(g)}
            >
              <Icon name="more" />
            </button>
          </li>
        ))}
      </ul>
      {games.length > most && <Button onClick={() => setMost(most + 5 * page)} text={t('Show more')} />}
    </Card>
  )
}

/** GameDialog has the figures of a game; it is reviewed, replayed or deleted there. */
export function GameDialog(p: { game: PlayedGame; level: string; onClose: () => void }) {
  const { game: g, level, onClose } = p
  const [deleting, setDeleting] = useState(false)
  const [trouble, setTrouble] = useState('')
  const bad = g.review && g.review.game.classes.mistake + g.review.game.classes.blunder
  return (
    <Dialog title={minute.format(g.when)} onClose={onClose}>
      <p class="dim">
        {sizeText(g.size)}
        {g.spawn !== 'random' && `, ${t('new tiles {rule}', { rule: ruleName(g.spawn) })}`}
        {g.start !== undefined && `, ${t('from a board that you chose')}`}, {t('{n} moves', { n: g.count })}
        {!g.over && `, ${t('not finished')}`}
      </p>
      <dl class="figures">
        <Figure main name={t('Score')} value={whole(g.score)} />
        <Figure name={t('Largest tile')} value={tileText(g.largest)} />
        <Figure name={t('Accuracy')} value={figure(accuracyOf(g, level))} />
        <Figure name={t('Mistakes')} value={bad === null ? '–' : whole(bad)} />
        <Figure name={t('Luckier than')} value={percent(luckOf(g))} />
      </dl>
      <Alert text={trouble} />
      {deleting && <p>{t('Delete this game for good?')}</p>}
      {deleting ? (
        <div class="row fill">
          <Button
            onClick={() => forget(g.uid).then(onClose, (e: unknown) => setTrouble(complaint(e)))}
            text={t('Delete it')}
          />
          <Button kind="main" onClick={() => setDeleting(false)} text={t('Keep it')} />
        </div>
      ) : (
        <div class="row fill">
          <Button kind="main" onClick={() => open(g, setTrouble)} text={t('Review')} />
          <Button to={`play/${hashOf(g, 0)}`} text={t('Replay')} />
          <Button kind="plain" onClick={() => setDeleting(true)} text={t('Delete')} />
        </div>
      )}
    </Dialog>
  )
}
