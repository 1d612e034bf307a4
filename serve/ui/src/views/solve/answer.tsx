// What players say of a board in Ask: the value of each move.
import { useRef } from 'preact/hooks'
import { brief, dirNames, percent, shown, worth } from '../../base/format'
import { t } from '../../base/text'
import { moveText } from '../../parts/board'
import {
  type Asked,
  about,
  Busy,
  effort,
  type Grades,
  graded,
  Simpler,
  unitText,
  useAsked,
} from '../../parts/hints'
import { PlayerField } from '../../parts/player'
import { Alert, Button } from '../../parts/ui'
import { type Board, type Decision, type Dir, dirs } from '../../types'

interface AnswerRow {
  player: string
  waiting: boolean // for a new tile: the last answer stays
  grades: Grades
  onChange: (player: string) => void
  onRemove?: () => void
}

/** Another asks a further player. */
export function Another(p: AnswerRow & { board: Board; score: number; solves: number }) {
  return (
    <Answer
      {...p}
      asked={useAsked('analyze', p.waiting ? null : about(p.board, p.score, p.player), p.solves)}
    />
  )
}

export function Answer({ asked, ...p }: AnswerRow & { asked: Asked<Decision> }) {
  const last = useRef<Decision | null>(null)
  const judging = !p.grades.own && !p.grades.moves
  if (asked.trouble) last.current = null
  else if (asked.current && !judging) last.current = graded(asked.current, p.grades)
  const d = last.current
  const busy = asked.busy || p.waiting || judging
  const scaled = d !== null && d !== undefined && dirs.some((x) => d.moves[x].class) // the values are shown apart
  return (
    <div class="stack tight">
      <div class="player">
        <PlayerField label={t('Player')} value={p.player} onChange={p.onChange} />
        {p.onRemove && <Button kind="plain small" onClick={p.onRemove} text={t('Remove')} about={p.player} />}
      </div>
      <Alert text={asked.trouble} />
      {busy && !d && <Busy work={p.waiting ? t('Waiting for the new tile.') : t('Thinking…')} />}
      {d && (
        <div class="scroll" aria-busy={busy}>
          <table>
            <caption class="unseen">{t('Values of {player}', { player: p.player })}</caption>
            <thead>
              <tr>
                <th scope="col">{t('Move')}</th>
                {scaled && <th scope="col">{t('How good')}</th>}
                <th scope="col" class="n">
                  {t('Value')}
                </th>
              </tr>
            </thead>
            <tbody>
              {dirs.map((x) => {
                const text = worth(d.moves[x], x === d.move, d.unit) || '–'
                const best = x === d.move ? ' best' : ''
                return (
                  <tr key={x}>
                    <th scope="row">{moveText(x)}</th>
                    {scaled && (
                      <td class={best} data-class={d.moves[x].class}>
                        {text}
                      </td>
                    )}
                    <td class={scaled ? 'n dim' : `n${best}`}>{scaled ? valueText(d, x) : text}</td>
                  </tr>
                )
              })}
            </tbody>
          </table>
          <Simpler asked={p.player} d={d} />
          <p class="dim">
            {busy ? `${t('Before:')} ` : ''}
            {d.move ? t('Best: {move}', { move: dirNames[d.move] }) : t('No moves left')} · {effort(d)}
            {d.player !== p.player && ` · ${t('by {player}', { player: d.player })}`}
          </p>
          <p class="dim">
            {unitText(d, p.grades.level)}
            {scaled &&
              ' ' +
                (d.unit === 'points'
                  ? t('Values: points still to come.')
                  : d.unit === 'chance'
                    ? t('Values: the chance to make the goal.')
                    : t('Values: the player’s own scale.'))}
          </p>
        </div>
      )}
    </div>
  )
}

/** valueText returns the value of a move in its unit. */
function valueText({ moves, unit }: Decision, x: Dir): string {
  const { value, bound } = moves[x]
  if (value === null) return '–'
  return (bound ? '≤ ' : '') + (unit === 'chance' ? percent(value) : brief(shown(value, unit)))
}
