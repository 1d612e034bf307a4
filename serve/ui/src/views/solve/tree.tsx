// The interactive search tree: boards and values; branches expand and collapse.
import { useEffect, useRef, useState } from 'preact/hooks'
import { boardText } from '../../base/boards'
import { offer } from '../../base/offer'
import { brief, percent, shown, t } from '../../base/text'
import { link, useRequest } from '../../engine/net'
import { Mini, moveText } from '../../parts/board'
import { Select } from '../../parts/fields'
import { about, Busy } from '../../parts/hints'
import { Alert, Button, Card, CloseButton } from '../../parts/ui'
import type { Board, TreeNode, Unit } from '../../types'

/** opened returns the paths of all boards with children or, if best is true, of those on the best line. */
function* opened(n: TreeNode, best: boolean, path = '0'): Generator<string> {
  if (!n.children?.length) return
  yield path
  for (const [i, c] of n.children.entries()) if (c.chosen || !best) yield* opened(c, best, `${path}.${i}`)
}

function value(n: TreeNode, unit: Unit): string {
  if (n.terminal && n.value === null) return t('no moves')
  if (n.lost) return t('may end')
  if (n.pruned) return t('pruned')
  return n.value === null ? '?' : brief(shown(n.value, unit))
}

function stepText(n: TreeNode): string {
  const parts: string[] = []
  if (n.move) parts.push(moveText(n.move))
  if (n.spawn)
    parts.push(t('new {tile}', { tile: n.spawn.tile }) + (n.probability ? `, ${percent(n.probability)}` : ''))
  return parts.join(', ') || t('now')
}

export function TreeView(p: {
  board: Board
  score: number
  player: string
  onClose: () => void
  onAsk: (b: Board, score: number) => void
}) {
  const [depth, setDepth] = useState(2)
  const [width, setWidth] = useState(4)
  const params = { ...about(p.board, p.score, p.player), depth, width, boards: 800 }
  const { result, trouble, busy } = useRequest('tree', params)
  const tree = result && 'tree' in result ? result : null
  const [open, setOpen] = useState(new Set<string>())
  const [at, setAt] = useState('0')
  const box = useRef<HTMLDivElement>(null)
  const show = (best: boolean) => tree && setOpen(new Set(opened(tree.tree, best)))
  useEffect(() => {
    show(true)
    if (open.size === 0) requestAnimationFrame(() => box.current?.scrollIntoView({ block: 'center' }))
    setAt('0')
  }, [tree])

  const toggle = (path: string) => {
    const next = new Set(open)
    if (!next.delete(path)) next.add(path)
    setOpen(next)
  }
  const key = (e: KeyboardEvent) => {
    const items = [...(box.current?.querySelectorAll<HTMLElement>('[role=treeitem]') ?? [])]
    const i = items.findIndex((x) => x.dataset.path === at)
    const expanded = items[i]?.getAttribute('aria-expanded')
    const toggles =
      e.key === 'ArrowRight' ? expanded === 'false' : e.key === 'ArrowLeft' && expanded === 'true'
    const above = at.slice(0, at.lastIndexOf('.'))
    const next = {
      ArrowRight: expanded ? items[i + 1] : undefined,
      ArrowLeft: items.find((x) => x.dataset.path === above),
      ArrowDown: items[i + 1],
      ArrowUp: items[i - 1],
      Home: items[0],
      End: items.at(-1),
    }[e.key]
    if (toggles || next) e.preventDefault()
    if (toggles) toggle(at)
    else next?.focus()
  }
  const steps = at.split('.').slice(1).map(Number)
  const chosen = steps.reduce((n: TreeNode | undefined, i) => n?.children?.[i], tree?.tree)
  return (
    <Card title={t('Search tree')} side={<CloseButton kind="small" onClick={p.onClose} />}>
      <div class="row low">
        <Select label={t('Depth in moves')} value={depth} of={[1, 2, 3, 4]} onChange={setDepth} />
        <Select
          label={t('New tiles per move')}
          value={width}
          of={[2, 4, 8, 0]}
          name={(n) => n || t('all')}
          onChange={setWidth}
        />
        <Button onClick={() => show(false)} disabled={!tree} text={t('Open all')} />
        <Button onClick={() => show(true)} disabled={!tree} text={t('Best line')} />
        <Button
          disabled={!tree}
          onClick={async () => {
            const r = await link.insist('tree', { ...params, boards: 200, format: 'svg' })
            if ('svg' in r) offer('tree.svg', 'image/svg+xml', r.svg)
          }}
          text={t('Save as SVG')}
        />
      </div>
      <Alert text={trouble} />
      {busy && !tree && <Busy work={t('Searching…')} />}
      {tree && (
        <>
          <p class="dim">
            {t('The player looked {n} {n|move|moves} ahead.', { n: tree.plies })}{' '}
            {t('The tree shows {n} boards; the values come from the whole search.', { n: tree.boards })}{' '}
            {t('Open a branch with a click or the arrow keys.')}
          </p>
          <div class="tree" ref={box} role="tree" aria-label={t('Search tree')} onKeyDown={key}>
            <Branch
              of={tree.tree}
              path="0"
              place={[1, 1]}
              in={{ unit: tree.unit, open, at, setAt, toggle }}
            />
          </div>
          {chosen && at !== '0' && (
            <div class="row">
              <Button onClick={() => p.onAsk(chosen.board, chosen.score)} text={t('Ask about this board')} />
              <span class="dim mono">{boardText(chosen.board)}</span>
            </div>
          )}
        </>
      )}
    </Card>
  )
}

interface Shown {
  unit: Unit
  open: Set<string>
  at: string // the path that has the focus
  setAt: (path: string) => void
  toggle: (path: string) => void
}

/** Branch shows a board and, if it is open, its children beside it. place is its number and the number of its
    siblings. */
function Branch(p: { of: TreeNode; path: string; place: [nth: number, all: number]; in: Shown }) {
  const { of: n, path } = p
  const { unit, open, at, setAt, toggle } = p.in
  const children = n.children ?? []
  const isOpen = children.length > 0 && open.has(path)
  return (
    <div class="branch" role="none">
      <button
        type="button"
        role="treeitem"
        data-path={path}
        class={`node ${n.chosen ? 'chosen' : n.best ? 'best' : ''}`}
        aria-level={path.split('.').length}
        aria-setsize={p.place[1]}
        aria-posinset={p.place[0]}
        aria-expanded={children.length > 0 ? isOpen : undefined}
        aria-selected={path === at}
        tabIndex={path === at ? 0 : -1}
        onFocus={() => setAt(path)}
        onClick={() => {
          setAt(path)
          if (children.length > 0) toggle(path)
        }}
      >
        <span class="step">
          <b>{value(n, unit)}</b>
          <span>{stepText(n)}</span>
          {n.chosen && <span class="unseen">{t('best line')}</span>}
        </span>
        <Mini board={n.board} mark={n.spawn} />
        {children.length > 0 && (
          <span class="more" aria-hidden="true">
            {isOpen ? '−' : children.length}
          </span>
        )}
      </button>
      {isOpen && (
        <div role="none">
          {children.map((c, i) => (
            <Branch key={i} of={c} path={`${path}.${i}`} place={[i + 1, children.length]} in={p.in} />
          ))}
        </div>
      )}
    </div>
  )
}
