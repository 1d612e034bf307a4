import { useEffect, useRef, useState } from 'preact/hooks'
import { blank, boardOf, brief, largest, seed, sizeOf, whole } from '../../base/format'
import { direction, onControl, useKeys } from '../../base/keys'
import { go } from '../../base/route'
import { has, load, save } from '../../base/store'
import { t } from '../../base/text'
import { complaint, engine, link, RpcError, useStatus } from '../../engine/net'
import { BoardView, shape, useAnnounce } from '../../parts/board'
import { Select, SizeField, Slider, SpawnField } from '../../parts/fields'
import { How } from '../../parts/hints'
import { later } from '../../parts/later'
import { PlayerField } from '../../parts/player'
import { pageAddress, Share } from '../../parts/share'
import { SolveOffer } from '../../parts/solve'
import { Alert, AskButton, Button, Card, Figure, Note, showBoard } from '../../parts/ui'
import { review } from '../../state/reviewed'
import type { Dir, Frame, Params, WatchKey } from '../../types'
import { AnotherScreen } from './elsewhere'

interface Wanted {
  player: string // '': that of the server
  size: string
  start?: string // the board to begin from
  spawn: string
  until: number
}
const usual: Wanted = { player: '', size: '4x4', spawn: 'random', until: 0 }
const isWanted = (v: unknown) =>
  has(v, { player: 'string', size: 'string', spawn: 'string', until: 'number' })

/** held are the games that this tab may steer. */
function held(): WatchKey[] {
  try {
    const v: unknown = JSON.parse(sessionStorage.getItem('afterstate.watch') ?? '[]')
    return Array.isArray(v) ? (v as WatchKey[]) : []
  } catch {
    return []
  }
}

/** Steering are the methods that need a game's key. */
type Steering = 'watch.set' | 'watch.step' | 'watch.back' | 'watch.move'
type More<M extends Steering> = Omit<Params<M>, 'id' | 'key'>

/** oracle is offered only with spawns that are known in advance. */
const oracle = [
  { name: 'foresight', spec: 'foresight', keys: [], origin: '', summary: 'knows the coming spawns' },
]

const stops = [0, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768]
const speeds = [1, 2, 5, 10, 20, 50, 100, 0]
const speedName = (s: number) =>
  s === 0 ? t('as fast as possible') : t('{n} {n|move|moves} a second', { n: s })

const BothGames = later(async () => (await import('../today/duel')).BothGames)

/** WatchView is a game, or both games of a duel. */
export function WatchView({ parts }: { parts: string[] }) {
  return parts[0] === 'duel' ? (
    <BothGames key={parts.join('/')} parts={parts.slice(1)} />
  ) : (
    <OneGame parts={parts} />
  )
}

function OneGame({ parts }: { parts: string[] }) {
  const given = parts[0] === 'from' ? parts.slice(1).join('/') : '' // a board to begin from
  const linked = parts[0] === 'play' ? parts : null // a link to a player: watch/play/SPEC/SIZE
  const shared = given || linked ? '' : (parts[0] ?? '') // the id in a link
  const [wanted, setWanted] = useState(() => load('watch', usual, isWanted))
  const [id, setId] = useState(given || linked ? '' : shared || held().at(-1)?.id || '')
  const [frame, setFrame] = useState<Frame | null>(null)
  const [trouble, setTrouble] = useState('')
  const [gone, setGone] = useState(false) // the previous game has ended: server restart, or no viewers for too long
  const [speed, setSpeed] = useState(() => load('speed', 5, (v) => speeds.includes(v as number)))
  const [hands, setHands] = useState(false) // this person has made the last move
  const [news, setNews] = useState('') // what became of the game when a player was chosen
  const [begun, setBegun] = useState('') // the options of the shown game
  const key = held().find((h) => h.id === id)?.key
  const last = begun ? (JSON.parse(begun) as Wanted) : wanted
  const subject = last.start ? last : wanted // what is offered to be solved: one that begins from a board stays
  const status = useStatus()
  const newest = useRef<Frame | null>(null)
  const boardside = useRef<HTMLDivElement>(null)
  const asked = useRef<boolean | null>(null) // the requested running state, until a frame confirms it

  const start = async (w: Wanted, said = '') => {
    setTrouble('')
    setNews('')
    setHands(false)
    setGone(false)
    try {
      if (key) await link.ask('watch.set', { id, key, running: false }).catch(() => {})
      const made = await link.insist('watch.start', { ...w, seed: seed(), moves_per_s: speed })
      sessionStorage.setItem('afterstate.watch', JSON.stringify([...held().slice(-8), made]))
      setFrame(null)
      asked.current = null
      setBegun(JSON.stringify(w))
      setId(made.id)
      showBoard(boardside.current)
      setNews(said)
      if (parts[0]) go('watch', true)
    } catch (e) {
      setTrouble(complaint(e))
    }
  }

  useEffect(() => {
    if (shared && shared !== id) setId(shared)
  }, [shared])

  // Without a game to show, one starts immediately.
  useEffect(() => {
    if (given) start({ ...wanted, size: sizeOf(boardOf(given)), spawn: 'random', until: 0, start: given })
    else if (linked) {
      const w = { ...usual, player: decoded(linked[1] ?? usual.player), size: linked[2] ?? usual.size }
      choose(w)
      start(w)
    } else if (!id) start(wanted)
  }, [given, linked?.join('/')])

  useEffect(() => {
    if (!id) return
    let drawing = 0
    const offFrame = link.onFrame((f) => {
      if (f.id !== id) return
      newest.current = f // the page draws the newest when it is ready
      drawing ||= requestAnimationFrame(() => {
        drawing = 0
        setFrame(newest.current)
      })
    })
    const offOpen = link.onOpen(() => {
      link.ask('watch.join', { id }).catch((e: unknown) => {
        if (!(e instanceof RpcError)) return
        sessionStorage.setItem('afterstate.watch', JSON.stringify(held().filter((h) => h.id !== id)))
        setId('')
        setFrame(null)
        if (shared === id) setTrouble(t('That game is no longer on the server.'))
        else start(load('watch', usual, isWanted)).then(() => setGone(true))
      })
    })
    return () => {
      offFrame()
      offOpen()
      cancelAnimationFrame(drawing)
      link.ask('watch.leave', { id }).catch(() => {})
    }
  }, [id])

  const steer = <M extends Steering>(method: M, more: More<M>) => {
    if (key)
      link.ask(method, { id, key, ...more } as Params<M>).catch((e: unknown) => setTrouble(complaint(e)))
  }
  const running = frame?.running ?? false
  const over = frame?.over ?? false
  const byHand = hands && !running && !over
  const player = frame?.player ?? wanted.player
  const short = player.replace(/\(.*/, '')
  // Frames arrive later than keys: the last request counts.
  if (running === asked.current) asked.current = null
  const toggle = () => {
    setHands(false)
    asked.current = !(asked.current ?? running)
    steer('watch.set', { running: asked.current })
  }
  const byOne = <M extends Steering>(method: M, more: More<M>) => {
    // a move forward or back also stops the player
    asked.current = null
    setHands(method === 'watch.move')
    steer(method, more)
  }
  const move = (d: Dir) => byOne('watch.move', { move: d })
  /** seat lets a player take over the shown game, or begins one where there is none to take over. */
  const seat = async (to: string) => {
    const next = { ...wanted, player: to }
    choose(next)
    if (!key || !frame || over) return start(next, t('A new game of {player}.', { player: to }))
    setTrouble('')
    setNews('')
    try {
      await link.insist('watch.set', { id, key, player: to })
      setBegun(begun && JSON.stringify({ ...last, player: to }))
      const told = { player: to, n: newest.current?.moves ?? 0 }
      setNews(
        running
          ? t('{player} has taken over after move {n}.', told)
          : t('{player} has taken over after move {n}; press Resume.', told),
      )
    } catch (e) {
      setTrouble(complaint(e, 'watch.set: player: '))
    }
  }
  const setPace = (s: number) => {
    setSpeed(s)
    save('speed', s)
    steer('watch.set', { moves_per_s: s })
  }

  useKeys((e) => {
    if (!key) return false
    const d = direction(e)
    if (d) move(d)
    else if (e.key === ' ' && !onControl(e)) over || toggle()
    else if (e.key === 'n') byOne('watch.step', {})
    else if (e.key === 'b' || e.key === 'u') byOne('watch.back', {})
    else return false
    return true
  })

  const score = { n: frame?.score ?? 0 }
  const paused = frame && !running ? t('Paused. Score {n}.', score) : ''
  const said = useAnnounce(over ? t('No moves left. Score {n}.', score) : paused)
  const d = frame?.decision ?? null
  return (
    <div class="arena">
      <div
        class="boardside"
        ref={boardside}
        style={{ ...shape(frame ? sizeOf(frame.board) : wanted.size), '--rest': '22.5rem' }}
      >
        <dl class="figures">
          <Figure main name={t('Score')} id="score" value={whole(frame?.score ?? 0)} />
          <Figure name={t('Moves')} id="moves" value={whole(frame?.moves ?? 0)} />
          <Figure
            name={t('Moves a second')}
            value={frame?.moves_per_s != null ? brief(frame.moves_per_s) : '–'}
          />
        </dl>
        {frame ? (
          <BoardView
            board={frame.board}
            step={frame.step}
            decision={d}
            faded={!frame.decision_current && running && speed > 0 && speed < 20}
            onMove={key ? move : undefined}
          >
            {over && (
              <div class="over" role="group" aria-label={t('Game over')}>
                <strong>{t('No moves left')}</strong>
                <Button kind="main" onClick={() => start(wanted)} text={t('Watch another game')} />
              </div>
            )}
          </BoardView>
        ) : (
          <BoardView board={blank(wanted.size)} />
        )}
        <div class="buttons lead">
          <Button
            kind="main"
            icon={running ? 'pause' : 'start'}
            keys="Space"
            disabled={!key || over || !frame}
            onClick={toggle}
            text={running ? t('Pause') : byHand ? t('Hand back to {player}', { player: short }) : t('Resume')}
          />
          <Button
            icon="back"
            label={t('One move back')}
            keys="B"
            disabled={!key || !frame?.moves}
            onClick={() => byOne('watch.back', {})}
          />
          <Button
            icon="step"
            label={t('One move forward')}
            keys="N"
            disabled={!key || over || !frame}
            onClick={() => byOne('watch.step', {})}
          />
        </div>
        <Slider
          label={t('Speed')}
          min={0}
          max={speeds.length - 1}
          value={speeds.indexOf(speed)}
          says={speedName(speed)}
          disabled={!key}
          onInput={(i) => setPace(speeds[i] ?? 5)}
        >
          <span class="ends" aria-hidden="true">
            <span>{t('slow')}</span>
            <b>{speedName(speed)}</b>
            <span>{t('fast')}</span>
          </span>
        </Slider>
        <p class={byHand ? '' : 'dim'} role="status">
          {byHand
            ? t('You are playing. {player} goes on when you hand back.', { player: short })
            : over
              ? ''
              : key
                ? t('{player} is playing. Make a move to take over.', { player: short || t('A player') })
                : id && frame
                  ? t('This is somebody else’s game, so you can only watch.')
                  : ''}
        </p>
        <Note text={gone && t('The last game is no longer on the server; this is another one.')} />
        {frame?.error && <Alert text={frame.error} />}
        <Note text={frame?.loading && t('Loading the network…')} />
        <Note
          kind="good"
          text={frame?.reached && !running && t('{tile} reached.', { tile: String(largest(frame.board)) })}
        />
        <Alert text={trouble} />
        {said}
      </div>
      <div class="stack">
        <Card title={t('Who plays')}>
          <PlayerField label={t('Player')} value={wanted.player || player} extra={oracle} onChange={seat} />
          <p class={news ? 'good' : 'dim'} role="status">
            {news ||
              (!key || !frame || over
                ? t('Choose another one, and a new game begins.')
                : t('Choose another one, and it takes over this game.'))}
          </p>
        </Card>
        <Card title={t('New game')}>
          <div class="pair">
            <SizeField value={wanted.size} onChange={(size) => choose({ ...wanted, size })} />
            <Select
              label={t('Stop at')}
              value={wanted.until}
              of={stops}
              name={(tile) => tile || t('the end')}
              onChange={(until) => choose({ ...wanted, until })}
            />
          </div>
          <SpawnField value={wanted.spawn} onChange={(spawn) => choose({ ...wanted, spawn })} />
          <SolveOffer
            size={subject.start ? sizeOf(boardOf(subject.start)) : subject.size}
            player={subject.player || player}
            onSolved={() => byHand || start(subject)}
          />
          <Button
            kind={over || !frame || (begun && begun !== JSON.stringify(wanted)) ? 'main' : ''}
            icon="watch"
            disabled={status !== 'open'}
            onClick={() => start(wanted)}
            text={t('Watch a new game')}
          />
        </Card>
        <Card title={t('Values')}>
          {d ? (
            <How d={d} asked={subject.player} level="" />
          ) : (
            <p class="dim">{t('The bars at the edges of the board show the value of each move.')}</p>
          )}
          <p class="dim">
            {frame ? t('Seed {seed}', { seed: String(frame.seed) }) : ''}
            {frame && frame.watchers > 1 ? ` · ${t('{n} watching', { n: frame.watchers })}` : ''}
          </p>
          <div class="row fill">
            {!engine && (
              <Share
                disabled={!id}
                address={() => pageAddress(`watch/${id}`)}
                says={t('Whoever opens it watches this game with you.')}
              />
            )}
            <AskButton of={frame} />
            <Button
              icon="review"
              disabled={!frame?.moves}
              onClick={async () => review((await link.insist('watch.record', { id })).record)}
              text={t('Review')}
            />
          </div>
          <AnotherScreen id={id} />
        </Card>
      </div>
    </div>
  )

  function choose(w: Wanted) {
    setWanted(w)
    save('watch', w)
  }
}

/** decoded returns a part of a link; a damaged one as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
