// Play: the visitor's own game, or a game that a link holds.
import { useEffect, useState } from 'preact/hooks'
import { boardOf } from '../../base/boards'
import { direction, letter, onControl, redoes, undoes, useKeys } from '../../base/keys'
import { go } from '../../base/route'
import { useRedraw } from '../../base/store'
import { dirNames, t, whole } from '../../base/text'
import { figure } from '../../parts/accuracy'
import { shape, useAnnounce } from '../../parts/board'
import { later } from '../../parts/later'
import { Figure } from '../../parts/ui'
import { type OwnGame, theGame, useGame } from '../../state/game'
import { accuracyOf, Grader } from '../../state/grading'
import { cut, fresh, from, fromHash, type Kept, placeOf, refusal } from '../../state/kept'
import { Pilot } from '../../state/pilot'
import { bestOf, counts, onPlayed, slots, unfinished } from '../../state/played'
import { Actions, Grade, Grades, gradeMarks, Notes, OneHint, useHint } from './actions'
import { EndCard, Gained, GameBoard } from './gameboard'
import { focusBoard, Replacing, Sheet } from './sheet'

const Shared = later(async () => (await import('./shared')).SharedView)

let helpers: { grader: Grader; pilot: Pilot } | null = null

export function PlayView({ parts }: { parts: string[] }) {
  const shared = fromHash(parts)
  if (!shared) return <MyGame parts={parts} />
  return (
    <Shared
      key={parts.join('/')}
      kept={shared.kept}
      from={shared.at}
      onRefused={(why) => {
        theGame().trouble = t('The game in this link cannot be opened: {why}.', { why })
        go('play', true)
      }}
    />
  )
}

/** linked returns the game that a link starts: from a board, or from a move of a shared game. */
function linked([first, ...parts]: string[]): Kept | null {
  if (first === 'from') return from(boardOf(parts.join('/')))
  const shared = first === 'on' ? fromHash(parts) : null
  return shared && { ...cut(shared.kept, shared.at), ...(shared.at > 0 && { helped: true }) }
}

/** useStarts returns a function that starts another game, after confirmation if it replaces one; asking is the
    game that waits for confirmation. */
function useStarts(g: OwnGame, parts: string[]) {
  const [asking, ask] = useState<Kept | null>(null)
  const start = (k: Kept) => {
    const waiting = placeOf(k) === placeOf(g.kept) ? g.kept : unfinished(placeOf(k))
    const over = waiting === g.kept && g.state.over
    const safe = waiting && [k, ...slots()].some((x) => x.seed === waiting.seed && x.moves === waiting.moves)
    if (waiting && waiting.count - waiting.undone > 0 && !over && !safe) ask(k)
    else g.begin(k)
  }
  useEffect(() => {
    if (!parts.join('')) return
    const k = linked(parts)
    const why = k && refusal(k)
    if (k && !why) start(k)
    else {
      g.trouble = why
        ? t('The game in this link cannot be opened: {why}.', { why })
        : t('This link holds no game.')
      g.tell()
    }
    go('play', true)
  }, [parts.join('/')])
  return { start, asking, ask }
}

function MyGame({ parts }: { parts: string[] }) {
  const g = useGame()
  helpers ??= { grader: new Grader(g), pilot: new Pilot(g) }
  const { grader: grades, pilot } = helpers
  useRedraw(onPlayed)
  useRedraw(pilot.onChange)
  useEffect(() => () => pilot.stop(), [pilot])
  const [open, setOpen] = useState(false)
  const { start, asking, ask } = useStarts(g, parts)
  const { kept, state } = g
  const hint = useHint(g, grades.on || pilot.running)
  const restart = () => start(fresh(kept.size, kept.spawn))
  const move = (d: Parameters<typeof g.move>[0]) => {
    if (pilot.running) pilot.stop()
    g.move(d)
  }
  useKeys((e) => {
    const d = direction(e)
    if (undoes(e)) g.undo()
    else if (redoes(e)) g.redo()
    else if (letter(e) === 'n') restart()
    else if (e.key === ' ' && !onControl(e)) hint.ask()
    else if (d) move(d)
    else return false
    return true
  })
  const advised = useAnnounce(
    hint.current?.move ? t('Hint: {move}', { move: dirNames[hint.current.move] }) : '',
  )
  const ended = state.over || state.paused_on_win
  const openSheet = () => setOpen(true)
  const close = () => {
    setOpen(false)
    focusBoard()
  }
  const best = bestOf(kept)
  return (
    <div class={grades.on ? 'arena playing' : 'playing alone'}>
      <div class={grades.on ? 'boardside grading' : 'boardside'} style={shape(kept.size)}>
        <dl class="figures">
          <Figure main id="score" name={<Gained g={g} />} value={whole(state.score)} />
          {grades.on ? (
            <>
              <Figure name={t('Streak')} id="streak" value={whole(grades.tally.streak)} />
              <Figure name={t('Accuracy')} id="accuracy" value={figure(accuracyOf(grades.tally))} />
            </>
          ) : (
            <Figure
              id="best"
              name={best.helped && counts(kept) ? t('Best, with help') : t('Best')}
              value={counts(kept) ? whole(best.score) : '–'}
            />
          )}
          <div class="unseen">
            <dt>{t('Moves')}</dt>
            <dd id="moves">{whole(state.moves)}</dd>
          </div>
        </dl>
        <GameBoard
          g={g}
          decision={hint.current}
          marks={grades.on ? gradeMarks(grades) : null}
          onMove={move}
        />
        {ended && <EndCard g={g} summary={grades.on} onAgain={restart} onMore={openSheet} />}
        {!ended && (
          <Actions g={g} grades={grades} pilot={pilot} hint={hint} onNew={restart} onMore={openSheet} />
        )}
        {grades.on ? <Grade of={grades} /> : <OneHint g={g} hint={hint} />}
        <Notes g={g} pilot={pilot} />
        {advised}
      </div>
      {grades.on && <Grades of={grades} over={state.over} />}
      {open && <Sheet g={g} grades={grades} onWatch={() => pilot.start()} onStart={start} onClose={close} />}
      {asking && <Replacing by={asking} game={g} onClose={() => ask(null)} />}
    </div>
  )
}
