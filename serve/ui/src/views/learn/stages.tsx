// Stages: boards of real games, from which a sum of tiles is to be made, and how often the visitor and the
// player champion make it.

import { useState } from 'preact/hooks'
import { boardOf, percent, sum, whole } from '../../base/format'
import { go } from '../../base/route'
import { rich, t } from '../../base/text'
import { shape } from '../../parts/board'
import { Table } from '../../parts/table'
import { Button, Card } from '../../parts/ui'
import { any } from '../../state/follow'
import { unfinished } from '../../state/gamestorage'
import { from, type Kept, placeOf } from '../../state/kept'
import { champion, type StageBoards, stages, tilesOf } from '../../state/learn'
import { learn, learned, type Rate } from '../../state/learned'
import type { GameState } from '../../types'
import { MatchGame } from '../today/matchgame'

const nameOf = (s: StageBoards) => `${whole(s.from)} → ${whole(s.to)}`

/** yours says how often the visitor makes a stage. */
const yours = (r: Rate | undefined) =>
  r && r.games > 0 ? t('{share} of {n}', { share: percent(r.made / r.games), n: r.games }) : '–'

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

/** Stages lists the stages, or plays one: part is the sum that it ends with. */
export function Stages({ part, modes }: { part: string; modes: preact.ComponentChildren }) {
  const stage = stages.find((s) => String(s.to) === part)
  return stage ? <OneStage key={part} of={stage} modes={modes} /> : <AllStages modes={modes} />
}

function AllStages({ modes }: { modes: preact.ComponentChildren }) {
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
                  to={`learn/stages/${s.to}`}
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

/** begun returns the game of a stage that waits, or a new one. */
const begun = (s: StageBoards): Kept =>
  waiting(s) ?? { ...from(tilesOf(any(s.boards))), keep: true, stage: s.to }

function OneStage({ of: s, modes }: { of: StageBoards; modes: preact.ComponentChildren }) {
  const [kept, begin] = useState(() => begun(s))
  const [now, setNow] = useState({ sum: sum(boardOf(kept.start ?? '')), over: false, moves: kept.count })
  const made = now.sum >= s.to
  const ended = made || now.over
  const change = (k: Kept, { board, over, moves }: GameState) => {
    const total = sum(board)
    if (over || total >= s.to) count(s.to, k.uid ?? '', total >= s.to)
    setNow({ sum: total, over, moves })
  }
  const all = <Button key="all" to="learn/stages" text={t('All stages')} />
  const again = <Button key="again" kind="main" onClick={() => begin(begun(s))} text={t('Play it again')} />
  return (
    <div class="arena">
      <div class="boardside practising" style={shape('4x4')}>
        {modes}
        <p class="task">{t('Make the tiles sum up to {n}.', { n: s.to })}</p>
        <MatchGame
          key={kept.uid}
          kept={kept}
          ended={[again, all]}
          actions={[<GiveUp key="give" of={s} kept={kept} moves={now.moves} />, all]}
          onChange={change}
        />
      </div>
      <Card title={nameOf(s)}>
        <p>{rich('Now the sum of the tiles is {sum}.', { sum: <b id="sum">{whole(now.sum)}</b> })}</p>
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
        {!ended && <p class="dim">{t('The game waits for you when you leave.')}</p>}
      </Card>
    </div>
  )
}

function GiveUp({ of: s, kept, moves }: { of: StageBoards; kept: Kept; moves: number }) {
  return (
    <Button
      onClick={() => {
        if (moves > 0) count(s.to, kept.uid ?? '', false)
        go('learn/stages')
      }}
      text={t('Give up')}
    />
  )
}
