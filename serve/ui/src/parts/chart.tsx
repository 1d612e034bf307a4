// Line charts by uPlot, in the page's colours.
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { useLatest } from '../base/store'
import { locale } from '../base/text'

export interface Curve {
  label: string
  values: (number | null)[]
  colour: string // a variable of style.css
  dashed?: boolean
  thin?: boolean
  bars?: boolean
}

/** colours holds the colours of a chart's curves, by index. */
export const colours = ['--accent', '--bad', '--good', '--dim', '--t7', '--t13', '--t4', '--t16']

/** Mark is a marked point of the first curve, drawn as a disc; a heavy one is larger. */
export interface Mark {
  at: number // index of x
  heavy: boolean
}

const near = 16 // maximum distance in pixels of a click from the mark that it picks

const css = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** scale returns the scale of the page's text, which is larger on the largest screens. */
const scale = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 16

interface Props {
  x: number[]
  curves: Curve[]
  label: string // describes the chart for screen readers
  xLabel: string
  height?: number
  at?: number // x value at which a vertical line is drawn
  onPick?: (i: number) => void
  zero?: boolean // the scale includes 0
  share?: boolean // values are shares, shown in percent
  joined?: boolean // a curve connects the values on both sides of a null
  log?: boolean // the scale is logarithmic
  marks?: Mark[]
}

/** Chart draws curves over x. */
export function Chart(p: Props) {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const now = useLatest(p)
  const shape = p.curves.map((c) => c.label + c.colour).join() + Boolean(p.marks)
  const height = p.height ?? 220
  const filled = p.x.length > 1 // uPlot draws no axes for fewer than two values
  const data = dataOf(p)
  const given = useRef(data) // the values last drawn: equal new values need no redrawing
  if (data.length !== given.current.length || data.some((line, i) => !same(line, given.current[i])))
    given.current = data
  useEffect(() => {
    const el = box.current
    if (!el || !filled) return
    let drawn = 1 // the text scale for which the chart was drawn
    const make = () => {
      plot.current?.destroy()
      drawn = scale()
      const size = { width: Math.max(el.clientWidth, 100), height: Math.round(height * drawn) }
      const draw = (u: uPlot) => place(u, now.current.at)
      const u = new uPlot({ ...size, ...optionsOf(p, drawn), hooks: { draw: [draw] } }, given.current, el)
      plot.current = u
      u.over.append(Object.assign(document.createElement('i'), { className: 'at', hidden: true }))
      draw(u)
      u.over.addEventListener('click', () => pick(u, now.current))
    }
    make()
    let width = el.clientWidth
    const resized = new ResizeObserver(() => {
      if (el.clientWidth === width || el.clientWidth === 0) return
      width = el.clientWidth
      if (scale() !== drawn) make()
      else plot.current?.setSize({ width, height: Math.round(height * drawn) })
    })
    resized.observe(el)
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    scheme.addEventListener('change', make)
    const themed = new MutationObserver(make)
    themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    return () => {
      resized.disconnect()
      themed.disconnect()
      scheme.removeEventListener('change', make)
      plot.current?.destroy()
      plot.current = null
    }
  }, [shape, filled])
  useEffect(() => plot.current?.setData(given.current), [given.current])
  useEffect(() => {
    if (plot.current) place(plot.current, p.at)
  }, [p.at])
  return (
    <div class="chart" ref={box} role="img" aria-label={p.label} style={{ minHeight: `${height / 16}rem` }} />
  )
}

/** dataOf returns x, the values of the curves, and the points of light and of heavy marks. */
function dataOf({ x, curves, marks }: Props) {
  const dots = [false, true].map((heavy) => {
    const at = new Set(marks?.filter((m) => m.heavy === heavy).map((m) => m.at))
    return x.map((_, i) => (at.has(i) ? (curves[0]?.values[i] ?? null) : null))
  })
  return [x, ...curves.map((c) => c.values), ...(marks ? dots : [])] as uPlot.AlignedData
}

/** steps are the possible distances of the numbers of the x axis if these are whole. */
const steps = Array.from({ length: 30 }, (_, i) => (i % 3 === 2 ? 5 : 1 + (i % 3)) * 10 ** Math.floor(i / 3))

/** optionsOf returns the options of uPlot without the size. drawn is the scale of the page's text. */
function optionsOf(p: Props, drawn: number): Omit<uPlot.Options, 'width' | 'height'> {
  const px = (n: number) => Math.round(n * drawn)
  const numbers = Intl.NumberFormat(locale, p.share ? { style: 'percent' } : { notation: 'compact' })
  const font = `${px(12)}px Figtree, sans-serif`
  const axis = {
    stroke: css('--dim'),
    grid: { stroke: css('--line'), width: 1 },
    ticks: { stroke: css('--line'), width: 1 },
    font,
    gap: px(5),
  }
  const fromZero: uPlot.Scale = { range: (_, lo, hi) => [Math.min(0, lo), Math.max(0, hi) * 1.05 || 1] }
  return {
    legend: { show: p.curves.length > 1, live: false },
    scales: { x: { time: false }, y: p.zero ? fromZero : p.log ? { distr: 3 } : {} },
    cursor: { drag: { x: !p.onPick, y: false } },
    axes: [
      {
        ...axis,
        ...(p.x.every(Number.isInteger) && { incrs: steps }),
        label: p.xLabel,
        labelSize: px(18),
        labelFont: font,
        size: px(34),
        space: px(70),
      },
      {
        ...axis,
        size: px(56),
        space: px(30),
        values: (_, v) => v.map((n) => (n === null ? '' : numbers.format(n))),
      },
    ],
    series: [
      {},
      ...p.curves.map((c) => ({
        label: c.label,
        stroke: css(c.colour),
        width: (c.thin ? 1 : 2) * drawn,
        spanGaps: p.joined ?? false,
        points: { show: false },
        ...(c.bars && uPlot.paths.bars
          ? { paths: uPlot.paths.bars({ size: [0.8, 12 * drawn, 1], align: 0 }), fill: css(c.colour) }
          : {}),
        ...(c.dashed ? { dash: [px(4), px(4)] } : {}),
      })),
      ...(p.marks ? ['--warn', '--bad'] : []).map((colour, heavy) => ({
        paths: () => null,
        points: {
          show: true,
          size: px(heavy ? 10 : 7),
          width: 1,
          fill: css(colour),
          stroke: css('--surface'),
        },
      })),
    ],
  }
}

/** pick calls onPick for the mark near the cursor, else for the cursor's place. */
function pick(u: uPlot, { marks = [], onPick }: Props) {
  const i = u.cursor.idx
  if (i === null || i === undefined) return
  const far = (m: Mark) => Math.abs(u.valToPos(u.data[0][m.at] ?? 0, 'x') - (u.cursor.left ?? 0))
  const [mark] = marks.filter((m) => far(m) <= near).sort((a, b) => far(a) - far(b))
  onPick?.(mark?.at ?? i)
}

const same = (a: ArrayLike<unknown>, b: ArrayLike<unknown> | undefined) =>
  a.length === b?.length && Array.prototype.every.call(a, (v, i) => v === b[i])

/** place moves the vertical line to x = at, without drawing the curves again. */
function place(u: uPlot, at: number | undefined) {
  const line = u.over.querySelector<HTMLElement>('.at')
  if (!line) return
  line.hidden = at === undefined
  if (at !== undefined) line.style.translate = `${u.valToPos(at, 'x')}px`
}
