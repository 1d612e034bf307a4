// Why a move is best: what games that are played on after each move lead to, and the line to expect.
import { useEffect, useState } from 'preact/hooks'
import { boldMove, Mini, moveText } from '../board'
import { brief, classNames, fixed, percent, share, whole } from '../format'
import { about, Busy, useAsked } from '../hints'
import { rich, t } from '../text'
import {
  type Board,
  type Dir,
  dirs,
  type Why as Found,
  type MeanOfGames,
  type PairedDifference,
  type Reasons,
  type Share,
} from '../types'
import { Alert, Button } from '../ui'

/** times are those of the requests for one board: the first answer, and more games on request. */
const times = [700, 1500, 5000, 10_000]

/** enough is the half width of an interval at which the games end. */
const enough = 0.01

interface Question {
  board: Board
  score: number
  player: string
}

/** known reports whether the chances of the next tile are as precise as they need to be. */
const known = ({ moves, tiles }: Found) =>
  Object.values(moves).every(
    ({ tiles: { [String(tiles[0])]: c } }) => c?.ci95 && c.ci95[1] - c.ci95[0] <= 2 * enough,
  )

/** Why shows the result of explain. */
export function Why(p: Question) {
  const [more, setMore] = useState(false)
  return <Games key={JSON.stringify(p)} {...p} more={more} onMore={() => setMore(!more)} />
}

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

function Games({ more, onMore, ...p }: Question & { more: boolean; onMore: () => void }) {
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
        <Button kind="small" pressed={more} onClick={onMore} id="chances" text={t('Play more games')} />
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

/** Heads has the moves as columns. */
function Heads({ legal, best }: Moves) {
  return (
    <thead>
      <tr>
        <th scope="col">{t('Tile')}</th>
        {legal.map((d) => (
          <th key={d} scope="col" class={d === best ? 'n best' : 'n'}>
            {moveText(d)}
            {d === best && <span class="unseen">, {classNames.best}</span>}
          </th>
        ))}
      </tr>
    </thead>
  )
}

/** Outcomes is a table of what the games led to. */
function Outcomes({ why, legal, best, busy }: Moves & { why: Found; busy: boolean }) {
  const larger = why.whole_games > 0 && made(why).some((tile) => tile > largest(why))
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label={t('Chances')} aria-busy={busy}>
        <table class="chances">
          <caption class="unseen">
            {t('Chance of each tile after each move, with the distance to both ends of its 95 % interval')}
          </caption>
          <Heads legal={legal} best={best} />
          <tbody>
            {made(why).map((tile) => (
              <ShareRow
                key={tile}
                name={String(tile)}
                of={legal.map((d) => why.moves[d]?.tiles[String(tile)])}
              />
            ))}
            <ShareRow name={t('Lost')} of={legal.map((d) => why.moves[d]?.game_over)} lost />
            {why.whole_games > 0 && (
              <>
                <MeanRow name={t('Score')} of={legal.map((d) => why.moves[d]?.score)} />
                <MeanRow name={t('Moves')} of={legal.map((d) => why.moves[d]?.length)} />
              </>
            )}
          </tbody>
        </table>
      </div>
      {why.whole_games > 0 && <Beyond why={why} />}
      <p class="dim">
        {t('{n} games after each move, played by {player}. + and −: 95 % intervals.', {
          n: why.games,
          player: why.played_by,
        })}{' '}
        {t('Lost: over within {n} moves.', { n: why.soon_moves })}
        {why.horizon_moves > 0 && ` ${t('Tiles: made within {n} moves.', { n: why.horizon_moves })}`}
        {why.whole_games > 0 &&
          ` ${
            larger
              ? t(
                  '{n} games were played to the end: they give the final score, the moves to come, and the tiles above {tile}.',
                  { n: why.whole_games, tile: String(largest(why)) },
                )
              : t('{n} games were played to the end: they give the final score, the moves to come.', {
                  n: why.whole_games,
                })
          }`}
        {busy && ` ${t('Playing on…')}`}
      </p>
    </>
  )
}

/** Exact is a table of exact values. It is apart from that of the games, whose player does not aim at one tile. */
function Exact({ of, legal, best }: Moves & { of: Found['moves'] }) {
  const exact = legal.map((d) => of[d]?.exact)
  const tiles = [...new Set(exact.flatMap((x) => Object.keys(x?.chances ?? {}).map(Number)))]
    .sort((a, b) => a - b)
    .filter((tile) => exact.some((x) => (x?.chances[String(tile)] ?? 1) < 1))
  const scored = exact.some((x) => x && x.score !== null)
  const row = (name: string, values: (number | null | undefined)[], text: (x: number) => string) => (
    <tr key={name}>
      <th scope="row">{name}</th>
      {values.map((v, i) => (
        <td key={legal[i]} class={v === Math.max(...values.map((x) => x ?? 0)) ? 'n best' : 'n'}>
          {v === null || v === undefined ? '–' : text(v)}
        </td>
      ))}
    </tr>
  )
  return (
    <>
      <h3 class="dim">{t('Exact values')}</h3>
      <div class="scroll" tabIndex={0} role="region" aria-label={t('Exact values')}>
        <table class="chances">
          <Heads legal={legal} best={best} />
          <tbody>
            {tiles.map((tile) =>
              row(
                String(tile),
                exact.map((x) => x?.chances[String(tile)]),
                exactly,
              ),
            )}
            {scored &&
              row(
                t('Score'),
                exact.map((x) => x?.score),
                brief,
              )}
          </tbody>
        </table>
      </div>
      <p class="dim">
        {tiles.length > 0 &&
          `${t('The greatest chance of each tile, of play that aims at this tile alone.')} `}
        {scored && t('The expected final score of optimal play.')}
      </p>
    </>
  )
}

/** exactly formats an exact chance; 100 % and 0 % are certain. */
const exactly = (c: number) =>
  c === 1 || c === 0
    ? share(c)
    : c > 0.99995
      ? `>${share(0.9999, 2)}`
      : c < 0.00005
        ? `<${share(0.0001, 2)}`
        : share(c, 2)

const largest = (why: Found) => Math.max(...why.tiles)

/** tilesOf returns all counted tiles, ascending. */
const tilesOf = (why: Found) =>
  Object.keys(Object.values(why.moves)[0]?.tiles ?? {})
    .map(Number)
    .sort((a, b) => a - b)

/** made returns the tiles that any game made, and always the first one that was asked for. */
const made = (why: Found) =>
  tilesOf(why).filter(
    (t) => t === why.tiles[0] || Object.values(why.moves).some((m) => (m.tiles[String(t)]?.share ?? 0) > 0),
  )

/** ShareRow has a share of the games after each move; the best one is the smallest if it counts what is lost. */
function ShareRow({ name, of, lost = false }: { name: string; of: (Share | undefined)[]; lost?: boolean }) {
  const shares = of.map((c) => c?.share ?? 0)
  const best = lost ? Math.min(...shares) : Math.max(...shares)
  const differ = lost ? best < Math.max(...shares) : best > 0
  return (
    <tr>
      <th scope="row">{name}</th>
      {of.map((c, i) => (
        <Chance key={i} of={c} best={differ && c?.share === best} />
      ))}
    </tr>
  )
}

/** A share as a bar, with a line over its interval. */
function Chance({ of, best }: { of: Share | undefined; best: boolean }) {
  if (!of || of.share === null || !of.ci95) return <td class="n">–</td>
  const [low, high] = of.ci95
  return (
    <td class={best ? 'n best' : 'n'}>
      {percent(of.share)}
      <span class="gauge" style={{ '--f': of.share, '--low': low, '--high': high }} />
      <small class="dim">
        +{points(high - of.share)} −{points(of.share - low)}
      </small>
    </td>
  )
}

/** points formats a difference of shares in percentage points. */
const points = (x: number) => fixed(100 * x, x < 0.0995 ? 1 : 0)

function MeanRow({ name, of }: { name: string; of: (MeanOfGames | undefined)[] }) {
  const mean = (m: MeanOfGames) => (
    <>
      {compact(m.mean ?? 0)}
      {m.ci95 && <small class="dim">± {compact((m.ci95[1] - m.ci95[0]) / 2)}</small>}
    </>
  )
  return (
    <tr>
      <th scope="row">{name}</th>
      {of.map((m, i) => (
        <td key={i} class="n">
          {!m || m.mean === null ? '–' : mean(m)}
        </td>
      ))}
    </tr>
  )
}

/** compact formats points or moves in few characters. */
const compact = (x: number) => brief(Math.round(x))

/** Beyond says which tiles no game made, and how likely they can still be. */
function Beyond({ why }: { why: Found }) {
  const never = tilesOf(why).filter((t) => !made(why).includes(t))
  const [first] = never
  if (first === undefined) return null
  const high = Math.max(...Object.values(why.moves).map((m) => m.tiles[String(first)]?.ci95?.[1] ?? 1))
  return (
    <p class="dim">
      {t('{tiles}: in no game, so below {share} (95 %).', {
        tiles:
          never.length > 1
            ? t('{low} to {high}', { low: String(first), high: String(never.at(-1)) })
            : String(first),
        share: percent(high),
      })}
    </p>
  )
}

/** Verdict says which move to trust where the games and the player disagree. */
function Verdict({ of: { source, why } }: { of: Reasons }) {
  const { verdict: v, tiles } = why
  if (!v || v.advice === v.games) return null
  const told = {
    advice: boldMove(v.advice),
    games: boldMove(v.games),
    share: difference(v.chance, (x) => share(x, 1)),
    tile: String(tiles[0]),
  }
  return (
    <p>
      {v.score.difference !== null
        ? rich(
            'The player advises {advice}, the games {games}: {share} more of them make {tile}, with {points} points more.',
            { ...told, points: difference(v.score, (x) => whole(Math.round(x))) },
          )
        : rich(
            'The player advises {advice}, the games {games}: {share} more of them make {tile}.',
            told,
          )}{' '}
      {v.trusted === v.games
        ? rich('Trust {move}: the difference is clear.', { move: boldMove(v.games) })
        : source === 'exact'
          ? rich('Trust {move}: its values are exact, and they are points.', { move: boldMove(v.advice) })
          : source === 'search'
            ? rich(
                'Trust {move}: the difference may be chance, and the player looks further than the games’ player.',
                { move: boldMove(v.advice) },
              )
            : rich('Trust {move}: the difference may be chance.', { move: boldMove(v.advice) })}
    </p>
  )
}

const difference = (d: PairedDifference, text: (x: number) => string) =>
  `${text(d.difference ?? 0)}${d.ci95 ? ` (${t('{low} to {high}', { low: text(d.ci95[0]), high: text(d.ci95[1]) })})` : ''}`
