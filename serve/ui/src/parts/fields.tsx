// The fields of forms.
import type { ComponentChildren } from 'preact'
import { share, sizeText, t } from '../base/text'
import { shareOf } from '../rules/rules'
import { Button } from './ui'

export const Field = (p: { label: string; children: ComponentChildren; note?: string }) => (
  <label class="field">
    <span>{p.label}</span>
    {p.children}
    {p.note && <small>{p.note}</small>}
  </label>
)

/** Options are values to choose from; name returns the name of a value, if it differs from the value. */
interface Options<T> {
  label: string
  value: T
  of: readonly T[]
  name?: (value: T) => ComponentChildren
  onChange: (value: T) => void
}

/** Select is a drop-down list of values. */
export function Select<T extends string | number>(p: Options<T>) {
  return (
    <Field label={p.label}>
      <select value={p.value} onChange={(e) => p.onChange(p.of[e.currentTarget.selectedIndex] ?? p.value)}>
        {p.of.map((v) => (
          <option key={v} value={v}>
            {p.name ? p.name(v) : v}
          </option>
        ))}
      </select>
    </Field>
  )
}

/** Choices is a row of buttons, one for each value, with an optional heading. The current value's button is pressed. */
export function Choices<T extends string | boolean>(
  p: Options<T> & { heading?: boolean; kind?: string; class?: string },
) {
  const button = (x: T) => (
    <Button
      kind={p.kind ?? 'small'}
      pressed={x === p.value}
      onClick={() => p.onChange(x)}
      text={p.name?.(x) ?? x}
    />
  )
  return (
    <>
      {p.heading && <h3>{p.label}</h3>}
      <div class={p.class ?? 'row'} role="group" aria-label={p.label}>
        {p.of.map(button)}
      </div>
    </>
  )
}

export const Switch = (p: { on: boolean; onChange: (on: boolean) => void; text: string }) => (
  <label class="switch">
    <input type="checkbox" checked={p.on} onChange={(e) => p.onChange(e.currentTarget.checked)} />
    <span>{p.text}</span>
  </label>
)

/** Slider is a field for a number; says is the number in words. onInput gets each number, onDone a drag's last one. */
export const Slider = (p: {
  label: string
  min: number
  max: number
  value: number
  says: string
  onInput: (n: number) => void
  onDone?: (n: number) => void
  disabled?: boolean
  shown?: boolean // show the text in says; otherwise only screen readers read it
}) => (
  <Field label={p.label}>
    <input
      type="range"
      min={p.min}
      max={p.max}
      value={p.value}
      aria-valuetext={p.says}
      disabled={p.disabled}
      onInput={(e) => p.onInput(Number(e.currentTarget.value))}
      onChange={(e) => p.onDone?.(Number(e.currentTarget.value))}
    />
    {p.shown && (
      <span class="ends" aria-hidden="true">
        <b>{p.says}</b>
      </span>
    )}
  </Field>
)

export const sizes = ['2x2', '2x3', '2x4', '3x3', '3x4', '4x4', '4x5', '5x5', '5x6', '6x6']

export const SizeField = (p: { value: string; onChange: (size: string) => void }) => (
  <Select
    label={t('Size')}
    value={p.value}
    of={sizes.includes(p.value) ? sizes : [...sizes, p.value]}
    name={sizeText}
    onChange={p.onChange}
  />
)

/** The spawn rules of the slider, and their names: friendly on the left, random in the middle. */
const rules = [
  ['friendly', t('all friendly')],
  ['friendly(share=0.6)', t('mostly friendly')],
  ['friendly(share=0.3)', t('partly friendly')],
  ['random', t('random')],
  ['adversary(share=0.3)', t('partly hostile')],
  ['adversary(share=0.6)', t('mostly hostile')],
  ['adversary', t('all hostile')],
] as const

/** ruleName returns the name of a spawn rule: the usual random tiles, another share of 4s, or one of the slider. */
export function ruleName(rule: string): string {
  const share4 = shareOf(rule)
  if (rule === 'random' || share4 === null) return rules.find(([r]) => r === rule)?.[1] ?? rule
  if (share4 === 0) return t('only 2s')
  return share4 === 1 ? t('only 4s') : t('{share} 4s', { share: share(share4) })
}

export function SpawnField(p: { value: string; onChange: (rule: string) => void }) {
  const at = rules.findIndex(([rule]) => rule === p.value)
  return (
    <Slider
      label={t('New tiles')}
      min={0}
      max={rules.length - 1}
      value={at < 0 ? 3 : at}
      says={ruleName(p.value)}
      onInput={(n) => p.onChange(rules[n]?.[0] ?? 'random')}
      shown
    />
  )
}
