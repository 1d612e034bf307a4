// Two games on one seed side by side, and the difference of their scores as it grows: two players that play now, or the games of a duel.
import { useEffect, useRef, useState } from 'preact/hooks'
import { BoardView, shape, useAnnounce } from '../board'
import { Chart } from '../chart'
import { type Result, readAddress, replayed } from '../duels'
import { seed as newSeed, whole } from '../format'
import { useKeys } from '../keys'
import { complaint, link, RpcError } from '../net'
import { PlayerField } from '../player'
import { go } from '../route'
import { isObject, load, save } from '../store'
import { t } from '../text'
import type { Board, Frame, Step, WatchKey } from '../types'
import { Button, Card, Field, Figure, SizeField } from '../ui'
import { ReplayControls, useReplayKeys, useReplays } from './replay'
import { pageAddress, Share } from './share'
import { blank, decoded, oracle, speedName, speeds } from './watch'

export function BesideView({ parts: [how, ...parts] }: { parts: string[] }) {
  useEffect(() => scrollTo(0, 0), [])
  return how === 'duel' ? <TwoGames key={parts.join('/')} parts={parts} /> : <TwoPlayers parts={parts} />
}

interface Side {
  name: string
  board: Board
  step: Step | null
  score: number
  moves: number
  over: boolean
}

function Boards({ sides }: { sides: Side[] }) {
  return (
    <div class="beside">
      {sides.map((s, i) => (
        <section key={i} class="side" aria-label={`${i + 1}: ${s.name}`}>
          <h2>{s.name}</h2>
          <dl class="figures">
            <Figure main name={t('Score')} value={<span class="score">{whole(s.score)}</span>} />
            <Figure name={t('Moves')} value={<span class="moves">{whole(s.moves)}</span>} />
          </dl>
          <BoardView board={s.board} step={s.step} label={t('Board of {name}', { name: s.name })} />
          <p class="dim">{s.over ? t('No moves left') : '\u00a0'}</p>
        </section>
      ))}
    </div>
  )
}

/** Course is how a score grew: the scores after some numbers of moves, ascending. */
interface Course {
  moves: number[]
  scores: number[]
  ended: boolean // the last score stays
}

/** differences returns the first score minus the second after each number of moves that either knows, as far as both have come. */
function differences(a: Course, b: Course): { x: number[]; y: number[] } {
  const end = ({ moves, ended }: Course) => (ended ? Infinity : (moves.at(-1) ?? 0))
  const limit = Math.min(end(a), end(b))
  const x = [...new Set([...a.moves, ...b.moves])].filter((m) => m <= limit).sort((p, q) => p - q)
  const along = (c: Course) => {
    let i = 0
    return x.map((m) => {
      while (i + 1 < c.moves.length && (c.moves[i + 1] ?? 0) <= m) i++
      return c.scores[i] ?? 0
    })
  }
  const [p, q] = [along(a), along(b)]
  return { x, y: x.map((_, i) => (p[i] ?? 0) - (q[i] ?? 0)) }
}

function Difference({
  names: [a, b],
  x,
  y,
  at,
  onPick,
}: {
  names: [string, string]
  x: number[]
  y: number[]
  at?: number
  onPick?: (move: number) => void
}) {
  const i = at === undefined ? x.length - 1 : Math.max(0, x.filter((m) => m <= at).length - 1)
  const d = y[i] ?? 0
  const lead =
    d === 0
      ? t('Equal')
      : t('{name} leads by {n}', { name: (d > 0 ? a : b).replace(/^the/, 'The'), n: Math.abs(d) })
  const said = useAnnounce(at === undefined ? '' : `${lead}.`)
  return (
    <Card title={t('Difference of the scores')} class="wide">
      <p id="lead">
        <b>{lead}</b> <span class="dim">{t('after {n} moves', { n: x[i] ?? 0 })}</span>
      </p>
      <Chart
        x={x}
        xLabel={t('move')}
        zero
        height={180}
        label={t('Score of {a} minus that of {b}, after each move: {lead} after {n} moves', {
          a,
          b,
          lead,
          n: x[i] ?? 0,
        })}
        curves={[{ label: t('difference'), values: y, colour: '--accent' }]}
        {...(at !== undefined && { at: Math.min(at, x.at(-1) ?? 0) })}
        {...(onPick && { onPick: (n: number) => onPick(x[n] ?? 0) })}
      />
      <p class="dim">{t('Above 0 {a} has more, below 0 {b} has.', { a, b })}</p>
      {said}
    </Card>
  )
}

/** TwoGames plays the games of a duel's link back, move beside move. */
function TwoGames({ parts }: { parts: string[] }) {
  const [games, setGames] = useState<Result[]>([])
  const [trouble, setTrouble] = useState('')
  const [first, second] = games
  const r = useReplays(
    games.length > 1
      ? games.map((g) => ({ record: g.record, moves: g.count }))
      : [
          { record: '', moves: 0 },
          { record: '', moves: 0 },
        ],
    0,
    true,
  )
  useEffect(() => {
    const read = async () => {
      const { match, games } = readAddress(parts)
      if (games.length < 2) throw new Error(t('it has one game, and two are shown side by side'))
      return Promise.all(games.map((g) => replayed(match, g)))
    }
    read().then(setGames, (e: unknown) =>
      setTrouble(t('This link holds no two games: {why}.', { why: complaint(e) })),
    )
  }, [])
  useReplayKeys(r)
  if (trouble)
    return (
      <div class="narrow stack">
        <p class="bad" role="alert">
          {trouble}
        </p>
        <div class="row">
          <Button onClick={() => go('watch')}>{t('Watch a player')}</Button>
        </div>
      </div>
    )
  if (!first || !second)
    return (
      <p class="dim" role="status">
        {t('Checking the games…')}
      </p>
    )
  const names: [string, string] = [t('the first game'), t('the second game')]
  const course = (g: Result): Course => ({ moves: g.scores.map((_, i) => i), scores: g.scores, ended: true })
  const { x, y } = differences(course(first), course(second))
  return (
    <div class="stack" style={shape(parts[1] ?? '4x4')}>
      <Boards
        sides={games.map((g, i): Side => {
          const p = r.shown?.[i]
          return {
            name: i === 0 ? t('First game') : t('Second game'),
            board: p?.board ?? blank(parts[1] ?? '4x4'),
            step: p?.step ?? null,
            score: p?.score ?? 0,
            moves: p?.at ?? 0,
            over: g.over && p?.at === g.count,
          }
        })}
      />
      <div class="narrow stack tight">
        <ReplayControls r={r} />
      </div>
      <Difference names={names} x={x} y={y} at={r.at} onPick={r.to} />
      <div class="row">
        <Button icon="back" onClick={() => go(`play/duel/${parts.join('/')}`)}>
          {t('The duel')}
        </Button>
      </div>
    </div>
  )
}

interface Wanted {
  players: [string, string]
  size: string
}
const isWanted = (v: unknown) =>
  isObject(v) &&
  typeof v.size === 'string' &&
  Array.isArray(v.players) &&
  v.players.length === 2 &&
  v.players.every((p) => typeof p === 'string')

const mostPoints = 4000 // of a curve that grows

/** grown returns a course with a further frame. */
function grown(c: Course | undefined, f: Frame): Course {
  const last = c?.moves.at(-1) ?? -1
  if (!c || f.moves < last) return { moves: [f.moves], scores: [f.score], ended: f.over }
  if (f.moves === last) return { ...c, ended: f.over }
  const thin =
    c.moves.length < mostPoints
      ? c
      : { moves: c.moves.filter((_, i) => i % 2 === 0), scores: c.scores.filter((_, i) => i % 2 === 0) }
  return { moves: [...thin.moves, f.moves], scores: [...thin.scores, f.score], ended: f.over }
}

/** TwoPlayers lets two players play with the same new tiles: watch/two/PLAYER/PLAYER/SIZE/SEED. */
function TwoPlayers({ parts }: { parts: string[] }) {
  const [wanted, setWanted] = useState(() =>
    load<Wanted>('watch.two', { players: ['best', 'snake'], size: '4x4' }, isWanted),
  )
  const [games, setGames] = useState<WatchKey[]>([])
  const [frames, setFrames] = useState<(Frame | undefined)[]>([])
  const [trouble, setTrouble] = useState('')
  const [speed, setSpeed] = useState(() => load('speed', 5, (v) => speeds.includes(v as number)))
  const [seed, setSeed] = useState('')
  const courses = useRef<(Course | undefined)[]>([])
  const newest = useRef<(Frame | undefined)[]>([])
  const begun = useRef('') // the address of what plays
  const address = parts.map(decoded).join('/')

  const start = async (w: Wanted, from: number) => {
    setTrouble('')
    const [a, b] = w.players
    try {
      const made = await Promise.all(
        [a, b].map((player) =>
          link.insist('watch.start', { player, size: w.size, seed: from, moves_per_s: speed }),
        ),
      )
      for (const g of games) link.ask('watch.set', { ...g, running: false }).catch(() => {})
      courses.current = newest.current = []
      setFrames([])
      setGames(made)
      setSeed(String(from))
      begun.current = [a, b, w.size, from].join('/')
      go(`watch/two/${encodeURIComponent(a)}/${encodeURIComponent(b)}/${w.size}/${from}`, true)
    } catch (e) {
      setTrouble(complaint(e, 'watch.start: '))
    }
  }
  const choose = (w: Wanted) => {
    setWanted(w)
    save('watch.two', w)
  }
  useEffect(() => {
    if (address && address === begun.current) return
    const [a = wanted.players[0], b = wanted.players[1], size = wanted.size, from = ''] = parts.map(decoded)
    const w: Wanted = { players: [a, b], size }
    choose(w)
    start(w, /^\d+$/.test(from) && Number.isSafeInteger(Number(from)) ? Number(from) : newSeed())
  }, [address])
  useEffect(() => {
    if (games.length === 0) return
    let drawing = 0
    const offFrame = link.onFrame((f) => {
      const i = games.findIndex((g) => g.id === f.id)
      if (i < 0) return
      newest.current = games.map((_, j) => (j === i ? f : newest.current[j]))
      courses.current = games.map((_, j) => (j === i ? grown(courses.current[j], f) : courses.current[j]))
      drawing ||= requestAnimationFrame(() => {
        drawing = 0
        setFrames(newest.current)
      })
    })
    const offOpen = link.onOpen(() => {
      for (const { id } of games) {
        link.ask('watch.join', { id }).catch((e: unknown) => {
          if (e instanceof RpcError)
            setTrouble(t('These games are no longer on the server. Start them again.'))
        })
      }
    })
    return () => {
      offFrame()
      offOpen()
      cancelAnimationFrame(drawing)
      for (const { id } of games) link.ask('watch.leave', { id }).catch(() => {})
    }
  }, [games])

  const playing = frames.filter((f) => f && !f.over)
  const running = playing.some((f) => f?.running)
  const over = games.length > 0 && frames.length === games.length && frames.every((f) => f?.over)
  const steer = (more: { running: boolean } | { moves_per_s: number }) => {
    for (const g of games)
      link.ask('watch.set', { ...g, ...more }).catch((e: unknown) => setTrouble(complaint(e)))
  }
  const step = () => {
    for (const [i, g] of games.entries())
      if (!frames[i]?.over) link.ask('watch.step', g).catch((e: unknown) => setTrouble(complaint(e)))
  }
  useKeys((e) => {
    if (e.target instanceof HTMLElement && e.target.matches('button, a, input')) return false
    if (e.key === ' ') steer({ running: !running })
    else if (e.key === 'n') step()
    else return false
    return true
  })
  const short = wanted.players.map((p, i) => (frames[i]?.player ?? p).replace(/\(.*/, ''))
  const names: [string, string] =
    short[0] === short[1] ? [t('the left player'), t('the right player')] : [short[0] ?? '', short[1] ?? '']
  const [a, b] = courses.current
  const { x, y } = a && b ? differences(a, b) : { x: [], y: [] }
  const size = begun.current.split('/').at(-2) ?? wanted.size
  const number = Number(seed)
  const right = /^\d+$/.test(seed) && Number.isSafeInteger(number)
  return (
    <div class="stack" style={shape(size)}>
      <Boards
        sides={[0, 1].map((i): Side => {
          const f = frames[i]
          return {
            name: f?.player ?? wanted.players[i] ?? '',
            board: f?.board ?? blank(size),
            step: f?.step ?? null,
            score: f?.score ?? 0,
            moves: f?.moves ?? 0,
            over: f?.over ?? false,
          }
        })}
      />
      <div class="narrow stack tight">
        <div class="buttons lead">
          <Button
            kind="main"
            icon={running ? 'pause' : 'start'}
            keys="Space"
            disabled={over || games.length === 0}
            onClick={() => steer({ running: !running })}
          >
            {running ? t('Pause') : t('Resume')}
          </Button>
          <Button
            icon="step"
            label={t('One move forward')}
            keys="N"
            disabled={over || games.length === 0}
            onClick={step}
          />
        </div>
        <Field label={t('Speed')}>
          <input
            type="range"
            min={0}
            max={speeds.length - 1}
            value={speeds.indexOf(speed)}
            aria-valuetext={speedName(speed)}
            onInput={(e) => {
              const s = speeds[Number(e.currentTarget.value)] ?? 5
              setSpeed(s)
              save('speed', s)
              steer({ moves_per_s: s })
            }}
          />
          <span class="ends" aria-hidden="true">
            <span>{t('slow')}</span>
            <b>{speedName(speed)}</b>
            <span>{t('fast')}</span>
          </span>
        </Field>
        {frames.map(
          (f) =>
            f?.error && (
              <p key={f.id} class="bad" role="alert">
                {f.error}
              </p>
            ),
        )}
        {frames.some((f) => f?.loading) && (
          <p class="dim" role="status">
            {t('Loading the network…')}
          </p>
        )}
        {trouble && (
          <p class="bad" role="alert">
            {trouble}
          </p>
        )}
      </div>
      <Difference names={names} x={x} y={y} />
      <Card title={t('Two players on one seed')} class="wide">
        <div class="pair">
          {wanted.players.map((p, i) => (
            <PlayerField
              key={i}
              label={i === 0 ? t('Left player') : t('Right player')}
              value={p}
              extra={oracle}
              onChange={(to) =>
                choose({ ...wanted, players: i === 0 ? [to, wanted.players[1]] : [wanted.players[0], to] })
              }
            />
          ))}
        </div>
        <div class="pair">
          <SizeField value={wanted.size} onChange={(to) => choose({ ...wanted, size: to })} />
          <Field label={t('Seed')}>
            <input inputMode="numeric" value={seed} onInput={(e) => setSeed(e.currentTarget.value)} />
          </Field>
        </div>
        <p class="dim">
          {t(
            'Both get the same new tiles: where one appears depends on the empty cells, so the games part when the moves do.',
          )}
        </p>
        <div class="row four">
          <Button kind="main" icon="watch" disabled={!right} onClick={() => start(wanted, number)}>
            {t('Play this seed')}
          </Button>
          <Button onClick={() => start(wanted, newSeed())}>{t('Another seed')}</Button>
          <Share
            disabled={games.length === 0}
            address={() => pageAddress(location.hash.slice(1))}
            says={t('Whoever opens it watches the same players on the same seed.')}
          />
          <Button onClick={() => go('watch')}>{t('One player')}</Button>
        </div>
      </Card>
    </div>
  )
}
