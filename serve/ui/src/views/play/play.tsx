import { useEffect, useRef, useState } from 'preact/hooks'
import { listen, useRedraw } from '../../base/changes'
import {
  ago,
  blank,
  boardOf,
  boardText,
  dirNames,
  largest,
  placeIn,
  sizeText,
  spoken,
  whole,
} from '../../base/format'
import { direction, onControl, redoes, undoes, useKeys } from '../../base/keys'
import { offer } from '../../base/offer'
import { go } from '../../base/route'
import { has, load, save } from '../../base/store'
import { rich, t } from '../../base/text'
import { BoardView, shape, useAnnounce } from '../../parts/board'
import { ruleName, SizeField, SpawnField, Switch } from '../../parts/fields'
import { about, Busy, graded, How, useAsked, useGrades } from '../../parts/hints'
import { later } from '../../parts/later'
import { PlayerField } from '../../parts/player'
import { pageAddress, Share } from '../../parts/share'
import { SolveOffer } from '../../parts/solve'
import {
  Alert,
  AskButton,
  Button,
  Card,
  DeleteButton,
  Dialog,
  Figure,
  Item,
  Note,
  reveal,
} from '../../parts/ui'
import { type OwnGame as Game, theGame, useGame } from '../../state/game'
import { fromHash, hashOf } from '../../state/gamelinks'
import { bestOf, ownGame, unfinished } from '../../state/gamestorage'
import { Grader } from '../../state/grading'
import {
  apart,
  cut,
  fresh,
  from,
  gameKey,
  isKept,
  type Kept,
  placeOf,
  recordOf,
  refusal,
} from '../../state/kept'
import { minMoves, refusal as noRoom, onPlayed, resumed } from '../../state/played'
import { review } from '../../state/reviewed'
import type { GameState } from '../../types'
import { Why } from '../solve/why'
import { Better, Grade, GradeFigures, Grades, gradeMarks, showSummary } from './grades'

let grader: Grader | null = null

type Slot = Kept & { id: number }
const isSlots = (v: unknown) =>
  Array.isArray(v) && v.every((s) => isKept(s) && typeof (s as Slot).id === 'number')

interface HintOptions {
  player: string
  live: boolean
}
const isHint = (v: unknown) => has(v, { player: 'string', live: 'boolean' })

const Duels = later(async () => (await import('../today/duel')).DuelsView)
const Shared = later(async () => (await import('./shared')).SharedView)
const DuelCard = later(async () => (await import('../today/duel')).DuelCard)
const StageCard = later(async () => (await import('../learn/learn')).StageCard)

/** PlayView is the game that a link holds, as a replay, the duels, or the visitor's own game. */
export function PlayView({ parts }: { parts: string[] }) {
  if (parts[0] === 'duel') return <Duels parts={parts.slice(1)} />
  const shared = fromHash(parts)
  if (!shared) return <OwnGame parts={parts} />
  return (
    <Shared
      key={parts.join('/')}
      kept={shared.kept}
      from={shared.at}
      onRefused={(why) => {
        theGame().trouble = t('This link holds no game: {why}.', { why })
        go('play', true)
      }}
    />
  )
}

/** linked returns the game that a link begins: from a board, or on from a move of a shared game. */
function linked([how, ...parts]: string[]): Kept | null {
  if (how === 'from') return from(boardOf(parts.join('/')))
  const shared = how === 'on' ? fromHash(parts) : null
  return shared && cut(shared.kept, shared.at)
}

function OwnGame({ parts }: { parts: string[] }) {
  const g = useGame()
  grader ??= new Grader(g)
  const grades = grader
  const redraw = useRedraw()
  useRedraw(onPlayed)
  const [asking, setAsking] = useState<Kept | null>(null) // a game whose start would replace another
  const [slots, setSlots] = useState(() => load<Slot[]>('slots', [], isSlots))
  const [hint, setHint] = useState(() => load<HintOptions>('hint', { player: 'best', live: false }, isHint))
  const [once, setOnce] = useState('') // the board that a single hint is for
  const [why, setWhy] = useState(false)
  const [solves, setSolves] = useState(0) // hints from before a solve are out of date
  const reasons = useRef<HTMLDivElement>(null)
  const [wish, setWish] = useState(false) // request a hint when the animation has ended
  const s = g.state
  const busy = false
  const { duel, stage } = g.kept
  const own = !apart(g.kept)

  useEffect(() => {
    // another tab may save games too
    return listen('storage', () => setSlots((now) => load('slots', now, isSlots)))
  }, [])
  const keepSlots = (change: (now: Slot[]) => Slot[]) => {
    const next = change(load('slots', slots, isSlots))
    setSlots(next)
    g.stored = save('slots', next)
  }
  const saveGame = (k: Kept) => keepSlots((now) => [{ ...k, id: Date.now() }, ...now])
  const begin = (k: Kept) => {
    g.trouble = ''
    g.begin(k)
  }
  /** would starts another game, after confirmation if that replaces one. */
  const would = (k: Kept) => {
    const there = placeOf(k) === placeOf(g.kept) ? g.kept : unfinished(placeOf(k))
    const over = there === g.kept && g.state?.over
    const safe = there && [k, ...slots].some((x) => x.seed === there.seed && x.moves === there.moves)
    if (there && there.count - there.undone > 0 && !over && !safe) setAsking(k)
    else begin(k)
  }

  useEffect(() => {
    if (!parts.join('')) return
    const told = (trouble: string) => {
      g.trouble = trouble
      redraw()
    }
    const k = linked(parts)
    const why = k && refusal(k)
    if (why) told(t('This link holds no game: {why}.', { why }))
    else if (k) would(k)
    else told(t('This link holds no game.'))
    go('play', true)
  }, [parts.join('/')])

  const text = s ? boardText(s.board) : ''
  const asked =
    s && !s.over && !grades.on && own && (hint.live || once === text)
      ? about(s.board, s.score, hint.player)
      : null
  const decision = useAsked('analyze', asked, solves)
  const marks = useGrades(asked && s ? s.board : null)
  const current = graded(decision.current, marks)

  const change = (next: HintOptions) => {
    setHint(next)
    save('hint', next)
  }
  const askOnce = () => {
    if (hint.live || grades.on || !own) return
    if (busy) setWish(!wish)
    else setOnce(once === text ? '' : text)
  }
  useEffect(() => {
    if (!wish || busy) return
    setWish(false)
    setOnce(text)
  })
  useEffect(() => {
    if (why) reveal(reasons.current)
  }, [why])
  useKeys((e) => {
    const d = direction(e)
    if (d) g.move(d)
    else if (undoes(e)) g.undo()
    else if (redoes(e)) g.redo()
    else if (e.key === 'n') restart()
    else if (e.key === 'e') setWhy(!why)
    else if (e.key === ' ' && !onControl(e)) askOnce()
    else return false
    return true
  })

  const before = useRef(s)
  useEffect(() => {
    const last = before.current
    before.current = s
    if (last && s && s.moves === last.moves + 1 && load('sound', false))
      void import('../../base/sound').then((m) => m.sound(s, largest(last.board)))
  }, [s])

  const said = useAnnounce(s ? announce(s) : '')
  const advised = useAnnounce(current?.move ? t('Hint: {move}', { move: dirNames[current.move] }) : '')
  const restart = () => own && would(fresh(g.kept.size, g.kept.spawn))
  /** other continues the unfinished game of a size and rule, or begins one. */
  const other = (size: string, spawn: string) => begin(unfinished(gameKey(size, spawn)) ?? fresh(size, spawn))
  const stand = () =>
    go(stage !== undefined ? 'learn/stages' : `play/duel/${duel}/${g.kept.size}/${g.kept.seed}`)
  const result = stage !== undefined ? t('Stages') : t('Result')
  const there = (asking && unfinished(placeOf(asking))) ?? g.kept // what asking would replace
  const record = async () => recordOf(g.kept)

  const share = (
    <Share
      disabled={!s}
      board={s?.board}
      address={() => pageAddress(`play/${hashOf(g.made(), g.made().count)}`)}
      says={t('It replays this game and opens it at this move.')}
      elsewhere={t('“Download this game” saves it as a file, which Review opens anywhere.')}
    />
  )
  const reward = s?.step?.reward ?? 0

  return (
    <div class="arena">
      <div class={grades.on ? 'boardside grading' : 'boardside'} style={shape(g.kept.size)}>
        <dl class="figures">
          <Figure
            main
            name={
              <>
                {t('Score')}
                {reward > 0 && (
                  <span key={s?.moves} class="gain" aria-hidden="true">
                    +{whole(reward)}
                  </span>
                )}
              </>
            }
            id="score"
            value={whole(s?.score ?? g.kept.score)}
          />
          {grades.on ? (
            <GradeFigures of={grades} />
          ) : (
            <Figure
              name={t('Best')}
              id="best"
              value={g.kept.start === undefined ? whole(bestOf(g.kept).score) : '–'}
            />
          )}
          <Figure name={t('Moves')} id="moves" value={whole(s?.moves ?? g.kept.count - g.kept.undone)} />
        </dl>
        {s ? (
          <BoardView
            board={s.board}
            step={s.step}
            busy={busy}
            decision={current}
            marks={grades.on ? gradeMarks(grades) : null}
            onMove={(d) => g.move(d)}
          >
            {(s.over || s.paused_on_win || g.complete) && (
              <div
                class="over"
                role="group"
                aria-label={s.over && !g.complete ? t('Game over') : t('You win')}
              >
                <Ended game={g} state={s} />
                <div class="row">
                  {s.paused_on_win && (
                    <Button kind="main" onClick={() => g.keepPlaying()} text={t('Keep playing')} />
                  )}
                  {!own ? (
                    (s.over || g.complete) && <Button kind="main" onClick={stand} text={result} />
                  ) : (
                    <>
                      {s.moves > 0 && (
                        <Button
                          icon="review"
                          onClick={async () => review(await record(), s.over)}
                          text={s.over ? t('See your mistakes') : t('Review')}
                        />
                      )}
                      {grades.on && s.over ? <Button onClick={showSummary} text={t('Summary')} /> : share}
                      <Button icon="undo" onClick={() => g.undo()} text={t('Undo')} />
                      <Button kind={s.over ? 'main' : ''} onClick={restart} text={t('New game')} />
                    </>
                  )}
                </div>
              </div>
            )}
          </BoardView>
        ) : (
          <BoardView board={blank(g.kept.size)} />
        )}
        {grades.on && <Grade of={grades} />}
        {!own ? (
          <div class="buttons">
            <Button icon="experiments" onClick={stand} text={result} />
            <Button icon="play" onClick={() => begin(ownGame())} text={t('Your own game')} />
          </div>
        ) : (
          <div class="buttons">
            <Button
              icon="undo"
              label={t('Undo')}
              keys="U"
              kind={grades.on && grades.mistaken ? 'bad' : ''}
              disabled={!s?.moves}
              onClick={() => g.undo()}
              text={grades.on && grades.mistaken ? t('Take back') : t('Undo')}
            />
            <Button icon="redo" keys="R" disabled={!s?.undone} onClick={() => g.redo()} text={t('Redo')} />
            {grades.on ? (
              <Better of={grades} />
            ) : (
              <Button
                icon="hint"
                keys="Space"
                pressed={current !== null || decision.busy || wish}
                disabled={hint.live}
                onClick={askOnce}
                text={t('Hint')}
              />
            )}
            <Button icon="add" label={t('New game')} keys="N" onClick={restart} text={t('New')} />
          </div>
        )}
        <Alert text={g.trouble} />
        <Note text={g.elsewhere && t('This game was continued in another tab; here is its newest state.')} />
        {(!g.stored || noRoom) && (
          <p class="bad" role="alert">
            {g.stored
              ? `${noRoom} ${t('Nothing is lost: this game and those that you finish wait in another place.')}`
              : t('This browser cannot store any more, so new moves will be lost on a reload.')}{' '}
            <a href="#games">{t('Save a backup')}</a>
          </p>
        )}
        {said}
        {advised}
      </div>
      {stage !== undefined ? (
        <StageCard key={g.kept.uid} kept={g.kept} state={s} />
      ) : duel !== undefined ? (
        <DuelCard goal={duel} size={g.kept.size} largest={s ? largest(s.board) : 0} />
      ) : (
        <div class="stack">
          <Grades
            of={grades}
            over={s?.over ?? false}
            onReview={async () => review(await record(), true)}
            onNew={restart}
          />
          {!grades.on && (
            <Card
              title={t('Hints')}
              side={
                <Button kind="small" pressed={why} keys="E" onClick={() => setWhy(!why)} text={t('Why?')} />
              }
            >
              <Switch
                on={hint.live}
                onChange={(live) => change({ ...hint, live })}
                text={t('Live hints: show how good every move is')}
              />
              <PlayerField
                label={t('Player')}
                value={hint.player}
                onChange={(player) => change({ ...hint, player })}
              />
              <Alert text={decision.trouble} />
              {decision.busy && <Busy work={t('Thinking…')} />}
              {current && <How d={current} asked={hint.player} level={marks.level} />}
              <SolveOffer size={g.kept.size} player={hint.player} onSolved={() => setSolves(solves + 1)} />
              {why && s && !s.over && (
                <div ref={reasons} class="reveal">
                  <Why key={solves} board={s.board} score={s.score} player={hint.player} />
                </div>
              )}
            </Card>
          )}
          <Card title={t('Game')}>
            <div class="pair">
              <SizeField value={g.kept.size} onChange={(size) => other(size, g.kept.spawn)} />
              <SpawnField value={g.kept.spawn} onChange={(spawn) => other(g.kept.size, spawn)} />
            </div>
            <p class="dim">
              {t('Each size and each kind of new tiles has its own unfinished game, which waits for you.')}
            </p>
            <div class="row four">
              {share}
              <Button icon="save" onClick={() => saveGame(g.kept)} text={t('Save')} />
              <AskButton of={s} />
              <Button
                icon="review"
                disabled={!s?.moves}
                onClick={async () => review(await record())}
                text={t('Review')}
              />
            </div>
            <Button
              kind="plain small"
              disabled={!s}
              onClick={async () => offer('game.jsonl', 'application/json', `${await record()}\n`)}
              text={t('Download this game')}
            />
            <Note
              text={
                g.kept.start !== undefined &&
                t('This game began from a board that you chose. Its points count from there.')
              }
            />
          </Card>
          <Card title={t('Duels')}>
            <p class="dim">{t('A friend plays the same board with the same new tiles.')}</p>
            <div class="row fill">
              <Button to="play/duel/friend" text={t('Challenge a friend')} />
              <Button to="play/duel" text={t('Today’s board')} />
            </div>
          </Card>
          {slots.length > 0 && (
            <Card title={t('Saved games')}>
              <ul class="list">
                {slots.map((x) => (
                  <Item
                    key={x.id}
                    onClick={async () => would(await resumed(x))}
                    beside={
                      <DeleteButton
                        of={t('the game with {n} points', { n: x.score })}
                        onClick={() => keepSlots((now) => now.filter((y) => y.id !== x.id))}
                      />
                    }
                  >
                    <span>
                      {sizeText(x.size)} · {whole(x.score)}
                      {x.spawn !== 'random' && ` · ${ruleName(x.spawn)}`}
                    </span>
                    <span class="dim">{ago(Date.now() - x.id)}</span>
                  </Item>
                ))}
              </ul>
            </Card>
          )}
        </div>
      )}
      {asking && (
        <Replacing
          game={there}
          onSave={() => saveGame(there)}
          onStart={() => begin(asking)}
          onClose={() => setAsking(null)}
        />
      )}
    </div>
  )
}

/** Ended says what the end of a game came to, or that its goal is reached. */
function Ended({ game, state: s }: { game: Game; state: GameState }) {
  return (
    <>
      <strong>
        {game.complete
          ? t('You made the stage!')
          : s.over
            ? t('No moves left')
            : t('You made {tile}!', { tile: largest(s.board) })}
      </strong>
      <p>{rich('*{points}* points in {moves} {moves|move|moves}', { points: s.score, moves: s.moves })}</p>
    </>
  )
}

/** Replacing asks before a game that is played ends. */
function Replacing(p: { game: Kept; onSave: () => void; onStart: () => void; onClose: () => void }) {
  const start = (save: boolean) => () => {
    if (save) p.onSave()
    p.onStart()
    p.onClose()
  }
  return (
    <Dialog title={t('Start another game?')} onClose={p.onClose}>
      <p>
        {t('The game you are playing would end: {n} points.', { n: p.game.score })}{' '}
        {p.game.count < minMoves
          ? t('Games keeps games of {n} moves and more.', { n: minMoves })
          : t('It stays in Games.')}{' '}
        {t('Save it to play on later.')}
      </p>
      <div class="row">
        <Button kind="main" onClick={start(true)} text={t('Save and start')} />
        <Button onClick={start(false)} text={t('Start without saving')} />
        <Button kind="plain" onClick={p.onClose} text={t('Keep playing')} />
      </div>
    </Dialog>
  )
}

function announce(s: GameState): string {
  if (s.over) return t('No moves left. Score {n}.', { n: s.score })
  const cols = s.board[0]?.length ?? 1
  const parts: string[] = []
  if (s.step) {
    parts.push(dirNames[s.step.move])
    if (s.step.reward) parts.push(t('plus {n}', { n: s.step.reward }))
    const { cell, tile } = s.step.spawn
    parts.push(t('new {tile} in row {row}, column {column}', { tile, ...placeIn(cell, cols) }))
  }
  if (s.paused_on_win) parts.push(t('{tile} reached', { tile: '2048' }))
  return `${[parts.join(', '), spoken(s.board), t('Score {n}', { n: s.score })].filter(Boolean).join('. ')}.`
}
