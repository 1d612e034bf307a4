// Stages: boards of real games, from which a sum of tiles is to be made, and how often the visitor and the player champion make it.

import { useEffect, useState } from 'preact/hooks'
import { percent, sum, whole } from '../../base/format'
import { go } from '../../base/route'
import { rich, t } from '../../base/text'
import { Table } from '../../parts/table'
import { Button, Card } from '../../parts/ui'
import { any } from '../../state/follow'
import { theGame } from '../../state/game'
import { unfinished } from '../../state/gamestorage'
import { from, type Kept, placeOf } from '../../state/kept'
import { champion, type StageBoards, stages, tilesOf } from '../../state/learn'
import { learn, learned, type Rate } from '../../state/learned'
import type { GameState } from '../../types'

const nameOf = (s: StageBoards) => `${whole(s.from)} → ${whole(s.to)}`

/** yours says how often the visitor makes a stage. */
const yours = (r: Rate | undefined) =>
  r && r.games > 0 ? t('{share} of {n}', { share: percent(r.made / r.games), n: r.games }) : '–'

/** start continues the unfinished game of a stage, or begins one. */
function start(s: StageBoards) {
  const fresh: Kept = { ...from(tilesOf(any(s.boards))), keep: true, stage: s.to }
  theGame().begin(waiting(s) ?? fresh)
  go('play')
}

/** waiting returns the game of a stage that has not ended. */
function waiting(s: StageBoards): Kept | undefined {
  const k = unfinished(placeOf({ size: '4x4', spawn: 'random', seed: 0, stage: s.to }))
  return k && k.uid !== learned().stages[s.to]?.last ? k : undefined
}

/** count counts a game of a stage that has ended. */
function count(to: number, uid: string, made: boolean) {
  learn((now) => {
    const r = now.stages[to] ?? { games: 0, made: 0, last: '' }
    return r.last === uid
      ? {}
      : { stages: { ...now.stages, [to]: { games: r.games + 1, made: r.made + Number(made), last: uid } } }
  })
}

export function Stages({ modes }: { modes: preact.ComponentChildren }) {
  const [rates, setRates] = useState(() => learned().stages)
  return (
    <div class="stack" style={{ maxWidth: '40rem', margin: '0 auto' }}>
      {modes}
      <Card title={t('Stages')}>
        <p>
          {t(
            'Begin with a board of a real game, and play until its tiles have the next sum. Undo and hints are off.',
          )}
        </p>
        <Table
          label={t('Stages')}
          table={{ class: 'stages' }}
          rows={stages}
          id={(s) => s.to}
          columns={[
            { name: t('Sum of tiles'), cell: nameOf },
            { name: t('You'), number: (s) => yours(rates[s.to]) },
            { name: t('Champion'), number: (s) => percent(champion[s.from] ?? 0) },
            {
              name: t('Play'),
              unseen: true,
              number: (s) => (
                <Button
                  kind="small"
                  onClick={() => start(s)}
                  text={waiting(s) ? t('Continue') : t('Play')}
                  about={nameOf(s)}
                />
              ),
            },
          ]}
        />
        <p class="dim">
          {t(
            'Champion is a strong player of this program: the share of its games that make the stage. A game that you give up counts as lost.',
          )}
        </p>
        {Object.keys(rates).length > 0 && (
          <Button
            kind="plain small"
            onClick={() => {
              learn((now) => ({
                stages: Object.fromEntries(
                  Object.entries(now.stages).map(([k, r]) => [k, { games: 0, made: 0, last: r.last }]),
                ),
              }))
              setRates(learned().stages)
            }}
            text={t('Set your results to zero')}
          />
        )}
      </Card>
    </div>
  )
}

/** StageCard is shown beside the game of a stage in Play. */
export function StageCard({ kept, state }: { kept: Kept; state: GameState | null }) {
  const s = stages.find((x) => x.to === kept.stage)
  const now = state ? sum(state.board) : 0
  const made = now >= (kept.stage ?? 0)
  const ended = state !== null && (made || state.over)
  const [, counted] = useState(0)
  const end = (won: boolean) => {
    count(kept.stage ?? 0, kept.uid ?? '', won)
    counted((n) => n + 1)
  }
  useEffect(() => {
    if (ended) end(made)
  }, [kept.uid, ended])
  if (!s) return <div />
  return (
    <Card title={t('Stage')}>
      <p>
        <b>{nameOf(s)}</b>.{' '}
        {rich('Now the sum of the tiles is {sum}.', { sum: <b id="sum">{whole(now)}</b> })}
      </p>
      {ended && (
        <p class={made ? 'good' : 'bad'} role="status">
          {made ? t('You made the stage.') : t('No move is left, and the stage is not complete.')}
        </p>
      )}
      <p>
        {rich('You: {yours}. Champion: {champion}.', {
          yours: <b id="yours">{yours(learned().stages[s.to])}</b>,
          champion: <b>{percent(champion[s.from] ?? 0)}</b>,
        })}
      </p>
      <div class="row">
        {ended ? (
          <Button kind="main" onClick={() => start(s)} text={t('Play it again')} />
        ) : (
          <Button
            onClick={() => {
              if (state?.moves) end(false)
              go('learn/stages')
            }}
            text={t('Give up')}
          />
        )}
        <Button to="learn/stages" text={t('All stages')} />
      </div>
      {!ended && <p class="dim">{t('The game waits for you when you leave.')}</p>}
    </Card>
  )
}
