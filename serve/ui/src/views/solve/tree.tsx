// The interactive search tree: boards and values; branches expand and collapse.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { boardText, brief, percent, shown } from '../../base/format'
import { offer } from '../../base/offer'
import { t } from '../../base/text'
import { link } from '../../engine/net'
import { Mini, moveText } from '../../parts/board'
import { Select } from '../../parts/fields'
import { about, Busy, useAsked } from '../../parts/hints'
import { Alert, Button, Card, CloseButton } from '../../parts/ui'
import type { Board, TreeNode, Unit } from '../../types'

interface Placed {
  node: TreeNode
  path: string
  parent: Placed | null
  depth: number
  y: number
  set: number // how many siblings, itself among them
  nth: number
}

const columnWidth = 13.1 // rem
const rowHeight = 5.9

/** layout positions the expanded part of a tree: leaves below each other, parents centred on their children. */
function layout(root: TreeNode, open: Set<string>) {
  const all: Placed[] = []
  let rows = 0
  let deepest = 0
  const place = (
    node: TreeNode,
    path: string,
    parent: Placed | null,
    depth: number,
    set: number,
    nth: number,
  ): Placed => {
    const p: Placed = { node, path, parent, depth, y: 0, set, nth }
    all.push(p)
    deepest = Math.max(deepest, depth)
    const children = open.has(path)
      ? (node.children ?? []).map((c, i, cs) => place(c, `${path}.${i}`, p, depth + 1, cs.length, i + 1))
      : []
    p.y = children.length ? ((children[0]?.y ?? 0) + (children.at(-1)?.y ?? 0)) / 2 : rows++
    return p
  }
  place(root, '0', null, 0, 1, 1)
  return { all, rows, deepest }
}

/** line returns the paths of the principal variation, which are expanded at first. */
function line(root: TreeNode): Set<string> {
  const open = new Set<string>()
  let path = '0'
  for (let n: TreeNode | undefined = root; n?.children?.length; ) {
    open.add(path)
    const i: number = n.children.findIndex((c) => c.chosen)
    n = n.children[i]
    path += `.${i}`
  }
  return open
}

function value(n: TreeNode, unit: Unit): string {
  if (n.terminal && n.value === null) return t('no moves')
  if (n.lost) return t('may end')
  if (n.pruned) return t('pruned')
  return n.value === null ? '?' : brief(shown(n.value, unit))
}

function how(n: TreeNode): string {
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
  const { result, trouble, busy } = useAsked('tree', params)
  const tree = result && 'tree' in result ? result : null
  const [open, setOpen] = useState(new Set<string>())
  const [at, setAt] = useState('0')
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (tree) setOpen(line(tree.tree))
    setAt('0')
  }, [tree])
  const drawn = useMemo(() => tree && layout(tree.tree, open), [tree, open])

  const toggle = (path: string, on = !open.has(path)) => {
    const next = new Set(open)
    if (on) next.add(path)
    else next.delete(path)
    setOpen(next)
  }
  const focus = (path: string) => {
    setAt(path)
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-path="${path}"]`)?.focus())
  }
  const key = (e: KeyboardEvent, n: Placed) => {
    const order = drawn?.all ?? []
    const i = order.indexOf(n)
    const has = !!n.node.children?.length
    if (e.key === 'ArrowRight' && has && !open.has(n.path)) toggle(n.path, true)
    else if (e.key === 'ArrowRight' && has) focus(`${n.path}.0`)
    else if (e.key === 'ArrowLeft' && open.has(n.path)) toggle(n.path, false)
    else if (e.key === 'ArrowLeft' && n.parent) focus(n.parent.path)
    else if (e.key === 'ArrowDown' && order[i + 1]) focus(order[i + 1]?.path ?? '0')
    else if (e.key === 'ArrowUp' && order[i - 1]) focus(order[i - 1]?.path ?? '0')
    else if (e.key === 'Home') focus('0')
    else if (e.key === 'End') focus(order.at(-1)?.path ?? '0')
    else if ((e.key === 'Enter' || e.key === ' ') && has) toggle(n.path)
    else return
    e.preventDefault()
  }
  const left = tree ? tree.omitted.beyond_width + tree.omitted.beyond_boards : 0
  const chosen = drawn?.all.find((n) => n.path === at)?.node
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
        <Button
          onClick={() => tree && setOpen(new Set(everything(tree.tree)))}
          disabled={!tree}
          text={t('Open all')}
        />
        <Button onClick={() => tree && setOpen(line(tree.tree))} disabled={!tree} text={t('Best line')} />
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
      {tree && drawn && (
        <>
          <p class="dim">
            {t('The player looked {n} {n|move|moves} ahead.', { n: tree.plies })}{' '}
            {left > 0
              ? t('This shows {n} boards and leaves out {left}; the values come from the whole search.', {
                  n: tree.boards,
                  left,
                })
              : t('This shows {n} boards; the values come from the whole search.', { n: tree.boards })}{' '}
            {t('Open a branch with a click or the arrow keys.')}
          </p>
          <div class="tree" ref={box} role="tree" aria-label={t('Search tree')}>
            <Plane
              {...{ drawn, open, at }}
              unit={tree.unit}
              onPick={(n) => {
                setAt(n.path)
                if (n.node.children?.length) toggle(n.path)
              }}
              onKey={key}
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

/** Plane has the boards and the lines between them: hundreds, which are drawn again only when they change. */
function Plane(p: {
  drawn: ReturnType<typeof layout>
  unit: Unit
  open: Set<string>
  at: string
  onPick: (n: Placed) => void
  onKey: (e: KeyboardEvent, n: Placed) => void
}) {
  const { drawn, open, at } = p
  return useMemo(
    () => (
      <div
        class="plane"
        role="none"
        style={{ width: `${(drawn.deepest + 1) * columnWidth}rem`, height: `${drawn.rows * rowHeight}rem` }}
      >
        <svg
          class="links"
          role="none"
          aria-hidden="true"
          viewBox={`0 0 ${(drawn.deepest + 1) * columnWidth} ${drawn.rows * rowHeight}`}
          preserveAspectRatio="none"
        >
          {drawn.all.map((n) => n.parent && <Link key={n.path} from={n.parent} to={n} />)}
        </svg>
        {drawn.all.map((n) => (
          <button
            key={n.path}
            type="button"
            role="treeitem"
            data-path={n.path}
            class={n.node.chosen ? 'node chosen' : 'node'}
            aria-level={n.depth + 1}
            aria-setsize={n.set}
            aria-posinset={n.nth}
            aria-expanded={n.node.children?.length ? open.has(n.path) : undefined}
            aria-selected={n.path === at}
            tabIndex={n.path === at ? 0 : -1}
            style={{ left: `${n.depth * columnWidth + 0.35}rem`, top: `${n.y * rowHeight + 0.25}rem` }}
            onClick={() => p.onPick(n)}
            onKeyDown={(e) => p.onKey(e, n)}
          >
            <span class="words">
              <b>{value(n.node, p.unit)}</b>
              <span>{how(n.node)}</span>
              {n.node.chosen && <span class="unseen">{t('best line')}</span>}
            </span>
            <Mini board={n.node.board} mark={n.node.spawn} />
            {(n.node.children?.length ?? 0) > 0 && (
              <span class="more" aria-hidden="true">
                {open.has(n.path) ? '−' : n.node.children?.length}
              </span>
            )}
          </button>
        ))}
      </div>
    ),
    [drawn, at],
  )
}

function* everything(n: TreeNode, path = '0'): Generator<string> {
  if (!n.children?.length) return
  yield path
  for (const [i, c] of n.children.entries()) yield* everything(c, `${path}.${i}`)
}

function Link({ from, to }: { from: Placed; to: Placed }) {
  const x1 = from.depth * columnWidth + 11.95
  const x2 = to.depth * columnWidth + 0.35
  const y1 = from.y * rowHeight + 2.95
  const y2 = to.y * rowHeight + 2.95
  const m = (x1 + x2) / 2
  return (
    <path
      vector-effect="non-scaling-stroke"
      class={to.node.chosen ? 'chosen' : to.node.best ? 'best' : undefined}
      d={`M${x1} ${y1}C${m} ${y1} ${m} ${y2} ${x2} ${y2}`}
    />
  )
}
