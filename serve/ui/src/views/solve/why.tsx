// Why a move is best: what games that are played on after each move lead to, and the line to expect.
import { useEffect, useState } from 'preact/hooks'
import { brief, fixed, percent, rich, share, t } from '../../base/text'
import { useRequest } from '../../engine/net'
import { boldMove, moveText } from '../../parts/board'
import { about, Busy } from '../../parts/hints'
import { Alert, Button, Table } from '../../parts/ui'
import type { Board, Dir, ExactValues, Why as Found, MeanOfGames, Reasons, Share } from '../../types'
import { dirs } from '../../types'

/** times holds the time limits, in milliseconds, of the successive requests for one board: a quick answer
    first, then more games if the visitor wants them. */
const times = [700, 1500, 5000, 10_000]

const enough = 0.01 // more games are played until half the width of the confidence interval is at most this

export interface Question {
  board: Board
  score: number
  player: string
}

/** known reports whether the chances of the next tile are as precise as they need to be. */
const known = ({ moves, tiles }: Found) =>
  Object.values(moves).every(
    ({ tiles: { [String(tiles[0])]: c } }) => c?.ci95 && c.ci95[1] - c.ci95[0] <= 2 * enough,
  )

/** useReasons requests reasons; with playOn, for ever longer times, until the next tile's chances are known. */
function useReasons({ board, score, player }: Question, playOn: boolean) {
  const [step, setStep] = useState(0)
  const next = 2 * Math.max(2, ...board.flat())
  const params = {
    ...about(board, score, player),
    ...(step > 0 && { tiles: [next, 2 * next] }),
    time_ms: times[step] ?? 0,
  }
  const { result, current, trouble, busy } = useRequest('explain', params)
  const answered = current !== null
  const on = playOn && times[step + 1] !== undefined && !(current && step > 0 && known(current.why))
  useEffect(() => {
    if (answered && on) setStep(step + 1)
  }, [answered, on, step])
  return { result, trouble, busy: busy || (answered && on) }
}

export function Why(p: Question) {
  const [playOn, setPlayOn] = useState(false)
  const { result, trouble, busy } = useReasons(p, playOn)
  if (trouble) return <Alert text={trouble} />
  if (!result) return <Busy work={t('Playing games from here…')} />
  const { why } = result
  const legal = dirs.filter((d) => why.moves[d])
  if (legal.length === 0) return <p class="dim">{t('No moves left.')}</p>
  const best = why.verdict?.trusted ?? result.move
  return (
    <div class="stack tight">
      {why.games > 0 ? (
        <Outcomes why={why} legal={legal} best={best} busy={busy} />
      ) : (
        <p class="dim">
          {legal.length === 1
            ? t('There is no other move.')
            : t('This player is too slow to play games from here.')}
        </p>
      )}
      <div class="row">
        <Button
          kind="small"
          pressed={playOn}
          onClick={() => setPlayOn(!playOn)}
          id="chances"
          text={t('Play more games')}
        />
      </div>
      <Verdict of={result} />
      {legal.some((d) => why.moves[d]?.exact) && <Exact of={why.moves} legal={legal} best={best} />}
    </div>
  )
}

interface Moves {
  legal: Dir[]
  best: Dir | null
}

/** Estimate is a share or a mean of games; without an interval, it is exact. */
type Estimate = Pick<Share, 'share' | 'ci95'> | MeanOfGames

/** Row is a row of a table whose columns are the moves. */
type Row = [name: string, after: (Estimate | undefined)[], least?: boolean]

const numberOf = (x: Estimate | undefined) => (x && ('share' in x ? x.share : x.mean)) ?? null

function MovesTable({
  legal,
  best,
  ...p
}: Moves & { label: string; caption?: string; busy?: boolean; rows: Row[] }) {
  const isBest = ([, after, least]: Row, i: number) => {
    const values = after.map((x) => numberOf(x) ?? 0)
    const most = least ? Math.min(...values) : Math.max(...values)
    return numberOf(after[i]) === most && values.some((v) => v !== most)
  }
  return (
    <Table
      {...p}
      table={{ class: 'chances' }}
      id={([name]) => name}
      columns={[
        { name: t('Tile'), cell: ([name]) => name },
        ...legal.map((d, i) => ({
          name: moveText(d),
          bestMove: d === best,
          number: ([, after]: Row) => <Value of={after[i]} />,
          best: (row: Row) => isBest(row, i),
        })),
      ]}
    />
  )
}

/** Value shows a number with its interval, and a share also as a bar. */
function Value({ of }: { of: Estimate | undefined }) {
  const v = numberOf(of)
  if (!of || v === null) return <>–</>
  if (!of.ci95) return <>{'share' in of ? exactly(v) : brief(v)}</>
  const [low, high] = of.ci95
  if ('mean' in of)
    return (
      <>
        {brief(Math.round(v))} <small class="dim">± {brief(Math.round((high - low) / 2))}</small>
      </>
    )
  return (
    <>
      {percent(v)}
      <span class="gauge" style={{ '--f': v, '--low': low, '--high': high }} />
      <small class="dim">
        +{points(high - v)} −{points(v - low)}
      </small>
    </>
  )
}

/** points formats a difference of shares in percentage points. */
const points = (x: number) => fixed(100 * x, x < 0.0995 ? 1 : 0)

function Outcomes({ why, legal, best, busy }: Moves & { why: Found; busy: boolean }) {
  const toEnd = why.whole_games > 0
  const moves = legal.map((d) => why.moves[d])
  const rows: Row[] = made(why).map((tile) => [String(tile), moves.map((m) => m?.tiles[String(tile)])])
  rows.push([t('Lost'), moves.map((m) => m?.game_over), true])
  if (toEnd) rows.push([t('Score'), moves.map((m) => m?.score)], [t('Moves'), moves.map((m) => m?.length)])
  const counts = { n: why.whole_games, tile: String(Math.max(...why.tiles)) }
  return (
    <>
      <MovesTable
        {...{ legal, best, busy, rows }}
        label={t('Chances')}
        caption={t(
          'Chance of each tile after each move, with the distance to both ends of its 95 % interval',
        )}
      />
      <p class="dim">
        {t('{n} games after each move, played by {player}. + and −: 95 % intervals.', {
          n: why.games,
          player: playedBy[why.played_by] ?? t('this player with a shorter search'),
        })}{' '}
        {t('Lost: the game is over within {n} moves.', { n: why.soon_moves })}{' '}
        {why.horizon_moves > 0 && t('Tiles: the tile is made within {n} moves.', { n: why.horizon_moves })}{' '}
        {toEnd && t('Score, moves, and tiles above {tile} are from {n} games played to the end.', counts)}{' '}
        {busy && t('Playing on…')}
      </p>
    </>
  )
}

/** playedBy says who played the games, unless it is a slow player with limits, which have program names. */
const playedBy: Record<string, string> = {
  'the player': t('this player'),
  'the network, greedily': t('the network without search'),
}

/** Exact is a table of exact values. The table of the games is separate: their player does not aim at one tile. */
function Exact({ of, legal, best }: Moves & { of: Found['moves'] }) {
  const exact = legal.map((d) => of[d]?.exact)
  const tiles = [...new Set(exact.flatMap((x) => Object.keys(x?.chances ?? {}).map(Number)))]
    .sort((a, b) => a - b)
    .map(String)
    .filter((tile) => exact.some((x) => (x?.chances[tile] ?? 1) < 1))
  const chance = (x: ExactValues | null | undefined, tile: string) => ({
    share: x?.chances[tile] ?? null,
    ci95: null,
  })
  const rows: Row[] = tiles.map((tile) => [tile, exact.map((x) => chance(x, tile))])
  const scored = exact.some((x) => x && x.score !== null)
  if (scored) rows.push([t('Score'), exact.map((x) => ({ mean: x?.score ?? null, ci95: null }))])
  return (
    <>
      <h3 class="dim">{t('Exact values')}</h3>
      <MovesTable {...{ legal, best, rows }} label={t('Exact values')} />
      <p class="dim">
        {tiles.length > 0 &&
          t('The best possible chance of each tile, for play that aims only at this tile.')}{' '}
        {scored && t('The expected final score with optimal play.')}
      </p>
    </>
  )
}

/** exactly formats an exact chance; only certain outcomes are shown as 100 % and 0 %. */
function exactly(c: number): string {
  if (c === 1 || c === 0) return share(c)
  if (c > 0.99995) return `>${share(0.9999, 2)}`
  return c < 0.00005 ? `<${share(0.0001, 2)}` : share(c, 2)
}

/** made returns the tiles that any game made, ascending, and always the first one that was asked for. */
const made = ({ moves, tiles }: Found) =>
  Object.keys(Object.values(moves)[0]?.tiles ?? {})
    .map(Number)
    .sort((a, b) => a - b)
    .filter((t) => t === tiles[0] || Object.values(moves).some((m) => (m.tiles[String(t)]?.share ?? 0) > 0))

/** Verdict says which move to trust where the games and the player disagree. */
function Verdict({ of: { source, why } }: { of: Reasons }) {
  const { verdict: v, tiles } = why
  if (!v || v.advice === v.games) return null
  const trust = { move: boldMove(v.trusted === v.games ? v.games : v.advice) }
  const { difference, ci95 } = v.chance
  const [low = '', high = ''] = ci95?.map((x) => share(x, 1)) ?? []
  return (
    <p>
      {rich('The player prefers {advice}, but {games} makes {tile} in {share} more of the games.', {
        advice: boldMove(v.advice),
        games: boldMove(v.games),
        share: share(difference ?? 0, 1) + (ci95 ? ` (${t('{low} to {high}', { low, high })})` : ''),
        tile: String(tiles[0]),
      })}{' '}
      {v.trusted === v.games
        ? rich('Trust {move}: the difference in the games is clear.', trust)
        : source === 'exact'
          ? rich('Trust {move}: the player’s values are exact expected scores.', trust)
          : rich('Trust {move}: the difference in the games may be due to chance.', trust)}
    </p>
  )
}
