// A game that a player plays on the server: its frames and its controls.
import { useEffect, useRef, useState } from 'preact/hooks'
import { boardOf, newSeed, sizeOf } from '../../base/boards'
import { go } from '../../base/route'
import { has, load, useStored } from '../../base/store'
import { t } from '../../base/text'
import { complaint, link, RpcError, useAttempt } from '../../engine/net'
import type { Dir, Frame, WatchKey } from '../../types'

export interface Wanted {
  player: string // '': the server's default
  size: string
  start?: string // the board to begin from
  spawn: string
}
const usual: Wanted = { player: '', size: '4x4', spawn: 'random' }
const isWanted = (v: unknown) => has(v, { player: 'string', size: 'string', spawn: 'string' })

const key = 'afterstate.watch'

/** watchKeys returns the keys of the games that this tab may control. */
const watchKeys = (): WatchKey[] => JSON.parse(sessionStorage.getItem(key) ?? '[]')

const hold = (games: WatchKey[]) => sessionStorage.setItem(key, JSON.stringify(games))

type Steering = 'watch.set' | 'watch.step' | 'watch.back' | 'watch.move'

export const speeds = [1, 2, 5, 10, 20, 50, 100, 0]

/** useFrames joins a game and returns its newest frame when the page is ready; onGone is called if the game is gone. */
function useFrames(id: string, onGone: () => void) {
  const [frame, setFrame] = useState<Frame | null>(null)
  const newest = useRef<Frame | null>(null)
  useEffect(() => {
    newest.current = null
    setFrame(null)
    if (!id) return
    let drawing = 0
    const offFrame = link.onFrame((f) => {
      if (f.id !== id) return
      newest.current = f
      drawing ||= requestAnimationFrame(() => {
        drawing = 0
        setFrame(newest.current)
      })
    })
    const offOpen = link.onOpen(() => {
      link.ask('watch.join', { id }).catch((e: unknown) => {
        if (!(e instanceof RpcError)) return
        hold(watchKeys().filter((h) => h.id !== id))
        setFrame(null)
        onGone()
      })
    })
    return () => {
      offFrame()
      offOpen()
      cancelAnimationFrame(drawing)
      link.ask('watch.leave', { id }).catch(() => {})
    }
  }, [id])
  return frame
}

/** addressOf parses an address of Watch: a board to begin from, a player and a size, or the id of a game. */
function addressOf([first = '', ...rest]: string[]) {
  if (first === 'from') return { start: rest.join('/') }
  if (first === 'play') return { player: rest[0] ?? '', size: rest[1] ?? usual.size }
  return { id: first }
}

const takenOver = (player: string, { moves: n, running }: Frame) =>
  running
    ? t('{player} has taken over after move {n}.', { player, n })
    : t('{player} has taken over after move {n}; press Resume.', { player, n })

export type Watching = ReturnType<typeof useWatching>

/** useWatching watches the game of an address, the last one of this tab, or a new one. home is the address of
    Watch without a game. */
export function useWatching(parts: string[], home: string) {
  const address = addressOf(parts)
  const shared = address.id ?? ''
  const [wanted, choose] = useStored('watch', usual, isWanted) // options of the next game
  const [id, setId] = useState(address.id === undefined ? '' : shared || watchKeys().at(-1)?.id || '')
  const { trouble, setTrouble, attempt } = useAttempt()
  const [news, setNews] = useState('') // message about the last game
  const [begun, setBegun] = useState<Wanted | null>(null) // the options of the shown game
  const may = watchKeys().find((h) => h.id === id)?.key
  const frame = useFrames(id, () => {
    setId('')
    if (shared === id) setTrouble(t('That game is no longer on the server.'))
    else
      start(
        load('watch', usual, isWanted),
        t('The last game is no longer on the server; this is another one.'),
      )
  })
  const steering = useSteering(id, may, frame, setTrouble)

  const start = (w: Wanted, message = '') =>
    attempt(async () => {
      setNews('')
      if (may) await link.ask('watch.set', { id, key: may, running: false }).catch(() => {})
      const made = await link.insist('watch.start', { ...w, seed: newSeed(), moves_per_s: steering.speed })
      hold([...watchKeys().slice(-8), made])
      steering.forget()
      setBegun(w)
      setId(made.id)
      setNews(message)
      if (parts[0]) go(home, true)
    })
  useEffect(() => {
    if (shared && shared !== id) setId(shared)
  }, [shared])
  // Start a game at once if there is none to show.
  useEffect(() => {
    const { start: board, player, size } = address
    if (board !== undefined)
      start({ ...usual, player: wanted.player, size: sizeOf(boardOf(board)), start: board })
    else if (player !== undefined) {
      choose({ ...usual, player, size })
      start({ ...usual, player, size })
    } else if (!id) start(wanted)
  }, [address.start, address.player, address.size])

  /** seat lets a player take over the shown game, or begins one where there is none to take over. */
  const seat = async (player: string) => {
    choose({ ...wanted, player })
    if (!may || !frame || frame.over)
      return start({ ...wanted, player }, t('A new game of {player}.', { player }))
    return attempt(async () => {
      setNews('')
      await link.insist('watch.set', { id, key: may, player })
      setBegun({ ...(begun ?? wanted), player })
      setNews(takenOver(player, frame))
    }, 'watch.set: player: ')
  }
  return { wanted, choose, id, frame, may, trouble, news, begun: begun ?? wanted, start, seat, ...steering }
}

/** useSteering pauses, resumes and steps a game, and makes its moves. */
function useSteering(id: string, may: string | undefined, frame: Frame | null, fail: (why: string) => void) {
  const [speed, setSpeed] = useStored('speed', 5, (v) => speeds.includes(v as number))
  const [hands, setHands] = useState(false) // the visitor made the last move
  const wanted = useRef<boolean | null>(null) // the requested running state, until a frame confirms it
  const running = frame?.running ?? false
  const over = frame?.over ?? false
  // Frames lag behind requests: wanted holds the requested state until a frame confirms it.
  if (running === wanted.current) wanted.current = null
  const steer = (method: Steering, params: object = {}) => {
    if (may) link.ask(method, { id, key: may, ...params } as never).catch((e: unknown) => fail(complaint(e)))
  }
  /** byOne steps a move forward or back, which also pauses the player. */
  const byOne = (method: Steering, params?: object) => {
    wanted.current = null
    setHands(method === 'watch.move')
    steer(method, params)
  }
  return {
    speed,
    running,
    over,
    byHand: hands && !running && !over,
    toggle: () => {
      setHands(false)
      wanted.current = !(wanted.current ?? running)
      steer('watch.set', { running: wanted.current })
    },
    move: (d: Dir) => byOne('watch.move', { move: d }),
    step: () => byOne('watch.step'),
    back: () => byOne('watch.back'),
    setPace: (s: number) => {
      setSpeed(s)
      steer('watch.set', { moves_per_s: s })
    },
    forget: () => {
      setHands(false)
      wanted.current = null
    },
  }
}
