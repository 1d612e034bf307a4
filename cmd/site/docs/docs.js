// The docs' script: the theme that is chosen on the page, and the search. It is loaded before the text, so that the colours do not change.
'use strict'

try {
  const theme = JSON.parse(localStorage.getItem('afterstate.theme'))
  if (theme === 'light' || theme === 'dark') {
    document.documentElement.dataset.theme = theme
    for (const m of document.querySelectorAll('meta[name=theme-color]')) m.media = m.dataset.scheme === theme ? 'all' : 'not all'
    addEventListener('DOMContentLoaded', () => {
      for (const s of document.querySelectorAll('picture source')) s.media = s.media.includes(theme) ? 'all' : 'not all'
    })
  }
} catch {
  // no storage, or nothing valid in it: the system's theme
}

const most = 20 // results that are shown

/** fold is a text as it is compared: capitals and accents make no difference. */
const fold = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** fit is how well a word fits a text: 1 as a whole word, less as the beginning of one or within one, 0 not at all. */
function fit(text, word) {
  const letter = /[\p{L}\p{N}]/u
  let best = 0
  for (let at = text.indexOf(word); at >= 0 && best < 1; at = text.indexOf(word, at + 1)) {
    const begins = at === 0 || !letter.test(text[at - 1])
    const ends = at + word.length === text.length || !letter.test(text[at + word.length])
    best = Math.max(best, begins && ends ? 1 : begins ? 0.8 : 0.3)
  }
  return best
}

/** search returns the entries that have all words, the best first: titles before headings, headings before text. */
function search(index, query) {
  const words = fold(query).split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const found = []
  for (const e of index.entries) {
    const title = index.pages[e.p].title
    e.folded ??= [fold(title), fold(e.h ?? ''), fold(e.t)]
    const [inTitle, inHeading, inText] = e.folded
    let score = 0
    for (const w of words) {
      // A page's title counts for its beginning; below other headings it only makes up for a word that they lack.
      const best = Math.max((e.h ? 1 : 100) * fit(inTitle, w), 30 * fit(inHeading, w), 5 * fit(inText, w))
      if (best === 0 || (best <= 1 && words.length === 1)) {
        score = 0
        break
      }
      score += best + Math.min(inText.split(w).length - 1, 4) / 4
    }
    if (score > 0) found.push({ ...e, title, score: score - 0.03 * e.p }) // first pages first, records of changes last
  }
  return found.sort((a, b) => b.score - a.score)
}

/** excerpt returns the part of a text around the first of the words. */
function excerpt(text, words) {
  const folded = fold(text)
  const at = folded.length === text.length ? Math.min(...words.map((w) => folded.indexOf(w)).filter((i) => i >= 0)) : 0
  if (text.length <= 180) return text
  let from = Number.isFinite(at) ? Math.max(0, at - 60) : 0
  if (from > 0) from = text.indexOf(' ', from) + 1
  const end = text.lastIndexOf(' ', from + 180)
  return (from > 0 ? '… ' : '') + text.slice(from, end > from ? end : from + 180) + (from + 180 < text.length ? ' …' : '')
}

/** marked returns nodes of a text with the words in <mark>. */
function marked(text, words) {
  const folded = fold(text)
  if (folded.length !== text.length) return [text]
  const nodes = []
  let done = 0
  while (done < text.length) {
    let at = -1, length = 0
    for (const w of words) {
      const i = folded.indexOf(w, done)
      if (i >= 0 && (at < 0 || i < at || (i === at && w.length > length))) [at, length] = [i, w.length]
    }
    if (at < 0) break
    const mark = document.createElement('mark')
    mark.textContent = text.slice(at, at + length)
    nodes.push(text.slice(done, at), mark)
    done = at + length
  }
  nodes.push(text.slice(done))
  return nodes
}

/** element returns an element with what is in it. */
function element(name, ...children) {
  const e = document.createElement(name)
  e.append(...children)
  return e
}

addEventListener('DOMContentLoaded', () => {
  const root = document.body.dataset.root
  const form = document.querySelector('.search')
  const input = form.querySelector('input')
  const panel = form.querySelector('.found')
  const status = panel.querySelector('[role=status]')
  const list = panel.querySelector('ol')
  form.hidden = false

  let loading = null
  /** load loads the index once, when it is wanted. It is a script, since browsers load no other data for pages that were opened as files. */
  const load = () => loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = root + 'search-index.js'
    script.onload = () => resolve(searchIndex)
    script.onerror = () => {
      loading = null
      script.remove()
      reject(new Error('the index was not loaded'))
    }
    document.head.append(script)
  })

  const close = () => { panel.hidden = true }
  const links = () => [...list.querySelectorAll('a')]
  const item = (e, words) => {
    const link = element('a', element('b', ...marked(e.h ?? e.title, words)))
    link.href = root + index(e)
    if (e.h) link.append(element('small', e.title))
    const text = excerpt(e.t, words)
    if (text) link.append(element('small', ...marked(text, words)))
    return element('li', link)
  }
  const index = (e) => searchIndex.pages[e.p].file + (e.a ? '#' + e.a : '')
  const show = async () => {
    const query = input.value.trim()
    if (!query) return close()
    try {
      await load()
    } catch {
      status.textContent = 'The search cannot be loaded. Are you offline?'
      list.replaceChildren()
      panel.hidden = false
      return
    }
    if (query !== input.value.trim()) return // more was typed meanwhile
    const words = fold(query).split(/\s+/)
    const found = search(searchIndex, query)
    status.textContent = found.length === 0 ? `Nothing has ${words.length > 1 ? 'all of these words' : `“${query}”`}.`
      : found.length > most ? `The best ${most} of ${found.length} places` : found.length === 1 ? '1 place' : `${found.length} places`
    list.replaceChildren(...found.slice(0, most).map((e) => item(e, words)))
    panel.scrollTop = 0
    panel.hidden = false
  }

  input.addEventListener('focus', (e) => {
    load().catch(() => {})
    if (input.value && !form.contains(e.relatedTarget)) show() // from a result: they are shown, or were just closed
  })
  input.addEventListener('input', show)
  form.addEventListener('submit', async (e) => {
    e.preventDefault()
    await show()
    links()[0]?.click()
  })
  form.addEventListener('keydown', (e) => {
    if (e.key === 'Escape') {
      input.focus()
      return close()
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key]
    if (!step || panel.hidden) return
    const stops = [input, ...links()]
    const to = stops.indexOf(document.activeElement) + step
    if (to >= 0 && to < stops.length) stops[to].focus()
    e.preventDefault()
  })
  list.addEventListener('click', close)
  document.addEventListener('pointerdown', (e) => { if (!form.contains(e.target)) close() })
  form.addEventListener('focusout', (e) => { if (e.relatedTarget && !form.contains(e.relatedTarget)) close() })
  addEventListener('keydown', (e) => {
    if (e.key !== '/' || e.ctrlKey || e.metaKey || e.altKey || e.target instanceof HTMLInputElement) return
    e.preventDefault()
    input.focus()
  })

  const pages = document.getElementById('Pages')
  pages.addEventListener('click', (e) => { if (e.target.closest('a')) pages.hidePopover?.() })
  // The current page is in sight among the others.
  const current = pages.querySelector('[aria-current]')
  if (current && current.offsetTop > pages.clientHeight / 2) pages.scrollTop = current.offsetTop - pages.clientHeight / 2

  // What scrolls sideways can be scrolled with keys.
  const scrolls = () => {
    for (const e of document.querySelectorAll('.prose pre, .prose .wide')) {
      if (e.scrollWidth > e.clientWidth) e.tabIndex = 0
      else e.removeAttribute('tabindex')
    }
  }
  scrolls()
  addEventListener('resize', scrolls)
})
