// The part of Play under the board: buttons, hints, and the grades of the visitor's own moves.
import { useEffect, useState } from 'preact/hooks'
import { boardOf, boardText } from '../../base/boards'
import { go } from '../../base/route'
import { rich, t, whole } from '../../base/text'
import { useRequest } from '../../engine/net'
import { Class, Classes, figure } from '../../parts/accuracy'
import { boldMove, type Marks, Mini } from '../../parts/board'
import { about, ForWhom, Simpler, useGraded } from '../../parts/hints'
import { speedNames } from '../../parts/replay'
import { Alert, Button, Card, Figure, Item, Note, solveLink } from '../../parts/ui'
import { strongest } from '../../rules/rules'
import type { OwnGame } from '../../state/game'
import { accuracyOf, type Graded, type Grader } from '../../state/grading'
import { classInfo, classWord, lossText } from '../../state/judge'
import type { Pilot } from '../../state/pilot'
import { bestOf, refusal as noRoom } from '../../state/played'
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
      <Button icon="more" label={t('More')} onClick={p.onMore} />
    </div>
  )
}

/** Watched shows the buttons of a game that another player continues. */
const Watched = ({ g, pilot, onMore }: { g: OwnGame; pilot: Pilot; onMore: () => void }) => (
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
    <Button icon="more" label={t('More')} onClick={onMore} />
  </div>
)

/** OneHint shows the requested hint, and leads to its reasons. Before the first game it says how to play. */
export function OneHint({ g, hint }: { g: OwnGame; hint: Hint }) {
  const move = hint.current?.move
  const untried = g.state.moves === 0 && bestOf(g.kept).score === 0 // so the visitor may not know the game
  return (
    <>
      <p class="hint dim">
        {move
          ? rich('Best: {move}. {why}', {
              move: boldMove(move),
              why: <a href={`#${solveLink(g.state, g.kept.spawn)}`}>{t('Why?')}</a>,
            })
          : hint.wanted
            ? t('Thinking…')
            : untried && t('Swipe or press an arrow key. Two equal tiles merge. Can you make 2048?')}
      </p>
      {hint.current && <Simpler wanted="" d={hint.current} />}
      {hint.current && <ForWhom d={hint.current} />}
      <Alert text={hint.trouble} />
    </>
  )
}

export const Notes = ({ g, pilot }: { g: OwnGame; pilot: Pilot }) => (
  <>
    <Alert text={g.trouble || pilot.trouble} />
    <Note text={g.kept.watched && t('The computer plays a copy, which does not count. Your game waits.')} />
    <Note text={g.elsewhere && t('This game was continued in another tab; here is its newest state.')} />
    {(!g.stored || noRoom) && (
      <p class="bad" role="alert">
        {g.stored
          ? `${noRoom} ${t('Nothing is lost: this game and those you finish stay in another store of this browser.')}`
          : t('This browser cannot store any more, so new moves will be lost on a reload.')}{' '}
        <a href="#games">{t('Save a backup')}</a>
      </p>
    )}
  </>
)

export type Hint = ReturnType<typeof useHint>

/** useHint returns the hint for the shown board, if one was requested or if hints are live. */
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

/** gradeMarks returns the arrows for a move that was taken back. */
export function gradeMarks(g: Grader): Marks | null {
  const { last } = g
  if (!last?.back) return null
  return { best: g.better(last) ? last.best : null, played: last.move, word: classWord(last.class) }
}

/** Grade shows the grade of the last move. Its height stays the same. */
export function Grade({ of: g }: { of: Grader }) {
  const waits = g.tally.waiting.length
  return (
    <p class="opinion grade" role="status">
      {g.trouble ? (
        <span class="bad">{t('A move could not be graded: {why}', { why: g.trouble })}</span>
      ) : waits > 0 ? (
        <span class="dim">
          {g.loads ? t('Loading the network…') : t('{n|Grading…|Grading # moves…}', { n: waits })}
        </span>
      ) : g.last ? (
        <Opinion of={g.last} better={g.better(g.last)} />
      ) : (
        <span class="dim">{t('See after each move how good it was. Hints are off.')}</span>
      )}
    </p>
  )
}

function Opinion({ of: m, better }: { of: Graded; better: boolean }) {
  const loses = m.loss > 0 || m.lost ? lossText(m.loss, m.lost, m.goal) : ''
  const move = boldMove(m.move)
  return (
    <>
      <Class of={m.class} />{' '}
      {!m.back ? (
        loses && t('{loses}.', { loses })
      ) : loses ? (
        rich('{move} {loses}.', { move, loses })
      ) : (
        <>{move}.</>
      )}{' '}
      {better ? rich('Better: {move}.', { move: boldMove(m.best) }) : m.back && t('Another try?')}
    </>
  )
}

/** Grades is a card with the totals of the grades, and at the end of the game the worst moves. */
export function Grades({ of: g, over }: { of: Grader; over: boolean }) {
  const { tally } = g
  return (
    <Card title={t('Your moves')} class="grades">
      <dl class="figures">
        {over && <Figure main name={t('Accuracy')} value={figure(accuracyOf(tally))} />}
        <Figure name={t('Longest streak')} id="longest" value={whole(tally.longest)} />
        <Figure name={t('Taken back')} id="back" value={whole(tally.back)} />
      </dl>
      <Classes count={(c) => tally.classes[c] ?? 0} measured={g.measured} />
      {over && tally.worst.length > 0 ? (
        <>
          <h3 class="dim">{t('Worst moves')}</h3>
          <ol class="list worst">
            {tally.worst.map((m) => (
              <Item key={m.turn} onClick={() => go(`solve/${m.board}/${m.score}`)}>
                <Mini board={boardOf(m.board)} />
                <span>
                  {t('Move {n}:', { n: m.turn + 1 })} {boldMove(m.move)}
                  <br />
                  <span data-class={m.class}>
                    {classInfo[m.class].sign} {classInfo[m.class].name}: {lossText(m.loss, m.lost, m.goal)}
                  </span>
                  <br />
                  {rich('Better: {move}', { move: boldMove(m.best) })}
                </span>
              </Item>
            ))}
          </ol>
        </>
      ) : (
        <p class="dim">
          {t('Only your first move at each turn counts. A streak is a run of best and good moves.')}
        </p>
      )}
    </Card>
  )
}
