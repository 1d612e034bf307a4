// Small components shared by the views.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { boardText } from '../base/format'
import { go } from '../base/route'
import { t } from '../base/text'
import { strongest } from '../rules/rules'
import type { Board } from '../types'

/** copyText reports whether it copied the text: over plain HTTP there is no clipboard. */
export const copyText = async (text: string): Promise<boolean> =>
  navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  ) ?? false

const paths: Record<string, string> = {
  play: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  watch: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  review: 'M3 17l5-6 4 4 5-8 4 5M3 21h18',
  experiments: 'M4 20V10M10 20V4M16 20v-7M21 20H3',
  today: 'M4 5h16v16H4zM4 10h16M8 2.5V7M16 2.5V7M8 14h3v3H8z',
  learn: 'M12 6.5c-2-1.7-5-2.5-9-2.5v14c4 0 7 .8 9 2.5 2-1.7 5-2.5 9-2.5V4c-4 0-7 .8-9 2.5zM12 6.5v14',
  games: 'M5 5h3v3H5zM5 16h3v3H5zM12 6.5h8M12 17.5h8M5 10.5h3v3H5zM12 12h8',
  solve: 'M10.5 3.5a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM15.6 15.6L21 21M7.5 10.7l2.2 2.2 3.8-4.2',
  training: 'M3 20c4 0 4-14 9-14s4 8 9 8',
  workers: 'M4 4h16v6H4zM4 14h16v6H4zM8 7v.01M8 17v.01',
  menu: 'M4 7h16M4 12h16M4 17h16',
  undo: 'M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
  redo: 'M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3',
  add: 'M12 5v14M5 12h14',
  hint: 'M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c.7.7 1 1.5 1 2.5h6c0-1 .3-1.8 1-2.5A6 6 0 0 0 12 3z',
  pause: 'M8 5v14M16 5v14',
  more: 'M5 11.5v1h.5v-1zM12 11.5v1h.5v-1zM19 11.5v1h.5v-1z',
  start: 'M7 4l13 8-13 8z',
  step: 'M9 5l7 7-7 7',
  back: 'M15 5l-7 7 7 7',
  first: 'M18 5l-7 7 7 7M7 5v14',
  last: 'M6 5l7 7-7 7M17 5v14',
  earlier: 'M20 5l-7 7 7 7M12 5l-7 7 7 7',
  later: 'M4 5l7 7-7 7M12 5l7 7-7 7',
  settings:
    'M4 7h9M19 7h1M4 17h1M11 17h9M16 4a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 14a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  share: 'M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6l1-1',
  save: 'M5 3h11l3 3v15H5zM8 3v5h7V3M8 21v-7h8v7',
  open: 'M3 6h6l2 3h10v11H3z',
  engine: 'M7 7h10v10H7zM10 3v4M14 3v4M10 17v4M14 17v4M3 10h4M3 14h4M17 10h4M17 14h4',
  camera: 'M3 7h4l2-3h6l2 3h4v13H3zM12 9.5a4 4 0 1 0 0 8 4 4 0 0 0 0-8z',
  image: 'M3 4h18v16H3zM3 16l5-5 5 5M12 15l3-3 6 6M15.5 8.5v.01',
  help: 'M12 11v6M12 7.5v.01M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20z',
}

export const Icon = ({ name }: { name: string }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={paths[name] ?? ''} />
  </svg>
)

/** Button says text, to screen readers also what it is about. label is what it does in more words, or the name of a button
    without text. to is a view that it opens. */
export function Button(p: {
  text?: ComponentChildren
  about?: string
  icon?: string | undefined
  onClick?: () => void
  to?: string
  label?: string | undefined
  kind?: string | undefined
  disabled?: boolean | undefined
  pressed?: boolean
  keys?: string
  id?: string
}) {
  const { to } = p
  return (
    <button
      type="button"
      class={`button ${p.kind ?? ''}`}
      onClick={to === undefined ? p.onClick : () => go(to)}
      aria-label={p.text ? undefined : p.label}
      title={p.keys ? `${p.label ?? p.text} (${p.keys})` : p.label}
      disabled={p.disabled}
      aria-pressed={p.pressed}
      aria-keyshortcuts={p.keys}
      id={p.id}
    >
      {p.icon && <Icon name={p.icon} />}
      {p.text && (
        <span>
          {p.text}
          {p.about && <span class="unseen"> {p.about}</span>}
        </span>
      )}
    </button>
  )
}

/** FileButton is a button that chooses a file, the same one again too, or takes a picture with the camera. name is that of its field for screen readers. */
export function FileButton(p: {
  name: string
  icon: string
  accept?: string
  camera?: boolean
  label?: string
  onFile: (f: File) => void
  text?: string
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        icon={p.icon}
        kind={p.camera ? 'camera' : ''}
        label={p.label}
        onClick={() => input.current?.click()}
        text={p.text}
      />
      <input
        ref={input}
        type="file"
        accept={p.accept}
        capture={p.camera ? 'environment' : undefined}
        class="unseen"
        tabIndex={-1}
        aria-label={p.name}
        onChange={(e) => {
          const file = e.currentTarget.files?.[0]
          e.currentTarget.value = ''
          if (file) p.onFile(file)
        }}
      />
    </>
  )
}

/** PictureButton saves a picture of a board. */
export const PictureButton = ({ board }: { board: Board }) => (
  <Button
    icon="image"
    onClick={() => void import('./drawing').then((d) => d.savePicture(board))}
    text={t('Save a picture')}
  />
)

interface Scored {
  board: Board
  score: number
}

/** solveLink is the address of Solve with a board of a game with a spawn rule. */
export const solveLink = (s: Scored, spawn = 'random') =>
  `solve/${boardText(s.board)}/${s.score}${spawn === 'random' ? '' : `/${strongest(spawn)}`}`

/** AskButton opens Solve with a board. */
export const AskButton = ({
  of,
  text,
  spawn,
}: {
  of: Scored | null | undefined
  text?: string
  spawn?: string
}) => (
  <Button
    icon="solve"
    disabled={!of}
    onClick={() => of && go(solveLink(of, spawn))}
    text={text ?? t('Solve')}
  />
)

/** DeleteButton is beside an item of a list. */
export const DeleteButton = (p: { of: string; onClick: () => void; text?: string }) => (
  <Button kind="plain small" onClick={p.onClick} text={p.text ?? t('Delete')} about={p.of} />
)

/** CloseButton closes a dialog or a card. */
export const CloseButton = ({ kind = 'main', onClick }: { kind?: string; onClick: () => void }) => (
  <Button kind={kind} onClick={onClick} text={t('Close')} />
)

/** Alert says what went wrong, if anything did. One with lines keeps its line breaks and is scrolled to: what it is about
    may happen while the page is elsewhere. */
export function Alert({ text, lines = false }: { text: ComponentChildren; lines?: boolean }) {
  const place = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (lines && text) reveal(place.current, true)
  }, [text])
  if (!text) return null
  return (
    <p class={lines ? 'bad lines' : 'bad'} role="alert" ref={place}>
      {text}
    </p>
  )
}

/** Note says what there is to know now, if anything. */
export function Note({ text, kind = 'dim' }: { text: ComponentChildren; kind?: string }) {
  if (!text) return null
  return (
    <p class={kind} role="status">
      {text}
    </p>
  )
}

/** Progress is a bar. */
export function Progress(p: { name: string; value: number; max: number }) {
  return (
    <div
      class="progress"
      role="progressbar"
      aria-label={p.name}
      aria-valuemin={0}
      aria-valuemax={p.max}
      aria-valuenow={Math.floor(p.value)}
    >
      <i style={{ '--f': p.value / Math.max(1, p.max) }} />
    </div>
  )
}

/** Item is a row of a list that is chosen by a click; beside it may have another button. */
export function Item(p: {
  onClick: () => void
  current?: boolean
  label?: string
  beside?: ComponentChildren
  children: ComponentChildren
}) {
  return (
    <li class={p.beside ? 'slot' : undefined}>
      <button type="button" aria-current={p.current} aria-label={p.label} onClick={p.onClick}>
        {p.children}
      </button>
      {p.beside}
    </li>
  )
}

export function Card(p: {
  title: string
  children: ComponentChildren
  side?: ComponentChildren
  class?: string
}) {
  return (
    <section class={`card ${p.class ?? ''}`}>
      <header>
        <h2>{p.title}</h2>
        {p.side}
      </header>
      {p.children}
    </section>
  )
}

export function Figure(p: {
  name: ComponentChildren
  value: ComponentChildren
  main?: boolean
  id?: string
}) {
  return (
    <div class={p.main ? 'figure main' : 'figure'}>
      <dt>{p.name}</dt>
      <dd id={p.id}>{p.value}</dd>
    </div>
  )
}

/** Dialog is a modal dialog for a decision, or for a text, which is shown from its top. Escape
    and a click outside of it close it. A sheet rises from the bottom of a phone. */
export function Dialog(p: {
  title: string
  children: ComponentChildren
  onClose: () => void
  text?: boolean
  sheet?: boolean
}) {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const d = ref.current
    if (d && !d.open) d.showModal()
    return () => d?.close()
  }, [])
  return (
    <dialog
      ref={ref}
      class={p.sheet ? 'sheet' : undefined}
      aria-labelledby="dialog-title"
      onCancel={(e) => {
        e.preventDefault()
        p.onClose()
      }}
      onClick={(e) => e.target === ref.current && p.onClose()}
    >
      <div class="inside">
        <h2 id="dialog-title" tabIndex={p.text ? -1 : undefined} autofocus={p.text}>
          {p.title}
        </h2>
        {p.children}
      </div>
    </dialog>
  )
}

/** showBoard scrolls to the side of the page that has the board, unless all of the board is in view, as it always is in low windows. */
export function showBoard(side: HTMLElement | null) {
  const bars = 64 // pixels at the window's top and bottom
  const frame = side?.querySelector('.frame')
  if (!frame || getComputedStyle(frame).position === 'fixed') return
  const { top, bottom } = frame.getBoundingClientRect()
  if (top < bars || bottom > innerHeight - bars) side?.scrollIntoView({ block: 'start' })
}

/** reveal scrolls as little as needed to show an element; at once, rather than smoothly, where other changes of the page could stop the scrolling. */
export function reveal(
  e: HTMLElement | null,
  atOnce = matchMedia('(prefers-reduced-motion: reduce)').matches,
) {
  e?.scrollIntoView({ block: 'nearest', behavior: atOnce ? 'auto' : 'smooth' })
}
