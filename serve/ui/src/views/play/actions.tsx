// The buttons under the board of Play, hints, and what there is to say there.
import { useEffect, useState } from 'preact/hooks'
import { boardText } from '../../base/boards'
import { rich, t } from '../../base/text'
import { useRequest } from '../../engine/net'
import { boldMove } from '../../parts/board'
import { about, Simpler, useGraded } from '../../parts/hints'
import { speedNames } from '../../parts/replay'
import { Alert, Button, Note, solveLink } from '../../parts/ui'
import { strongest } from '../../rules/rules'
import type { OwnGame } from '../../state/game'
import type { Grader } from '../../state/grading'
import { classInfo } from '../../state/judge'
import type { Pilot } from '../../state/pilot'
import { refusal as noRoom } from '../../state/played'
import { hintOptions } from './sheet'

export function Actions(p: {
  g: OwnGame
  grades: Grader
  pilot: Pilot
  hint: Hint
  onNew: () => void
  onMore: () => void
}) {
  const { g, grades, pilot, hint } = p
  if (g.kept.watched) return <Watched g={g} pilot={pilot} onMore={p.onMore} />
  const { last } = grades
  const mistaken = grades.on && grades.mistaken
  return (
    <div class="buttons acts">
      <Button
        icon="undo"
        label={t('Undo')}
        keys="U"
        kind={mistaken ? 'bad' : ''}
        disabled={!g.state.moves}
        onClick={() => g.undo()}
        text={mistaken ? t('Take back') : t('Undo')}
      />
      {grades.on ? (
        <Button
          label={t('Show better move')}
          disabled={!last || !classInfo[last.class].bad || grades.better(last)}
          onClick={() => last && grades.reveal(last)}
          text={t('Better move')}
        />
      ) : (
        <Button
          icon="hint"
          keys="Space"
          pressed={hint.wanted}
          disabled={hint.live}
          onClick={hint.ask}
          text={t('Hint')}
        />
      )}
      <Button icon="add" label={t('New game')} keys="N" onClick={p.onNew} text={t('New')} />
      <More onClick={p.onMore} />
    </div>
  )
}

const More = ({ onClick }: { onClick: () => void }) => (
  <Button icon="more" label={t('More')} onClick={onClick} />
)

/** Watched are the buttons of a game that another player goes on with. */
function Watched({ g, pilot, onMore }: { g: OwnGame; pilot: Pilot; onMore: () => void }) {
  return (
    <div class="buttons acts">
      <Button
        kind="main"
        icon={pilot.running ? 'pause' : 'start'}
        onClick={() => (pilot.running ? pilot.stop() : pilot.start())}
        text={pilot.running ? t('Take over') : t('Hand back')}
      />
      <Button label={t('Speed')} onClick={() => pilot.faster()} text={speedNames[pilot.speed]} />
      <Button
        icon="back"
        onClick={() => {
          pilot.stop()
          g.takeBack()
        }}
        text={t('My game')}
      />
      <More onClick={onMore} />
    </div>
  )
}

/** OneHint says the hint that was asked for, and leads to its reasons. */
export function OneHint({ g, hint }: { g: OwnGame; hint: Hint }) {
  const move = hint.current?.move
  return (
    <>
      <p class="hint dim">
        {move
          ? rich('Best: {move}. {why}', {
              move: boldMove(move),
              why: <a href={`#${solveLink(g.state, g.kept.spawn)}`}>{t('Why?')}</a>,
            })
          : hint.wanted && t('Thinking…')}
      </p>
      {hint.current && <Simpler wanted="" d={hint.current} />}
      <Alert text={hint.trouble} />
    </>
  )
}

export function Notes({ g, pilot }: { g: OwnGame; pilot: Pilot }) {
  return (
    <>
      <Alert text={g.trouble || pilot.trouble} />
      <Note text={g.kept.watched && t('The computer plays a copy, which does not count. Your game waits.')} />
      <Note text={g.elsewhere && t('This game was continued in another tab; here is its newest state.')} />
      {(!g.stored || noRoom) && (
        <p class="bad" role="alert">
          {g.stored
            ? `${noRoom} ${t('Nothing is lost: this game and those that you finish wait in another place.')}`
            : t('This browser cannot store any more, so new moves will be lost on a reload.')}{' '}
          <a href="#games">{t('Save a backup')}</a>
        </p>
      )}
    </>
  )
}

export type Hint = ReturnType<typeof useHint>

/** useHint returns the hint for the board that is shown, if one was asked for, or if hints are live. */
export function useHint(g: OwnGame, off: boolean) {
  const [once, setOnce] = useState('') // the board that a single hint is for
  const live = hintOptions().live
  const { state } = g
  const text = boardText(state.board)
  const on = !off && !state.over && (live || once === text)
  const player = strongest(g.kept.spawn)
  const decision = useRequest('analyze', on ? about(state.board, state.score, player) : null)
  const current = useGraded(decision.current, on ? state.board : null, player)
  useEffect(() => {
    if (current) g.help()
  }, [current !== null, text])
  return {
    live,
    current,
    trouble: decision.trouble,
    wanted: current !== null || decision.busy,
    ask: () => off || live || setOnce(once === text ? '' : text),
  }
}
