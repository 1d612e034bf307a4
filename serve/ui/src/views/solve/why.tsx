// Why a move is best: what games that are played on after each move lead to, and the line to expect.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { brief, classNames, fixed, percent, share } from '../../base/format'
import { rich, t } from '../../base/text'
import { boldMove, moveText } from '../../parts/board'
import { about, Busy, useAsked } from '../../parts/hints'
import { Alert, Button } from '../../parts/ui'
import {
  type Board,
  type Dir,
  dirs,
  type Why as Found,
  type MoveReasons,
  type Reasons,
  type Share,
} from '../../types'

/** times are those of the requests for one board: the first answer, and more games on request. */
const times = [700, 1500, 5000, 10_000]

/** enough is the half width of an interval at which the games end. */
const enough = 0.01

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

/** useReasons asks for reasons; with more for longer and longer, until the chances of the next tile are known. */
function useReasons({ board, score, player }: Question, more: boolean) {
  const [step, setStep] = useState(0)
  const next = 2 * Math.max(2, ...board.flat())
  const params = {
    ...about(board, score, player),
    ...(step > 0 && { tiles: [next, 2 * next] }),
    time_ms: times[step] ?? 0,
  }
  const { result, current, trouble, busy } = useAsked('explain', params)
  const answered = current !== null
  const on = more && times[step + 1] !== undefined && !(current && step > 0 && known(current.why))
  useEffect(() => {
    if (answered && on) setStep(step + 1)
  }, [answered, on, step])
  return { result, trouble, busy: busy || (answered && on) }
}

/** Why shows the result of explain for one question. */
export function Why(p: Question) {
  const [more, setMore] = useState(false)
  const { result, trouble, busy } = useReasons(p, more)
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
            : t('No games were played on: the player is too slow for that.')}
        </p>
      )}
      <div class="row">
        <Button
          kind="small"
          pressed={more}
          onClick={() => setMore(!more)}
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

/** Row is a row of a table whose columns are the moves: a cell for each, and whether it is the best one. */
interface Row {
  name: string
  cells: { is: ComponentChildren; best: boolean }[]
}

function MovesTable(p: Moves & { label: string; caption?: string; busy?: boolean; rows: Row[] }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={p.label} aria-busy={p.busy}>
      <table class="chances">
        {p.caption && <caption class="unseen">{p.caption}</caption>}
        <thead>
          <tr>
            <th scope="col">{t('Tile')}</th>
            {p.legal.map((d) => (
              <th key={d} scope="col" class={d === p.best ? 'n best' : 'n'}>
                {moveText(d)}
                {d === p.best && <span class="unseen">, {classNames.best}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {p.rows.map((r) => (
            <tr key={r.name}>
              <th scope="row">{r.name}</th>
              {r.cells.map((c, i) => (
                <td key={p.legal[i]} class={c.best ? 'n best' : 'n'}>
                  {c.is}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Outcomes is a table of what the games led to. */
function Outcomes({ why, legal, best, busy }: Moves & { why: Found; busy: boolean }) {
  const toEnd = why.whole_games > 0
  const moves = legal.map((d) => why.moves[d])
  const rows = [
    ...made(why).map((tile) => {
      const of = moves.map((m) => m?.tiles[String(tile)])
      return shareRow(String(tile), of, Math.max(...of.map((c) => c?.share ?? 0)) || null)
    }),
    shareRow(
      t('Lost'),
      moves.map((m) => m?.game_over),
      Math.min(...moves.map((m) => m?.game_over.share ?? 0)),
    ),
    ...(toEnd ? [meanRow(t('Score'), moves, 'score'), meanRow(t('Moves'), moves, 'length')] : []),
  ]
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
          player: why.played_by,
        })}{' '}
        {t('Lost: over within {n} moves.', { n: why.soon_moves })}
        {why.horizon_moves > 0 && ` ${t('Tiles: made within {n} moves.', { n: why.horizon_moves })}`}
        {toEnd &&
          ` ${t('{n} games were played to the end: they give the final score, the moves to come, and the tiles above {tile}.', { n: why.whole_games, tile: String(Math.max(...why.tiles)) })}`}
        {busy && ` ${t('Playing on…')}`}
      </p>
    </>
  )
}

/** shareRow has shares of the games as bars, with lines over their intervals. */
const shareRow = (name: string, of: (Share | undefined)[], best: number | null): Row => ({
  name,
  cells: of.map((c) => {
    if (!c || c.share === null || !c.ci95) return { is: '–', best: false }
    const [low, high] = c.ci95
    const is = (
      <>
        {percent(c.share)}
        <span class="gauge" style={{ '--f': c.share, '--low': low, '--high': high }} />
        <small class="dim">
          +{points(high - c.share)} −{points(c.share - low)}
        </small>
      </>
    )
    return { is, best: c.share === best && of.some((x) => x?.share !== best) }
  }),
})

/** points formats a difference of shares in percentage points. */
const points = (x: number) => fixed(100 * x, x < 0.0995 ? 1 : 0)

const meanRow = (name: string, moves: (MoveReasons | undefined)[], of: 'score' | 'length'): Row => ({
  name,
  cells: moves.map((m) => {
    const { mean = null, ci95 = null } = m?.[of] ?? {}
    const is =
      mean === null ? (
        '–'
      ) : (
        <>
          {brief(Math.round(mean))}
          {ci95 && <small class="dim">± {brief(Math.round((ci95[1] - ci95[0]) / 2))}</small>}
        </>
      )
    return { is, best: false }
  }),
})

/** Exact is a table of exact values. It is apart from that of the games, whose player does not aim at one tile. */
function Exact({ of, legal, best }: Moves & { of: Found['moves'] }) {
  const exact = legal.map((d) => of[d]?.exact)
  const tiles = [...new Set(exact.flatMap((x) => Object.keys(x?.chances ?? {}).map(Number)))]
    .sort((a, b) => a - b)
    .filter((tile) => exact.some((x) => (x?.chances[String(tile)] ?? 1) < 1))
  const scored = exact.some((x) => x && x.score !== null)
  const row = (name: string, values: (number | null | undefined)[], text: (x: number) => string): Row => ({
    name,
    cells: values.map((v) => ({
      is: v == null ? '–' : text(v),
      best: v === Math.max(...values.map((x) => x ?? 0)),
    })),
  })
  const chances = tiles.map(String).map((tile) => {
    const values = exact.map((x) => x?.chances[tile])
    return row(tile, values, exactly)
  })
  const scores = exact.map((x) => x?.score)
  return (
    <>
      <h3 class="dim">{t('Exact values')}</h3>
      <MovesTable
        {...{ legal, best }}
        label={t('Exact values')}
        rows={scored ? [...chances, row(t('Score'), scores, brief)] : chances}
      />
      <p class="dim">
        {tiles.length > 0 &&
          `${t('The greatest chance of each tile, of play that aims at this tile alone.')} `}
        {scored && t('The expected final score of optimal play.')}
      </p>
    </>
  )
}

/** exactly formats an exact chance; 100 % and 0 % are certain. */
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
      {rich('The player advises {advice}, the games {games}: {share} more of them make {tile}.', {
        advice: boldMove(v.advice),
        games: boldMove(v.games),
        share: share(difference ?? 0, 1) + (ci95 ? ` (${t('{low} to {high}', { low, high })})` : ''),
        tile: String(tiles[0]),
      })}{' '}
      {v.trusted === v.games
        ? rich('Trust {move}: the difference is clear.', trust)
        : source === 'exact'
          ? rich('Trust {move}: its values are exact, and they are points.', trust)
          : rich('Trust {move}: the difference may be chance.', trust)}
    </p>
  )
}
