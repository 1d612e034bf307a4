// Solve: the best move on a board that is set up, pasted, read from a picture, or followed move by move.
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { blank, boardOf, sizeOf } from '../../base/boards'
import { direction, undoes, useKeys } from '../../base/keys'
import { go } from '../../base/route'
import { listen, useStored } from '../../base/store'
import { t } from '../../base/text'
import { complaint, link, useRequest } from '../../engine/net'
import { Mini, shape } from '../../parts/board'
import { Advice, Brushes, Editor, FollowBoard, Pad, stepUp } from '../../parts/editor'
import { Field, SizeField } from '../../parts/fields'
import { FromHere } from '../../parts/from'
import { about, Busy, ForWhom, type Graded, Simpler, useGraded } from '../../parts/hints'
import { later } from '../../parts/later'
import { Alert, Button, Card, Dialog, showBoard } from '../../parts/ui'
import { type Follow, useFollow } from '../../state/follow'
import { cut, fromHash, gameOf } from '../../state/kept'
import type { Board } from '../../types'
import { BoardText, type Change, Classes, Players } from './details'
import { PictureInput } from './picture'
import { Why } from './why'

const TreeView = later(async () => (await import('./tree')).TreeView)

const example = boardOf('0,2,4,2/2,4,16,8/4,16,64,32/512,256,128,64')
const isPlayers = (v: unknown) => Array.isArray(v) && v.length > 0 && v.every((p) => typeof p === 'string')

/** ofAddress splits the address of a position: a board, optionally a score, and optionally a player, whose
    spec gives the probability of 4s. */
function ofAddress(address: string[]) {
  const player = address.at(-1)?.startsWith('best') ? address.at(-1) : ''
  const parts = player ? address.slice(0, -1) : address
  const scored = !parts.at(-1)?.includes(',') // a score may follow the rows
  const board = (scored ? parts.slice(0, -1) : parts).join('/')
  return { parts, player, board, score: scored ? Number(parts.at(-1)) || 0 : 0 }
}

/** useEntry takes boards from links, from what is pasted, and from what other apps share. */
function useEntry(address: string[], game: Follow, change: Change, setPlayers: (p: string[]) => void) {
  const [trouble, setTrouble] = useState<ComponentChildren>('')
  const [open, setOpen] = useState<{ readings: Board[]; points: number } | null>(null) // readings of an ambiguous text
  const [picture, setPicture] = useState<File | null>(null) // shared by another app
  const { parts, player, board, score } = ofAddress(address)
  useEffect(() => setTrouble(''), [game.at.board])

  const parse = async (text: string, points?: number) => {
    setTrouble('')
    const shared = fromHash(text.trim().split('#play/')[1]?.split('/') ?? [])
    try {
      if (shared) {
        const { board, score } = gameOf(cut(shared.kept, shared.at)).state
        return change(board, score)
      }
      const p = await link.insist('board.parse', { text })
      if (p.readings) setOpen({ readings: p.readings, points: points ?? 0 })
      else change(p.board, points ?? p.score ?? 0)
    } catch (e) {
      // What the engine says about a row or a cell is in English, and of use only for a board.
      const why = /\d/.test(text) && <span lang="en">{complaint(e, 'board.parse: text: ')}</span>
      setTrouble([t('The page cannot read this as a board.'), ' ', why])
    }
  }
  useEffect(() => {
    if (!board) return
    if (player) setPlayers([player])
    parse(board, score)
    go('solve', true) // so that a reload shows the current position, not the one in the address
  }, [board])
  useEffect(() => {
    if (parts[0] !== 'given') return
    go('solve', true)
    import('../../base/given')
      .then((m) => m.given())
      .then((g) => {
        if (g.picture) setPicture(g.picture)
        else if (g.text) parse(g.text)
      })
      .catch(() => {})
  }, [parts[0]])
  useLayoutEffect(
    () =>
      listen('paste', (e) => {
        const inField = e.target instanceof HTMLInputElement || e.target instanceof HTMLTextAreaElement
        const text = e.clipboardData?.getData('text')
        if (text && !e.defaultPrevented && !inField) parse(text)
      }),
    [],
  )
  const walls = open && (
    <Walls
      readings={open.readings}
      onClose={() => setOpen(null)}
      onUse={(b) => {
        setOpen(null)
        change(b, open.points)
      }}
    />
  )
  return { parse, trouble, picture, walls }
}

export function SolveView({ parts }: { parts: string[] }) {
  const game = useFollow(example)
  const { board, score, waiting } = game.at
  const [players, setPlayers] = useStored('judges', ['best'], isPlayers)
  const [details, setDetails] = useStored('details', false)
  const [tree, setTree] = useState(false) // the search tree is open
  // number of finished solves; answers requested before the last solve are out of date
  const [solves, setSolves] = useState(0)
  const boardside = useRef<HTMLDivElement>(null)
  const change = (b: Board, points = score) => {
    game.set(b, points)
    showBoard(boardside.current)
  }
  const entry = useEntry(parts, game, change, setPlayers)
  const empty = board.flat().every((t) => t === 0)
  const player = players[0] ?? 'best'
  const question = empty || waiting ? null : about(board, score, player)
  const answer = useRequest('analyze', question, solves)
  const decision = useGraded(answer.current, question && board, player)
  useKeys((e) => {
    const d = direction(e)
    if (d) game.move(d)
    else if (undoes(e)) game.undo()
    else return false
    return true
  })
  return (
    <>
      <div class="arena">
        <div class="boardside asking" ref={boardside} style={shape(sizeOf(board))}>
          <div class={game.at.following ? 'guide following' : 'guide'}>
            <Advice game={game} decision={decision} busy={answer.busy} trouble={answer.trouble} />
            {decision && <Simpler wanted="" d={decision} />}
            <PictureInput given={entry.picture} onBoard={(b) => change(b, 0)} />
          </div>
          <SetUp game={game} decision={decision} onChange={change} />
          <Alert lines text={entry.trouble} />
        </div>
        <div class="stack words-only">
          <Card title={t('How good each move is')} class="beside-pad">
            {decision ? <Classes d={decision} /> : empty || waiting ? '–' : <Busy work={t('Thinking…')} />}
            {decision && <ForWhom d={decision} />}
          </Card>
          <FromHere board={board} disabled={empty} />
          <details
            id="details"
            class="more"
            open={details}
            onToggle={(e) => setDetails(e.currentTarget.open)}
          >
            <summary>{t('Details')}</summary>
            <div class="stack">
              {details && !empty && (
                <>
                  <Players
                    players={players}
                    game={game}
                    answer={answer}
                    solves={solves}
                    onSolved={() => setSolves(solves + 1)}
                    onChange={setPlayers}
                  />
                  {!waiting && (
                    <Card title={t('Chances')}>
                      <Why
                        key={JSON.stringify([solves, about(board, score, player)])}
                        {...{ board, score, player }}
                      />
                    </Card>
                  )}
                </>
              )}
              <BoardText board={board} onParse={entry.parse} onExample={() => change(example, 0)} />
            </div>
          </details>
        </div>
      </div>
      {details && !empty && (
        <div class="wide">
          {tree ? (
            <TreeView {...{ board, score, player }} onAsk={change} onClose={() => setTree(false)} />
          ) : (
            <Button icon="experiments" onClick={() => setTree(true)} text={t('Open the search tree')} />
          )}
        </div>
      )}
      {entry.walls}
    </>
  )
}

function SetUp(p: { game: Follow; decision: Graded | null; onChange: Change }) {
  const { game, decision, onChange } = p
  const { board, score, following, waiting } = game.at
  const [brush, setBrush] = useState(stepUp)
  return (
    <>
      {following ? (
        <FollowBoard game={game} decision={decision} />
      ) : (
        <Editor
          board={board}
          decision={decision}
          brush={brush}
          onChange={(b) => game.set(b, score)}
          onMove={game.move}
        />
      )}
      <Pad decision={decision} waiting={waiting} onMove={game.move} />
      <div class="buttons">
        <Button icon="undo" keys="U" disabled={game.past === 0} onClick={game.undo} text={t('Undo')} />
        <Button
          pressed={!following}
          label={t('Change tiles')}
          onClick={() => game.edit(following)}
          text={t('Edit')}
        />
        <Button onClick={() => onChange(blank(sizeOf(board)), 0)} text={t('Clear')} />
      </div>
      {decision && <ForWhom d={decision} />}
      {!following && (
        <>
          <Brushes brush={brush} onChange={setBrush} />
          <div class="pair">
            <SizeField value={sizeOf(board)} onChange={(size) => onChange(resize(board, size))} />
            <Field label={t('Score')}>
              <input
                inputMode="numeric"
                value={score}
                onInput={(e) => game.set(board, Math.max(0, Math.trunc(Number(e.currentTarget.value)) || 0))}
              />
            </Field>
          </div>
        </>
      )}
    </>
  )
}

const resize = (b: Board, size: string): Board =>
  blank(size).map((row, i) => row.map((_, j) => b[i]?.[j] ?? 0))

/** Walls asks which of the readings of a board is meant. The last reading has walls. */
export function Walls(p: { readings: Board[]; onUse: (b: Board) => void; onClose: () => void }) {
  const names = [t('Each is 32768'), t('Walls')].slice(-p.readings.length)
  return (
    <Dialog
      title={p.readings.length > 1 ? t('Is each f a 32768, or a wall?') : t('The board has walls')}
      onClose={p.onClose}
    >
      <p>
        {p.readings.length > 1 && `${t('In endgame tables f is a wall; elsewhere f is the tile 32768.')} `}
        {t(
          'Walls are large tiles that stand still. The text does not say which tiles they are; they are filled in row by row, largest first. You can change them.',
        )}
      </p>
      <ul class="readings">
        {p.readings.map((b, i) => (
          <li key={i}>
            <Mini board={b} />
            <Button onClick={() => p.onUse(b)} text={names[i]} />
          </li>
        ))}
      </ul>
      <Button kind="plain" onClick={p.onClose} text={t('Cancel')} />
    </Dialog>
  )
}
