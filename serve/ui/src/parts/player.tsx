// The field for a player: its name, or a spec with keys, completed while it is typed.
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from '../base/text'
import { closed, complete, detailOf, inWords, playerOf, type Suggestion } from '../state/complete'
import type { PlayerInfo } from '../types'
import { usePlayers } from './hints'

const kinds = { Players: t('Players'), Keys: t('Keys of the player'), Values: t('Values of the key') }

interface Props {
  label: string
  value: string
  onChange: (spec: string) => void
  extra?: PlayerInfo[] // additional players of this field
  onLines?: (specs: string[]) => void // called when several players are pasted
}

/** PlayerField is an input of a player's name or spec. It is an ARIA combobox: the focus
    stays in the input, arrows choose a suggestion, Enter takes it, Escape closes the list. */
export function PlayerField(p: Props) {
  const { players: known, evaluators } = usePlayers()
  const players = [...known, ...(p.extra ?? [])]
  const { text, setText, given } = useText(p.value)
  const [caret, setCaret] = useState(0)
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const [fresh, setFresh] = useState(true) // nothing has been typed since the field got the focus
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const goal = useRef(-1) // position of the caret after a suggestion is accepted
  const id = useId()
  const { items, key, kind } = complete(text, caret, { players, evaluators }, fresh && !text.includes('('))
  const shown = open && items.length > 0
  const info = playerOf(text, players)
  const words = info && !shown ? inWords(info)[0] : ''

  const commit = (spec: string) => {
    const done = closed(spec) || p.value
    setText(done)
    setOpen(false)
    given.current = done
    if (done !== p.value) p.onChange(done)
  }
  const take = (s: Suggestion) => {
    const next = text.slice(0, s.from) + s.insert + text.slice(s.to)
    goal.current = s.from + s.insert.length
    setText(next)
    setCaret(goal.current)
    setActive(-1)
    setFresh(false)
    if (kind === 'Players' && !s.insert.endsWith('(')) commit(next)
    else setOpen(true)
  }
  useLayoutEffect(() => {
    if (goal.current < 0) return
    input.current?.setSelectionRange(goal.current, goal.current)
    goal.current = -1
  })
  useEffect(() => {
    if (shown) (list.current?.children[active] ?? list.current)?.scrollIntoView({ block: 'nearest' })
  }, [shown, active])

  const follow = () => setCaret(input.current?.selectionStart ?? 0)
  const keys = (e: KeyboardEvent) => {
    const s = shown ? items[active] : undefined
    const by = e.key === 'ArrowDown' ? 1 : e.key === 'ArrowUp' ? -1 : 0
    if (by !== 0) {
      if (items.length === 0) return
      setOpen(true)
      const from = shown && active >= 0 ? active : by > 0 ? -1 : 0
      if (!e.altKey) setActive((from + by + items.length) % items.length)
    } else if (e.key === 'Enter') s ? take(s) : commit(text)
    else if (e.key === 'Escape') {
      if (!shown) setText(p.value)
      setOpen(false)
      setActive(-1)
    } else return
    e.preventDefault()
    e.stopPropagation()
  }
  return (
    <div class="field combo">
      <label for={id}>{p.label}</label>
      <input
        id={id}
        ref={input}
        value={text}
        spellcheck={false}
        autocomplete="off"
        autocapitalize="off"
        autocorrect="off"
        enterkeyhint="done"
        role="combobox"
        aria-expanded={shown}
        aria-controls={`${id}list`}
        aria-autocomplete="list"
        aria-describedby={`${id}note`}
        aria-activedescendant={shown && active >= 0 ? `${id}o${active}` : undefined}
        onInput={(e) => {
          setText(e.currentTarget.value)
          follow()
          setFresh(false)
          setOpen(true)
          setActive(-1)
        }}
        onPaste={(e) => {
          const lines = linesOf(e.clipboardData?.getData('text') ?? '')
          if (!p.onLines || lines.length < 2) return
          e.preventDefault()
          setOpen(false)
          p.onLines(lines)
        }}
        onFocus={(e) => {
          setFresh(true)
          e.currentTarget.select()
        }}
        onClick={() => {
          follow()
          setOpen(true)
        }}
        onBlur={() => commit(text)}
        onKeyDown={keys}
        onKeyUp={follow}
      />
      {words && <Words of={words} spec={text} />}
      <ul id={`${id}list`} ref={list} role="listbox" aria-label={kinds[kind]} hidden={!shown}>
        {shown &&
          items.map((s, i) => (
            <Option key={s.insert} id={`${id}o${i}`} of={s} active={i === active} onTake={() => take(s)} />
          ))}
      </ul>
      <small id={`${id}note`} lang="en" class={key && open ? '' : 'unseen'}>
        {key && open ? `${key.name}: ${key.help}. ${detailOf(key)}.` : (info?.summary ?? '')}
      </small>
    </div>
  )
}

/** useText returns the text of the field, which follows a new value. given holds the last value that was received or
    reported: text typed since then is kept. */
function useText(value: string) {
  const [text, setText] = useState(value)
  const given = useRef(value)
  useLayoutEffect(() => {
    // A layout effect, so that the text changes before the next key is handled. The value changes, for
    // example, when a player is removed and the next one moves to this field.
    if (value === given.current) return
    given.current = value
    setText(value)
  }, [value])
  return { text, setText, given }
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((l) => l.trim())
    .filter(Boolean)

/** Words covers the input with the name of a player in words, and its spec. */
const Words = (p: { of: string; spec: string }) => (
  <span class="words" aria-hidden="true">
    <b>{p.of}</b> <span lang="en">{p.spec}</span>
  </span>
)

/** Option is a suggestion in the list. */
const Option = (p: { id: string; of: Suggestion; active: boolean; onTake: () => void }) => (
  <li
    id={p.id}
    role="option"
    aria-selected={p.active}
    onMouseDown={(e) => e.preventDefault()}
    onClick={p.onTake}
  >
    <span>
      {p.of.title && <strong>{p.of.title} </strong>}
      <b lang="en">{p.of.label}</b>
    </span>
    {p.of.detail && <span lang="en">{p.of.detail}</span>}
    {p.of.help && <small lang="en">{p.of.help}</small>}
  </li>
)
