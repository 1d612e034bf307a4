// Small components shared by the views.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { boardText } from '../base/boards'
import { go } from '../base/route'
import { classNames, t } from '../base/text'
import { strongest } from '../rules/rules'
import { type Board, type Dir, dirs } from '../types'
import { moveText } from './board'
import paths from './icons.json'

export const Icon = ({ name }: { name: string }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={(paths as Record<string, string>)[name] ?? ''} />
  </svg>
)

/** Button is a button with text, an icon, or both. about follows the text for screen readers only. label is the
    tooltip, and the accessible name if there is no text. A click opens the view to, or else calls onClick. */
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

/** FileButton chooses a file, even the same one again, or takes a picture with the camera. name is its
    name for screen readers. */
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

/** solveLink returns the address of a board in Solve, for a game with the given spawn rule. */
export const solveLink = (s: Scored, spawn = 'random') =>
  `solve/${boardText(s.board)}/${s.score}${spawn === 'random' ? '' : `/${strongest(spawn)}`}`

export const AskButton = ({ of, ...p }: { of: Scored | null | undefined; text?: string; spawn?: string }) => (
  <Button
    icon="solve"
    disabled={!of}
    onClick={() => of && go(solveLink(of, p.spawn))}
    text={p.text ?? t('Solve')}
  />
)

export const DeleteButton = (p: { of: string; onClick: () => void; text?: string }) => (
  <Button kind="plain small" onClick={p.onClick} text={p.text ?? t('Delete')} about={p.of} />
)

export const CloseButton = ({ kind = 'main', onClick }: { kind?: string; onClick: () => void }) => (
  <Button kind={kind} onClick={onClick} text={t('Close')} />
)

/** Alert shows an error, if there is one. With lines, it keeps line breaks and is scrolled into view, because
    the error may occur while another part of the page is visible. */
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

/** Note shows a message, if there is one. */
export function Note({ text, kind = 'dim' }: { text: ComponentChildren; kind?: string }) {
  if (!text) return null
  return (
    <p class={kind} role="status">
      {text}
    </p>
  )
}

export const Progress = (p: { name: string; value: number; max: number }) => (
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

/** Item is a row of a list, chosen by a click; beside may be another button. */
export const Item = (p: {
  onClick: () => void
  current?: boolean
  label?: string
  class?: string
  beside?: ComponentChildren
  children: ComponentChildren
}) => (
  <li class={p.beside ? 'slot' : undefined}>
    <button type="button" class={p.class} aria-current={p.current} aria-label={p.label} onClick={p.onClick}>
      {p.children}
    </button>
    {p.beside}
  </li>
)

export const Card = (p: {
  title: string
  children: ComponentChildren
  side?: ComponentChildren
  class?: string
}) => (
  <section class={`card ${p.class ?? ''}`}>
    <header>
      <h2>{p.title}</h2>
      {p.side}
    </header>
    {p.children}
  </section>
)

export const Figure = (p: {
  name: ComponentChildren
  value: ComponentChildren
  main?: boolean
  id?: string
}) => (
  <div class={p.main ? 'figure main' : 'figure'}>
    <dt>{p.name}</dt>
    <dd id={p.id}>{p.value}</dd>
  </div>
)

/** Dialog is a modal dialog. With text, it is for reading: the title gets the focus, so that the text is shown
    from its beginning. Escape or a click outside closes it. A sheet rises from the bottom of a phone. */
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
      aria-label={p.title}
      onCancel={(e) => {
        e.preventDefault()
        p.onClose()
      }}
      onClick={(e) => e.target === ref.current && p.onClose()}
    >
      <div class="inside">
        <h2 tabIndex={p.text ? -1 : undefined} autofocus={p.text}>
          {p.title}
        </h2>
        {p.children}
      </div>
    </dialog>
  )
}

/** showBoard scrolls to the side of the page that has the board, unless the board is in view. In low windows
    the board never leaves the view. */
export function showBoard(side: HTMLElement | null) {
  const bars = 64 // pixels for the bars at the top and the bottom of the window
  const frame = side?.querySelector('.frame')
  if (!frame || getComputedStyle(frame).position === 'fixed') return
  const { top, bottom } = frame.getBoundingClientRect()
  if (top < bars || bottom > innerHeight - bars) side?.scrollIntoView({ block: 'start' })
}

/** reveal scrolls as little as needed to show an element; without animation where other changes of the page
    could interrupt smooth scrolling. */
export function reveal(
  e: HTMLElement | null,
  atOnce = matchMedia('(prefers-reduced-motion: reduce)').matches,
) {
  e?.scrollIntoView({ block: 'nearest', behavior: atOnce ? 'auto' : 'smooth' })
}

/** Column describes a column of a table. Cells with numbers are right-aligned. The name of an unseen column is
    for screen readers. The best cells and the column of the best move are marked. */
interface Column<Row> {
  name: string
  cell?: (r: Row, i: number) => ComponentChildren
  number?: (r: Row, i: number) => ComponentChildren
  unseen?: boolean
  best?: (r: Row) => boolean
  bestMove?: boolean
}

const classOf = <Row,>(c: Column<Row>, best = false) =>
  `${c.number ? 'n' : ''} ${best ? 'best' : ''}`.trim() || undefined

/** Table uses the cells of its first column as row headers. With a label, which is for screen readers, it can
    scroll sideways. */
export function Table<Row>(p: {
  rows: readonly Row[]
  id: (r: Row, i: number) => string | number
  columns: Column<Row>[]
  label?: string
  caption?: string
  busy?: boolean
  kind?: string
  table?: { id?: string; class?: string }
  mark?: (r: Row) => string // a CSS class
}) {
  const [first, ...others] = p.columns
  const table = (
    <table {...p.table}>
      {p.caption && <caption class="unseen">{p.caption}</caption>}
      <thead>
        <tr>
          {p.columns.map((c) => (
            <th key={c.name} scope="col" class={classOf(c, c.bestMove)}>
              {c.unseen ? <span class="unseen">{c.name}</span> : c.name}
              {c.bestMove && <span class="unseen">, {classNames.best}</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {p.rows.map((r, i) => (
          <tr key={p.id(r, i)} class={p.mark?.(r)}>
            <th scope="row">{first?.cell?.(r, i)}</th>
            {others.map((c) => (
              <td key={c.name} class={classOf(c, c.best?.(r))}>
                {(c.number ?? c.cell)?.(r, i)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
  if (!p.label) return table
  return (
    <div
      class={p.kind ? `scroll ${p.kind}` : 'scroll'}
      tabIndex={0}
      role="region"
      aria-label={p.label}
      aria-busy={p.busy}
    >
      {table}
    </div>
  )
}

/** AllMoves is a table with a row for each move of a position. The moves in best are marked. */
export const AllMoves = (p: {
  of?: readonly Dir[]
  best: readonly (Dir | null)[]
  columns: [name: string, cell: (d: Dir) => string][]
  label?: string
}) => (
  <Table
    {...(p.label && { label: p.label })}
    rows={p.of ?? dirs}
    id={(d) => d}
    columns={[
      { name: t('Move'), cell: moveText },
      ...p.columns.map(([name, number]) => ({ name, number, best: (d: Dir) => p.best.includes(d) })),
    ]}
  />
)
