// Tables with a row for each of some things.
import type { ComponentChildren } from 'preact'

/** Column has the cells of a column; those of numbers stand at its right. The name of an unseen one is for screen readers. */
interface Column<Row> {
  name: string
  cell?: (r: Row, i: number) => ComponentChildren
  number?: (r: Row, i: number) => ComponentChildren
  unseen?: boolean
  best?: (r: Row) => boolean
}

/** Table names its rows by the cells of its first column. With a label it scrolls sideways, and screen readers know it by that. */
export function Table<Row>(p: {
  rows: readonly Row[]
  id: (r: Row, i: number) => string | number
  columns: Column<Row>[]
  label?: string
  kind?: string
  table?: { id?: string; class?: string }
  mark?: (r: Row) => string // a class
}) {
  const [first, ...others] = p.columns
  const table = (
    <table {...p.table}>
      <thead>
        <tr>
          {p.columns.map((c) => (
            <th key={c.name} scope="col" class={c.number && 'n'}>
              {c.unseen ? <span class="unseen">{c.name}</span> : c.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {p.rows.map((r, i) => (
          <tr key={p.id(r, i)} class={p.mark?.(r)}>
            <th scope="row">{first?.cell?.(r, i)}</th>
            {others.map((c) => (
              <td
                key={c.name}
                class={`${c.number ? 'n' : ''} ${c.best?.(r) ? 'best' : ''}`.trim() || undefined}
              >
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
    <div class={p.kind ? `scroll ${p.kind}` : 'scroll'} tabIndex={0} role="region" aria-label={p.label}>
      {table}
    </div>
  )
}
