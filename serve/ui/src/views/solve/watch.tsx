// Watch: a strong player plays, and hands over at any move. In the lab, the player and the rules can be chosen.
import { useRef, useState } from 'preact/hooks'
import { blank, boardOf, sizeOf } from '../../base/boards'
import { direction, letter, onControl, useKeys } from '../../base/keys'
import { brief, rich, t, whole } from '../../base/text'
import { engine, link, useAttempt, useStatus } from '../../engine/net'
import { site } from '../../engine/site'
import { BoardView, shape, useAnnounce } from '../../parts/board'
import { SizeField, Slider, SpawnField } from '../../parts/fields'
import { Origin } from '../../parts/hints'
import { PlayerField } from '../../parts/player'
import { pageAddress, Share } from '../../parts/share'
import { SolveOffer } from '../../parts/solve'
import { Alert, AskButton, Button, Card, CloseButton, Dialog, Figure, Note, showBoard } from '../../parts/ui'
import { review } from '../../state/reviewed'
import type { WatchLink } from '../../types'
import { speeds, useWatching, type Wanted, type Watching } from './watching'

/** oracle is offered only with spawns that are known in advance. */
const oracle = [
  { name: 'foresight', spec: 'foresight', keys: [], origin: '', summary: 'knows the coming tiles' },
]

const speedName = (s: number) =>
  s === 0 ? t('as fast as possible') : t('{n} {n|move|moves} a second', { n: s })

/** WatchView shows a watched game, in the lab with its settings. */
export function WatchView({ parts }: { parts: string[] }) {
  const lab = parts[0] === 'settings'
  const w = useWatching(lab ? parts.slice(1) : parts, lab ? 'watch/settings' : 'watch')
  const boardside = useRef<HTMLDivElement>(null)
  const { id, frame, may, over } = w
  const player = frame?.player ?? w.wanted.player
  const name = lab ? player.replace(/\(.*/, '') || t('A player') : t('The computer')
  useKeys((e) => {
    if (!may) return false
    const d = direction(e)
    if (d) w.move(d)
    else if (e.key === ' ' && !onControl(e)) over || w.toggle()
    else if (letter(e) === 'n') w.step()
    else if (letter(e) === 'b' || letter(e) === 'u') w.back()
    else return false
    return true
  })
  const start = async (wanted: Wanted) => {
    await w.start(wanted)
    showBoard(boardside.current)
  }
  const board = frame?.board ?? blank(w.wanted.size)
  const score = { n: frame?.score ?? 0 }
  const paused = frame && !w.running ? t('Paused. Score {n}.', score) : ''
  const announcement = useAnnounce(over ? t('No moves left. Score {n}.', score) : paused)
  return (
    <div class="arena">
      <div class="boardside" ref={boardside} style={{ ...shape(sizeOf(board)), '--rest': '22.5rem' }}>
        <dl class="figures">
          <Figure main name={t('Score')} id="score" value={whole(frame?.score ?? 0)} />
          <Figure name={t('Moves')} id="moves" value={whole(frame?.moves ?? 0)} />
          {lab && <Figure name={t('Moves a second')} value={brief(frame?.moves_per_s ?? 0)} />}
        </dl>
        <BoardView
          board={board}
          step={frame?.step ?? null}
          decision={frame?.decision ?? null}
          faded={frame?.decision_current === false && w.running && w.speed > 0 && w.speed < 20}
          onMove={frame && may ? w.move : undefined}
        >
          {over && (
            <div class="over" role="group" aria-label={t('Game over')}>
              <strong>{t('No moves left')}</strong>
              <Button kind="main" onClick={() => start(w.wanted)} text={t('Watch another game')} />
            </div>
          )}
        </BoardView>
        <Controls w={w} name={name} />
        {announcement}
      </div>
      <div class="stack">
        {lab && <Settings w={w} player={player} onStart={start} />}
        <Card title={lab ? t('Values') : t('This game')}>
          {lab && frame?.decision && <Origin d={frame.decision} wanted={w.begun.player} />}
          {lab && frame && <p class="dim">{t('Seed {seed}', { seed: String(frame.seed) })}</p>}
          <div class="row four">
            {!lab && <Button icon="watch" onClick={() => start(w.wanted)} text={t('New game')} />}
            {!engine && (
              <Share
                disabled={!id}
                address={() => pageAddress(`watch/${id}`)}
                says={t('Anyone who opens it watches this game with you.')}
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
}

function Controls({ w, name }: { w: Watching; name: string }) {
  const { frame, may, over, running, byHand, speed } = w
  const steps = [
    ['back', t('One move back'), 'B', frame?.moves, w.back],
    ['step', t('One move forward'), 'N', frame && !over, w.step],
  ] as const
  return (
    <>
      <div class="buttons lead">
        <Button
          kind="main"
          icon={running ? 'pause' : 'start'}
          keys="Space"
          disabled={!may || over || !frame}
          onClick={w.toggle}
          text={running ? t('Pause') : byHand ? t('Hand back') : t('Resume')}
        />
        {steps.map(([icon, label, keys, can, onClick]) => (
          <Button key={icon} {...{ icon, label, keys, onClick }} disabled={!may || !can} />
        ))}
      </div>
      <Slider
        label={t('Speed')}
        min={0}
        max={speeds.length - 1}
        value={speeds.indexOf(speed)}
        says={speedName(speed)}
        disabled={!may}
        onInput={(i) => w.setPace(speeds[i] ?? 5)}
        shown
      />
      <p class={byHand ? '' : 'dim'} role="status">
        {byHand && t('You are playing. {player} continues after “Hand back”.', { player: name })}
        {!byHand && !over && may && t('{player} is playing. Make a move to take over.', { player: name })}
        {!over && !may && frame && t('This is somebody else’s game, so you can only watch.')}
      </p>
      <Note kind="good" text={w.news} />
      <Alert text={frame?.error || w.trouble} />
      <Note text={frame?.loading && t('Loading the network…')} />
    </>
  )
}

function Settings(p: { w: Watching; player: string; onStart: (w: Wanted) => void }) {
  const { w, player } = p
  const { wanted, choose, frame, over, byHand } = w
  const status = useStatus()
  const subject = w.begun.start ? w.begun : wanted // the game whose size SolveOffer offers to solve
  return (
    <>
      <Card title={t('Who plays')}>
        <PlayerField label={t('Player')} value={wanted.player || player} extra={oracle} onChange={w.seat} />
        {w.may && frame && !over && <p class="dim">{t('Choose another player to take over this game.')}</p>}
      </Card>
      <Card title={t('New game')}>
        <SizeField value={wanted.size} onChange={(size) => choose({ ...wanted, size })} />
        <SpawnField value={wanted.spawn} onChange={(spawn) => choose({ ...wanted, spawn })} />
        <SolveOffer
          size={subject.start ? sizeOf(boardOf(subject.start)) : subject.size}
          player={subject.player || player}
          onSolved={() => byHand || p.onStart(subject)}
        />
        <Button
          kind={over || !frame || JSON.stringify(w.begun) !== JSON.stringify(wanted) ? 'main' : ''}
          icon="watch"
          disabled={status !== 'open'}
          onClick={() => p.onStart(wanted)}
          text={t('Watch a new game')}
        />
      </Card>
    </>
  )
}

/** AnotherScreen offers to follow a game on another screen. On a static site it shows nothing. */
function AnotherScreen({ id }: { id: string }) {
  const [links, setLinks] = useState<WatchLink[] | null>(null)
  const { trouble, attempt } = useAttempt()
  if (site) return null
  const first = links?.[0]
  const show = () =>
    attempt(async () => setLinks((await link.insist('watch.links', { id, origin: location.origin })).links))
  return (
    <>
      <div class="row fill">
        <Button icon="share" disabled={!id} onClick={show} text={t('Follow on another screen')} />
      </div>
      <Alert text={trouble} />
      {links && (
        <Dialog title={t('Follow on another screen')} onClose={() => setLinks(null)} text>
          {first ? (
            <>
              <p>
                {t(
                  'Scan this code, or open the address, on any device in your network to follow this game move by move.',
                )}
              </p>
              <QR rows={first.qr} />
              <ul class="addresses">
                {links.map((l) => (
                  <li key={l.address}>
                    <a class="mono" href={l.address} target="_blank" rel="noreferrer">
                      {l.address}
                    </a>
                  </li>
                ))}
              </ul>
              {first.address.includes('?token=') && (
                <p class="dim">{t('Anyone with this address can use this server.')}</p>
              )}
            </>
          ) : (
            <p>
              {rich(
                'Only this machine can reach this server. Start it with {command} to follow the game on other devices.',
                { command: <code>afterstate serve --listen 0.0.0.0:2048</code> },
              )}
            </p>
          )}
          <CloseButton onClick={() => setLinks(null)} />
        </Dialog>
      )}
    </>
  )
}

/** QR draws a code, black on white in every scheme, with the margin that scanners need. */
function QR({ rows }: { rows: string[] }) {
  const margin = 4
  const side = rows.length + 2 * margin
  const black = rows
    .flatMap((row, y) => [...row].map((c, x) => (c === '1' ? `M${x + margin} ${y + margin}h1v1h-1z` : '')))
    .join('')
  return (
    <svg
      class="qr"
      style={{ '--side': side }}
      viewBox={`0 0 ${side} ${side}`}
      role="img"
      aria-label={t('QR code of the address')}
      shape-rendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${side}v${side}h-${side}z`} />
      <path fill="#000" d={black} />
    </svg>
  )
}
