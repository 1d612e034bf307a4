// Practice of solved endings.

import { useEffect, useRef } from 'preact/hooks'
import {
  boardText,
  classNames,
  dirNames,
  fixed,
  percent,
  placeIn,
  share,
  sizeOf,
  whole,
} from '../../base/format'
import { direction, letter, onControl, undoes, useKeys } from '../../base/keys'
import { go } from '../../base/route'
import { rich, t } from '../../base/text'
import { BoardView, boldMove, moveText, shape, useAnnounce } from '../../parts/board'
import type { Marks } from '../../parts/edges'
import { exact, moves, points, rule, useSamples } from '../../parts/endingchances'
import { Busy, useAsked } from '../../parts/hints'
import { Alert, Button, Card, Figure, Item, showBoard } from '../../parts/ui'
import { bestOf, topOf } from '../../state/endingmoves'
import {
  boardOf,
  cellsOf,
  costOf,
  type EndingGame,
  isMade,
  type Made,
  over,
  sameEnding,
  score,
  useEnding,
} from '../../state/endings'
import { type Dir, dirs, type EndingMoves } from '../../types'
import { AllMoves, swipe } from './task'

export function Endings({ modes }: { modes: preact.ComponentChildren }) {
  const { result, trouble } = useAsked('endings.list', {}, useSamples())
  const all = [...(result?.endings ?? [])].sort(
    (a, b) => (b.goal ?? 0) - (a.goal ?? 0) || (b.probability ?? 0) - (a.probability ?? 0),
  )
  const { game, start, ...does } = useEnding()
  const known = game && all.some((e) => sameEnding(e, game.ending))
  useEffect(() => {
    if (all[0] && !known) start(all[0])
  }, [result])
  if (!game || !known) {
    return (
      <div class="stack" style={{ maxWidth: '40rem', margin: '0 auto' }}>
        {modes}
        <Card title={t('Endings')}>
          {trouble ? (
            <Alert text={trouble} />
          ) : !result ? (
            <Busy work={t('Looking for solved endings…')} />
          ) : (
            <None />
          )}
        </Card>
      </div>
    )
  }
  return (
    <div class="arena">
      <Play game={game} modes={modes} {...does} onNew={() => start(game.ending)} />
      <div class="stack">
        <ThisGame game={game} onTurn={does.turn} onNew={() => start(game.ending)} />
        <Score />
        <Card title={t('Endings')}>
          <ul class="list endings">
            {all.map((e) => (
              <Item
                key={rule(e) + e.goal + e.walls?.join()}
                current={sameEnding(e, game.ending)}
                onClick={() => start(e)}
              >
                <span class="layouts">
                  {e.walls?.map((l) => (
                    <Layout key={l} of={l} />
                  ))}
                </span>
                <span>
                  <b>{e.goal}</b>, {rule(e)}
                </span>
                <span class="n">
                  {exact(e.best_start ?? 0)}
                  <small class="dim">{t('mean {share}', { share: exact(e.probability ?? 0) })}</small>
                </span>
              </Item>
            ))}
          </ul>
          <p class="dim">
            {t(
              'Tile to make, and its chance with perfect play from the best start with two 2s and on average. The largest tiles are walls: they do not merge before the goal. Where walls are fixed, a move that shifts one is not allowed.',
            )}
          </p>
          <p class="dim">
            {t('On the machine of this server:')} <Solving />
          </p>
        </Card>
      </div>
    </div>
  )
}

/** None is for a site without solved endings: the program has some. */
function None() {
  return (
    <>
      <p>
        {t(
          'An ending is the end of a 4 × 4 game: the largest tiles are walls, and one more tile is to be made on the cells that are left. Where it is solved, the exact chance of every move is known.',
        )}
      </p>
      <p>
        {t('This site has no solved ending. The program has two; there:')} <Solving />
      </p>
    </>
  )
}

/** Solving says how more endings come here. */
const Solving = () =>
  rich('the command {command} solves one more in about ten seconds.', {
    command: <code>afterstate solve --walls '####/##..' --goal 128</code>,
  })

/** Layout is a picture of the walls on a board. */
function Layout({ of }: { of: string }) {
  const rows = of.split('/').flatMap((r, i) =>
    r.includes('#')
      ? [
          t('row {row}: {tiles}', {
            row: i + 1,
            tiles: [...r].flatMap((c, j) => (c === '#' ? [j + 1] : [])).join(', '),
          }),
        ]
      : [],
  )
  return (
    <svg
      class="layout"
      viewBox="0 0 4 4"
      role="img"
      aria-label={t('Walls in {rows}', { rows: rows.join('; ') })}
    >
      {cellsOf(of).map((w, i) => (
        <rect
          key={i}
          class={w ? 'wall' : undefined}
          x={(i % 4) + 0.08}
          y={Math.floor(i / 4) + 0.08}
          width=".84"
          height=".84"
          rx=".12"
        />
      ))}
    </svg>
  )
}

interface PlayProps {
  game: EndingGame
  modes: preact.ComponentChildren
  move: (d: Dir) => void
  undo: () => void
  show: () => void
  onNew: () => void
}

function Play({ game: g, modes, ...p }: PlayProps) {
  const side = useRef<HTMLDivElement>(null)
  const board = boardOf(g)
  const ended = over(g)
  const then = (f: () => void) => () => {
    f()
    showBoard(side.current)
  }
  useKeys((e) => {
    const d = direction(e)
    if (d) p.move(d)
    else if (undoes(e)) p.undo()
    else if (letter(e) === 'n') p.onNew()
    else if (e.key === 'Enter' && !onControl(e)) (ended ? p.onNew : p.show)()
    else return false
    return true
  })
  const spawn = g.step?.spawn
  const said = useAnnounce(
    spawn
      ? t('New tile {tile} in row {row}, column {column}', { tile: spawn.tile, ...placeIn(spawn.cell, 4) })
      : '',
  )
  return (
    <div class="boardside practising" ref={side} style={shape(sizeOf(board))}>
      {modes}
      <p class="task">{t('Make the {tile}.', { tile: whole(g.ending.goal ?? 0) })}</p>
      <BoardView
        board={board}
        step={g.step}
        marks={marksOf(g)}
        label={ended ? t('Last board') : t('Board')}
        onMove={ended ? undefined : p.move}
      />
      <p class="opinion" role="status">
        <Opinion of={g} />
      </p>
      {said}
      <div class="buttons">
        <Button icon="undo" keys="U" disabled={g.points.length < 2} onClick={then(p.undo)} text={t('Undo')} />
        {!ended && (
          <Button
            icon="hint"
            label={t('Show the best move')}
            keys="Enter"
            disabled={!g.now?.chances}
            onClick={then(p.show)}
            text={t('Show best')}
          />
        )}
        <Button icon="solve" to={`solve/${boardText(board)}/0`} text={t('Solve')} />
        {ended && <Button kind="main" icon="add" keys="N" onClick={then(p.onNew)} text={t('New game')} />}
      </div>
    </div>
  )
}

function marksOf(g: EndingGame): Marks | null {
  const chances = g.shown && g.now?.chances
  const played = g.undone?.move ?? null
  const word = g.undone ? price(g.undone) : ''
  if (chances) return { best: bestOf(chances)[0] ?? null, played, word, bestWord: exact(topOf(chances)) }
  return played && { best: null, played, word }
}

/** price says in a few characters what a move cost. */
const price = (m: Made) =>
  m.chance === null
    ? t('not in the table')
    : costOf(m) === 0
      ? classNames.best
      : t('−{n} points', { n: points(costOf(m)) })

/** End says how the game ended. */
function End({ of: g }: { of: EndingGame }) {
  const tile = whole(g.ending.goal ?? 0)
  return isMade(g) ? (
    <b class="good">{t('You made the {tile}.', { tile })}</b>
  ) : (
    rich('{lost} no way to the {tile} is left.', { lost: <b class="bad">{t('Lost:')}</b>, tile })
  )
}

/** Opinion says what the last move cost, and how the game ended. */
function Opinion({ of: g }: { of: EndingGame }) {
  if (g.note) return `${g.note.slice(0, 1).toUpperCase()}${g.note.slice(1)} ${t('Another move?')}`
  if (g.undone)
    return (
      <>
        {grade(g.undone)} {t('Another try? The first move counts.')}
      </>
    )
  if (g.shown && g.now?.chances)
    return rich('Best: {moves}, which keeps {share}.', {
      moves: moves(bestOf(g.now.chances)),
      share: exact(topOf(g.now.chances)),
    })
  const made = g.points.at(-1)?.made
  if (made || over(g))
    return (
      <>
        {over(g) && <End of={g} />} {made && grade(made)}
      </>
    )
  if (!g.now) return <>{swipe}</>
  return g.now.chances
    ? rich('Perfect play makes it in *{share}* of games.', { share: exact(topOf(g.now.chances)) })
    : t('This board is not in the table.')
}

function grade(m: Made) {
  const best = m.best.filter((d) => d !== m.move)
  if (m.chance === null)
    return (
      <>
        {boldMove(m.move)}: {t('the board was not in the table, so the move is not graded.')}
      </>
    )
  if (costOf(m) === 0)
    return (
      <>
        {boldMove(m.move)} <b class="good">{t('best')}</b>:{' '}
        {t('it keeps {share}', { share: exact(m.chance) })}
        {best.length > 0 && <>, {rich('as {moves} does', { moves: moves(best) })}</>}.{' '}
        {m.next >= 0 && t('The next best keeps {share}.', { share: exact(m.next) })}
      </>
    )
  return (
    <>
      {boldMove(m.move)} <b class="bad">{price(m)}</b>:{' '}
      {rich('{moves} keeps {share}', { moves: moves(best), share: exact(m.top) })}, {dirNames[m.move]}{' '}
      {exact(m.chance)}.
    </>
  )
}

function ThisGame({ game: g, onTurn, onNew }: { game: EndingGame; onTurn: () => void; onNew: () => void }) {
  const { now } = g
  const worst = [...g.costs].sort((a, b) => costOf(b.made) - costOf(a.made)).slice(0, 3)
  return (
    <Card title={t('This game')}>
      <dl class="figures">
        <Figure
          name={t('Chance now')}
          id="chance"
          value={isMade(g) ? share(1) : now?.chances ? exact(topOf(now.chances)) : '–'}
        />
        <Figure name={t('Kept')} value={g.graded > 0 ? percent(g.kept) : '–'} />
        <Figure name={t('Moves')} id="turn" value={g.points.length - 1} />
      </dl>
      {g.shown && now?.chances && <AllChances of={now.chances} goal={g.ending.goal ?? 0} />}
      {worst.length > 0 && (
        <>
          <h3 class="dim">{t('Costliest moves')}</h3>
          <ol class="list worst">
            {worst.map(({ turn, board, made }) => (
              <Item
                key={turn}
                label={`${t('Move {n}:', { n: turn })} ${dirNames[made.move]}, ${price(made)}. ${t('Solve')}`}
                onClick={() => go(`solve/${boardText(board)}/0`)}
              >
                <span>
                  {t('Move {n}:', { n: turn })} {moveText(made.move)}
                </span>{' '}
                <span class="bad">{price(made)}</span>
              </Item>
            ))}
          </ol>
        </>
      )}
      <div class="row fill">
        <Button icon="add" keys="N" onClick={onNew} text={t('New game')} />
        <Button onClick={onTurn} text={t('Turn the board')} />
      </div>
    </Card>
  )
}

/** AllChances compares the moves of a board. */
function AllChances({ of, goal }: { of: EndingMoves['moves']; goal: number }) {
  const best = bestOf(of)
  const loss = (d: Dir, chance: number) =>
    best.includes(d) ? '0' : t('{n} points@share', { n: points(topOf(of) - chance) })
  return (
    <AllMoves
      of={dirs.flatMap((d) => {
        const chance = of[d]
        if (chance === undefined) return []
        return [chance === null ? [d, '–', t('shifts a wall')] : [d, exact(chance), loss(d, chance)]]
      })}
      best={best}
      head={t('Chance of {tile}', { tile: String(goal) })}
      more={t('Loses')}
    />
  )
}

function Score() {
  const { games, kept, ended, made, expected } = score()
  return (
    <Card title={t('Since the page was opened')}>
      <dl class="figures">
        <Figure name={t('Kept')} id="kept" value={kept === null ? '–' : percent(kept)} />
        <Figure name={t('Games')} id="games" value={games} />
        <Figure
          name={t('Made')}
          id="made"
          value={ended > 0 ? t('{n} of {all}', { n: made, all: ended }) : '–'}
        />
        <Figure name={t('Expected')} value={ended > 0 ? fixed(expected, 1) : '–'} />
      </dl>
      <p class="dim">
        {t(
          'Kept: the share of the chance that your moves keep, the mean over games; the first move at each turn counts. Made: goals in games without Undo and Show, and how many perfect play is expected to make from the same starts.',
        )}
      </p>
    </Card>
  )
}
