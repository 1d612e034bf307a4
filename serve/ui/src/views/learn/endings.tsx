// Practice of solved endings.
import { useEffect } from 'preact/hooks'
import { boardText } from '../../base/boards'
import { classNames, dirNames, fixed, percent, placeIn, rich, share, t, whole } from '../../base/text'
import { useRequest } from '../../engine/net'
import { boldMove, type Marks, useAnnounce } from '../../parts/board'
import { Busy, exact, moves, points, rule, useSamples } from '../../parts/hints'
import { Alert, AllMoves, Card, Figure, Item } from '../../parts/ui'
import type { EndingGame, Made } from '../../state/endings'
import { bestOf, cellsOf, even, gradeOf, sameEnding, score, topOf, useEnding } from '../../state/endings'
import { dirs, type EndingMoves } from '../../types'
import { Practised, swipe, WithoutBoard } from './task'

export function Endings() {
  const { result, trouble } = useRequest('endings.list', {}, useSamples())
  const all = [...(result?.endings ?? [])].sort(
    (a, b) => (b.goal ?? 0) - (a.goal ?? 0) || (b.probability ?? 0) - (a.probability ?? 0),
  )
  const { game, start, act } = useEnding()
  const known = game && all.some((e) => sameEnding(e, game.ending))
  useEffect(() => {
    if (all[0] && !known) start(all[0])
  }, [result])
  if (!game || !known) {
    return (
      <WithoutBoard title={t('Endings')}>
        {trouble ? (
          <Alert text={trouble} />
        ) : result ? (
          <p>
            {t('This site has no solved ending. The program has two. In a terminal:')} <Solving />
          </p>
        ) : (
          <Busy work={t('Looking for solved endings…')} />
        )}
      </WithoutBoard>
    )
  }
  return (
    <div class="arena">
      <Play game={game} act={act} onNew={() => start(game.ending)} />
      <div class="stack">
        <ThisGame game={game} />
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
              'The tile to make, and its chance with perfect play: from the best start with two 2s, and the average over all such starts. The largest tiles are walls: they do not merge before the goal. Where walls are fixed, a move that shifts one is not allowed.',
            )}
          </p>
          <p class="dim">
            {t('On this server’s machine:')} <Solving />
          </p>
        </Card>
      </div>
    </div>
  )
}

const Solving = () =>
  rich('the command {command} solves one more ending in about ten seconds.', {
    command: <code>afterstate solve --walls '####/##..' --goal 128</code>,
  })

function Layout({ of }: { of: string }) {
  const walls = cellsOf(of)
  const rows = [0, 4, 8, 12].flatMap((start, i) => {
    const tiles = [1, 2, 3, 4].filter((column) => walls[start + column - 1]).join(', ')
    return tiles ? [t('row {row}: {tiles}', { row: i + 1, tiles })] : []
  })
  return (
    <span class="layout" role="img" aria-label={t('Walls in {rows}', { rows: rows.join('; ') })}>
      {walls.map((wall, i) => (
        <i key={i} class={wall ? 'wall' : undefined} />
      ))}
    </span>
  )
}

type Act = ReturnType<typeof useEnding>['act']

function Play({ game: g, act, onNew }: { game: EndingGame; act: Act; onNew: () => void }) {
  const { board, chances } = g.last
  const ended = g.over
  const spawn = g.step?.spawn
  const announcement = useAnnounce(
    spawn
      ? t('New tile {tile} in row {row}, column {column}', { tile: spawn.tile, ...placeIn(spawn.cell, 4) })
      : '',
  )
  return (
    <>
      <Practised
        board={board}
        step={g.step}
        marks={marksOf(g)}
        task={t('Make the {tile}.', { tile: whole(g.goal) })}
        opinion={opinion(g)}
        onMove={ended ? undefined : (d) => act(() => g.move(d))}
        actions={[
          {
            icon: 'undo',
            keys: 'U',
            disabled: g.moves.length === 0,
            onClick: () => act(() => g.undo()),
            text: t('Undo'),
          },
          !ended && {
            icon: 'hint',
            label: t('Show the best move'),
            keys: 'Enter',
            disabled: !chances,
            onClick: () => act(() => g.show()),
            text: t('Show best'),
          },
          { icon: 'solve', to: `solve/${boardText(board)}/0`, text: t('Solve') },
          {
            kind: ended ? 'main' : '',
            icon: 'add',
            label: t('New game'),
            keys: 'N',
            onClick: onNew,
            text: t('New'),
          },
        ]}
      />
      {announcement}
    </>
  )
}

function marksOf(g: EndingGame): Marks | null {
  const chances = g.shown && g.last.chances
  const played = g.undone?.move ?? null
  const word = g.undone ? price(g.undone) : ''
  if (chances) return { best: bestOf(chances)[0] ?? null, played, word, bestWord: exact(topOf(chances)) }
  return played && { best: null, played, word }
}

/** price returns a short text for the cost of a move. */
const price = (m: Made) => {
  const cost = gradeOf(m)?.cost
  if (cost === undefined) return t('not in the table')
  return cost === 0 ? classNames.best : t('−{n} percentage points', { n: points(cost) })
}

/** opinion says what the last move cost, and how the game ended. */
function opinion(g: EndingGame): preact.ComponentChildren {
  const { chances } = g.last
  const made = g.moves.at(-1)
  const tile = whole(g.goal)
  const share = chances && exact(topOf(chances))
  if (g.note) return `${g.note.slice(0, 1).toUpperCase()}${g.note.slice(1)} ${t('Another move?')}`
  if (g.undone) return [grade(g.undone), ' ', t('Another try? The first move counts.')]
  if (g.shown && chances)
    return rich('Best: {moves}, with a chance of {share}.', { moves: moves(bestOf(chances)), share })
  if (g.made) return [<b class="good">{t('You made the {tile}.', { tile })}</b>, ' ', made && grade(made)]
  if (g.over) {
    const lost = <b class="bad">{t('Lost:')}</b>
    return [rich('{lost} the {tile} can no longer be made.', { lost, tile }), ' ', made && grade(made)]
  }
  if (made) return grade(made)
  if (chances === undefined) return swipe
  return chances
    ? rich('Perfect play makes the goal in *{share}* of games.', { share })
    : t('This board is not in the table.')
}

function grade(m: Made): preact.ComponentChildren {
  const known = gradeOf(m)
  const move = boldMove(m.move)
  if (!known) return [move, ': ', t('the board was not in the table, so the move is not graded.')]
  const [chance, top] = [exact(known.chance), exact(known.top)]
  const best = moves(known.best.filter((d) => d !== m.move))
  if (known.cost > 0)
    return [
      [move, ' ', <b class="bad">{price(m)}</b>, ': '],
      rich('{moves} has a chance of {share}', { moves: best, share: top }),
      `, ${dirNames[m.move]} ${chance}.`,
    ]
  return [
    [move, ' ', <b class="good">{t('best')}</b>, ': ', t('with a chance of {share}', { share: chance })],
    best.length > 0 && [', ', rich('like {moves}', { moves: best })],
    '. ',
    known.next >= 0 && t('The next best move has {share}.', { share: exact(known.next) }),
  ]
}

function ThisGame({ game: g }: { game: EndingGame }) {
  const { chances } = g.last
  const { kept } = g
  return (
    <Card title={t('This game')}>
      <dl class="figures">
        <Figure
          name={t('Chance now')}
          id="chance"
          value={g.made ? share(1) : chances ? exact(topOf(chances)) : '–'}
        />
        <Figure name={t('Kept')} value={kept === null ? '–' : percent(kept)} />
        <Figure name={t('Moves')} id="turn" value={g.moves.length} />
      </dl>
      {g.shown && chances && <AllChances of={chances} goal={g.goal} />}
    </Card>
  )
}

function AllChances({ of, goal }: { of: EndingMoves['moves']; goal: number }) {
  const best = bestOf(of)
  const loss = (chance: number) =>
    topOf(of) - chance < even ? '0' : t('{n} percentage points', { n: points(topOf(of) - chance) })
  return (
    <AllMoves
      of={dirs.filter((d) => of[d] !== undefined)}
      best={best}
      columns={[
        [t('Chance of {tile}', { tile: String(goal) }), (d) => (of[d] == null ? '–' : exact(of[d]))],
        [t('Loses'), (d) => (of[d] == null ? t('shifts a wall') : loss(of[d]))],
      ]}
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
          'Kept: the share of the best possible chance that your moves keep, averaged over games; only the first move at each turn counts. Made: the goals made in games without “Undo” and “Show best”. Expected: how many goals perfect play makes on average from the same starts.',
        )}
      </p>
    </Card>
  )
}
