// Stages: boards of real games, to be played on to a given sum of tiles, and how often the visitor and a strong player do.
import { useState } from 'preact/hooks'
import { sum } from '../../base/boards'
import { go } from '../../base/route'
import { useRedraw } from '../../base/store'
import { percent, rich, t, whole } from '../../base/text'
import { shape } from '../../parts/board'
import { Button, Card, Table } from '../../parts/ui'
import { any } from '../../state/follow'
import { from, type Kept, placeOf } from '../../state/kept'
import { type StageBoards, stages, tilesOf } from '../../state/learn'
import { learn, learned } from '../../state/learned'
import { dropGame, unfinished } from '../../state/played'
import type { GameState } from '../../types'
import { MatchGame } from '../play/gameboard'
import { Modes, WithoutBoard } from './task'

const nameOf = (s: StageBoards) => `${whole(s.from)} → ${whole(s.to)}`

/** yours says how often the visitor completes a stage. */
const yours = (s: StageBoards) => {
  const r = learned().stages[s.to]
  return r ? t('{share} of {n}', { share: percent(r.made / r.games), n: r.games }) : '–'
}

const place = (s: StageBoards) => placeOf({ size: '4x4', spawn: 'random', seed: 0, stage: s.to })

/** count counts the finished game of a stage, and removes it from the unfinished games. */
function count(s: StageBoards, made: boolean) {
  if (!unfinished(place(s))) return
  dropGame(place(s))
  learn(({ stages }) => {
    const r = stages[s.to] ?? { games: 0, made: 0 }
    return { stages: { ...stages, [s.to]: { games: r.games + 1, made: r.made + Number(made) } } }
  })
}

/** Stages lists the stages, or plays the stage that ends with the sum in part. */
export function Stages({ part }: { part: string }) {
  const stage = stages.find((s) => String(s.to) === part)
  return stage ? <OneStage key={part} of={stage} /> : <AllStages />
}

function AllStages() {
  const redraw = useRedraw()
  return (
    <WithoutBoard title={t('Stages')}>
      <p>
        {t(
          'Start from a board of a real game, and play until the sum of its tiles reaches the end of the stage. Undo and hints are off.',
        )}
      </p>
      <Table
        label={t('Stages')}
        table={{ class: 'stages' }}
        rows={stages}
        id={(s) => s.to}
        columns={[
          { name: t('Sum of tiles'), cell: nameOf },
          { name: t('You'), number: yours },
          { name: t('Strong player'), number: (s) => percent(s.champion) },
          {
            name: t('Play@verb'),
            unseen: true,
            number: (s) => (
              <Button
                kind="small"
                to={`learn/stages/${s.to}`}
                text={unfinished(place(s)) ? t('Continue') : t('Play@verb')}
                about={nameOf(s)}
              />
            ),
          },
        ]}
      />
      <p class="dim">
        {t(
          'The share of games in which a strong player of this program completes the stage. A game that you give up counts as lost.',
        )}
      </p>
      {Object.keys(learned().stages).length > 0 && (
        <Button
          kind="plain small"
          onClick={() => {
            learn(() => ({ stages: {} }))
            redraw()
          }}
          text={t('Reset your results')}
        />
      )}
    </WithoutBoard>
  )
}

/** begun returns the unfinished game of a stage, or a new one. */
const begun = (s: StageBoards): Kept =>
  unfinished(place(s)) ?? { ...from(tilesOf(any(s.boards))), keep: true, stage: s.to }

function OneStage({ of: s }: { of: StageBoards }) {
  const [kept, begin] = useState(() => begun(s))
  const [now, setNow] = useState({ sum: 0, ended: false, moves: 0 })
  const change = (_: Kept, { board, over, moves }: GameState) => {
    const total = sum(board)
    const ended = over || total >= s.to
    if (ended) count(s, total >= s.to)
    setNow({ sum: total, ended, moves })
  }
  const giveUp = () => {
    if (now.moves > 0) count(s, false)
    go('learn/stages')
  }
  const all = <Button key="all" to="learn/stages" text={t('All stages')} />
  const again = <Button key="again" kind="main" onClick={() => begin(begun(s))} text={t('Play it again')} />
  return (
    <div class="arena">
      <div class="boardside practising" style={shape('4x4')}>
        <Modes />
        <p class="task">{t('Make the tiles sum up to {n}.', { n: s.to })}</p>
        <MatchGame
          key={kept.uid}
          kept={kept}
          ended={[again, all]}
          actions={[<Button key="give" onClick={giveUp} text={t('Give up')} />, all]}
          onChange={change}
        />
      </div>
      <Card title={nameOf(s)}>
        <p>{rich('Now the sum of the tiles is {sum}.', { sum: <b id="sum">{whole(now.sum)}</b> })}</p>
        <p>
          {rich('You: {yours}. A strong player: {strong}.', {
            yours: <b id="yours">{yours(s)}</b>,
            strong: <b>{percent(s.champion)}</b>,
          })}
        </p>
        {!now.ended && <p class="dim">{t('The game is kept if you leave.')}</p>}
      </Card>
    </div>
  )
}
