// The chances of each move: games played on from the board, refined while a person looks.
import { useEffect, useState } from 'preact/hooks'
import { arrow } from '../board'
import { brief, classNames, dirNames, fixed, percent, share, whole } from '../format'
import { about, Busy } from '../hints'
import { cancelled, complaint, link } from '../net'
import { rich, t } from '../text'
import {
  type Board,
  type Dir,
  dirs,
  type MeanOdds,
  type Odds,
  type OddsAnswer,
  type OddsDifference,
  type TileOdds,
} from '../types'
import { Button, Card } from '../ui'

/** Times of the requests for one board. Each plays the games of the one before again, and more. */
const times = [300, 1200, 4800, 10_000]

/** enough is the half width of an interval at which the games end. */
const enough = 0.01

interface State {
  key: string
  result: OddsAnswer | null
  clear: boolean // one move was better than all others
  trouble: string
  busy: boolean
}

const none = (key: string): State => ({ key, result: null, clear: false, trouble: '', busy: true })

/** useOdds asks for the odds of a board, for longer and longer, until the chances of the next tile
    are known to one percent. */
function useOdds(board: Board, score: number, player: string): State {
  const params = about(board, score, player)
  const key = JSON.stringify(params)
  const [state, set] = useState<State>(none(key))
  useEffect(() => {
    const end = new AbortController()
    const ask = async () => {
      let clear = false
      for (const time_ms of times) {
        const result = await link.insist(
          'odds',
          { ...params, time_ms, exact: time_ms !== times[0] },
          end.signal,
        )
        clear ||= result.odds.stopped === 'clear'
        const more = time_ms !== times.at(-1) && !known(result.odds)
        if (!end.signal.aborted) set({ key, result, clear, trouble: '', busy: more })
        if (!more) return
      }
    }
    set(none(key))
    ask().catch(
      (e: unknown) =>
        !end.signal.aborted && !cancelled(e) && set((s) => ({ ...s, trouble: complaint(e), busy: false })),
    )
    return () => end.abort()
  }, [key])
  return state.key === key ? state : none(key)
}

/** known reports whether the chances of the next tile are as precise as they need to be. */
const known = (odds: Odds) =>
  dirs.every((d) => {
    const ci = odds.moves[d]?.tiles[String(odds.asked[0])]?.ci95
    return !odds.moves[d] || (ci && ci[1] - ci[0] <= 2 * enough)
  })

/** Chances is a card that plays games when it is open. */
export function Chances(p: { board: Board; score: number; player: string }) {
  const [open, setOpen] = useState(false)
  return (
    <Card
      title={t('Chances')}
      side={
        <Button kind="small" pressed={open} onClick={() => setOpen(!open)} id="chances">
          {open ? t('Close') : t('Play games')}
        </Button>
      }
    >
      {open ? (
        <Games {...p} />
      ) : (
        <p class="dim">
          {t('How often each move makes the next tile and every larger one, from games played on after it.')}
        </p>
      )}
    </Card>
  )
}

function Games({ board, score, player }: { board: Board; score: number; player: string }) {
  const { result, clear, trouble, busy } = useOdds(board, score, player)
  if (!result)
    return trouble ? (
      <p class="bad" role="alert">
        {trouble}
      </p>
    ) : (
      <Busy work={t('Playing games from here…')} />
    )
  const { odds } = result
  const legal = dirs.filter((d) => odds.moves[d])
  if (legal.length === 0) return <p class="dim">{t('No moves left.')}</p>
  if (odds.games === 0)
    return (
      <p class="dim">
        {busy ? t('Playing games from here…') : t('No game ended in time: the player is too slow for that.')}
      </p>
    )
  const best = odds.verdict?.trusted ?? result.move
  return (
    <div class="stack tight">
      {trouble && (
        <p class="bad" role="alert">
          {trouble}
        </p>
      )}
      <div class="scroll" tabIndex={0} role="region" aria-label={t('Chances')} aria-busy={busy}>
        <table class="chances">
          <caption class="unseen">
            {t('Chance of each tile after each move, with the distance to both ends of its 95 % interval')}
          </caption>
          <thead>
            <tr>
              <th scope="col">{t('Tile')}</th>
              {legal.map((d) => (
                <th key={d} scope="col" class={d === best ? 'n best' : 'n'}>
                  {arrow(d)} {dirNames[d]}
                  {d === best && <span class="unseen">, {classNames.best}</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {made(odds).map((tile) => (
              <TileRow key={tile} tile={tile} of={odds} legal={legal} />
            ))}
            {odds.whole_games > 0 && (
              <MeanRow name={t('Score')} legal={legal} of={(d) => odds.moves[d]?.score} />
            )}
            {odds.whole_games > 0 && (
              <MeanRow name={t('Moves')} legal={legal} of={(d) => odds.moves[d]?.length} />
            )}
          </tbody>
        </table>
      </div>
      <Beyond odds={odds} />
      <p class="dim">
        {t('{n} games after each move, played by {player}. + and −: 95 % intervals.', {
          n: odds.games,
          player: odds.played_by,
        })}
        {odds.whole_games > 0 &&
          ' ' +
            (odds.asked.length > 0 && made(odds).some((tile) => tile > largestAsked(odds))
              ? t(
                  '{n} games were played to the end: they give the final score, the moves to come, and the tiles above {tile}.',
                  { n: odds.whole_games, tile: String(largestAsked(odds)) },
                )
              : t('{n} games were played to the end: they give the final score, the moves to come.', {
                  n: odds.whole_games,
                }))}
        {busy && ` ${t('Playing on…')}`}
        {clear && ` ${t('One move is clearly better.')}`}
      </p>
      <Verdict of={result} />
      {odds.exact && <Exact of={odds.exact} legal={legal} best={best} />}
    </div>
  )
}

/** Exact is a table of exact values. It is apart from that of the games, whose player does not aim at one tile. */
function Exact({ of, legal, best }: { of: NonNullable<Odds['exact']>; legal: Dir[]; best: Dir | null }) {
  const all = new Set(legal.flatMap((d) => Object.keys(of[d]?.chances ?? {})))
  const tiles = [...all]
    .map(Number)
    .sort((a, b) => a - b)
    .filter((t) => legal.some((d) => (of[d]?.chances[String(t)] ?? 1) < 1))
  const scores = legal.map((d) => of[d]?.score ?? null)
  const scored = scores.some((s) => s !== null)
  const highest = Math.max(...scores.map((s) => s ?? 0))
  return (
    <>
      <h3 class="dim">{t('Exact values')}</h3>
      <div class="scroll" tabIndex={0} role="region" aria-label={t('Exact values')}>
        <table class="chances">
          <thead>
            <tr>
              <th scope="col">{t('Tile')}</th>
              {legal.map((d) => (
                <th key={d} scope="col" class={d === best ? 'n best' : 'n'}>
                  {arrow(d)} {dirNames[d]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {tiles.map((tile) => {
              const chances = legal.map((d) => of[d]?.chances[String(tile)])
              const maximum = Math.max(...chances.map((c) => c ?? 0))
              return (
                <tr key={tile}>
                  <th scope="row">{tile}</th>
                  {chances.map((c, i) => (
                    <td key={legal[i]} class={c === maximum ? 'n best' : 'n'}>
                      {c === undefined ? '–' : exactly(c)}
                    </td>
                  ))}
                </tr>
              )
            })}
            {scored && (
              <tr>
                <th scope="row">{t('Score')}</th>
                {scores.map((s, i) => (
                  <td key={legal[i]} class={s === highest ? 'n best' : 'n'}>
                    {s !== null ? brief(s) : '–'}
                  </td>
                ))}
              </tr>
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

const largestAsked = (odds: Odds) => Math.max(...odds.asked)

/** tilesOf returns all counted tiles, ascending. */
const tilesOf = (odds: Odds) =>
  Object.keys(Object.values(odds.moves)[0]?.tiles ?? {})
    .map(Number)
    .sort((a, b) => a - b)

/** made returns the tiles that any game made, and always the next one. */
const made = (odds: Odds) =>
  tilesOf(odds).filter(
    (t) => t === odds.asked[0] || Object.values(odds.moves).some((m) => (m.tiles[String(t)]?.share ?? 0) > 0),
  )

function TileRow({ tile, of, legal }: { tile: number; of: Odds; legal: Dir[] }) {
  const chances = legal.map((d) => of.moves[d]?.tiles[String(tile)])
  const maximum = Math.max(...chances.map((c) => c?.share ?? 0))
  return (
    <tr>
      <th scope="row">{tile}</th>
      {chances.map((c, i) => (
        <Chance key={legal[i]} of={c} best={maximum > 0 && c?.share === maximum} />
      ))}
    </tr>
  )
}

/** A share as a bar, with a line over its interval. */
function Chance({ of, best }: { of: TileOdds | undefined; best: boolean }) {
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

function MeanRow({ name, legal, of }: { name: string; legal: Dir[]; of: (d: Dir) => MeanOdds | undefined }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {legal.map((d) => (
        <Mean key={d} of={of(d)} />
      ))}
    </tr>
  )
}

function Mean({ of }: { of: MeanOdds | undefined }) {
  if (!of || of.mean === null) return <td class="n">–</td>
  return (
    <td class="n">
      {compact(of.mean)}
      {of.ci95 && <small class="dim">± {compact((of.ci95[1] - of.ci95[0]) / 2)}</small>}
    </td>
  )
}

/** compact formats points or moves in few characters. */
const compact = (x: number) => brief(Math.round(x))

/** Beyond says which tiles no game made, and how likely they can still be. */
function Beyond({ odds }: { odds: Odds }) {
  const never = tilesOf(odds).filter((t) => !made(odds).includes(t))
  const [first] = never
  if (first === undefined) return null
  const high = Math.max(...Object.values(odds.moves).map((m) => m.tiles[String(first)]?.ci95?.[1] ?? 1))
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
function Verdict({
  of: {
    source,
    odds: { verdict: v, asked },
  },
}: {
  of: OddsAnswer
}) {
  if (!v || v.advice === v.games) return null
  const name = (d: Dir) => (
    <b>
      {arrow(d)} {dirNames[d]}
    </b>
  )
  const told = {
    advice: name(v.advice),
    games: name(v.games),
    share: difference(v.chance, (x) => share(x, 1)),
    tile: String(asked[0]),
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
        ? rich('Trust {move}: the difference is clear.', { move: name(v.games) })
        : source === 'exact'
          ? rich('Trust {move}: its values are exact, and they are points.', { move: name(v.advice) })
          : source === 'search'
            ? rich(
                'Trust {move}: the difference may be chance, and the player looks further than the games’ player.',
                { move: name(v.advice) },
              )
            : rich('Trust {move}: the difference may be chance.', { move: name(v.advice) })}
    </p>
  )
}

const difference = (d: OddsDifference, text: (x: number) => string) =>
  `${text(d.difference ?? 0)}${d.ci95 ? ` (${t('{low} to {high}', { low: text(d.ci95[0]), high: text(d.ci95[1]) })})` : ''}`
