import { render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import 'uplot/dist/uPlot.min.css'
import './style.css'
import './tiles.css'
import './review.css'
import './phone.css'
import { engine } from './net'
import { useRoute } from './route'
import { load, save } from './store'
import { Button, Dialog, Icon, typing, useStatus } from './ui'
import { views } from './views'
import { EngineDialog, Update } from './views/engine'

const themes = ['auto', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

function useTheme(): [Theme, () => void] {
  const [theme, set] = useState<Theme>(() => load('theme', 'auto', (t) => themes.includes(t as Theme)))
  useEffect(() => {
    if (theme === 'auto') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
    for (const m of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
      m.media = theme === 'auto' ? `(prefers-color-scheme: ${m.dataset.scheme})` : m.dataset.scheme === theme ? 'all' : 'not all'
    }
    save('theme', theme)
  }, [theme])
  return [theme, () => set(themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'auto')]
}

const none: string[] = []

function App() {
  const { route, parts } = useRoute()
  const view = views.find((v) => v.route === route)
  const { title, Body } = view ?? views[0]
  const [theme, nextTheme] = useTheme()
  const [help, setHelp] = useState(false)
  const [about, setAbout] = useState(false)
  const main = useRef<HTMLElement>(null)
  const first = useRef(true)
  useEffect(() => {
    document.title = `${title} · Afterstate`
    if (!first.current) {
      main.current?.focus({ preventScroll: true })
      scrollTo(0, 0)
    }
    first.current = false
  }, [title])
  useEffect(() => {
    const f = (e: KeyboardEvent) => {
      if (e.key === '?' && !typing(e)) setHelp(true)
    }
    addEventListener('keydown', f)
    return () => removeEventListener('keydown', f)
  }, [])
  return (
    <>
      <header class="top">
        <a class="mark" href="#play" aria-label="Afterstate: play"><img src="favicon.svg" alt="" width="26" height="26" />Afterstate</a>
        <nav class="tabs" aria-label="Views">
          {views.map((v) => <a key={v.route} href={'#' + v.route} aria-current={v.title === title ? 'page' : undefined}><Icon name={v.route} path={v.path} />{v.name}{v.Badge && <v.Badge />}</a>)}
        </nav>
        <div class="tools">
          {engine && <Button kind="plain" icon="engine" label="Engine" onClick={() => setAbout(true)} />}
          <Button kind="plain" icon="help" label="Help" keys="?" onClick={() => setHelp(true)} />
          <Button kind="plain" icon="theme" label={`Colours: ${theme === 'auto' ? 'as the system' : theme}`} onClick={nextTheme} />
        </div>
      </header>
      <main ref={main} tabIndex={-1}>
        <h1 class="unseen">{title}</h1>
        <Body key={title} parts={view ? parts : none} />
      </main>
      <Connection />
      {engine && <Update />}
      {engine && about && <EngineDialog engine={engine} onClose={() => setAbout(false)} />}
      {help && <Help onClose={() => setHelp(false)} />}
    </>
  )
}

/** Connection reports a connection that stays lost. */
function Connection() {
  const status = useStatus()
  const [late, setLate] = useState(false)
  useEffect(() => {
    setLate(false)
    if (status === 'open') return
    const t = setTimeout(() => setLate(true), 600)
    return () => clearTimeout(t)
  }, [status])
  const why = status === 'refused' ? 'The server has a new token. Open the address that it printed, or scan its code; nothing is lost.'
    : engine && status === 'connecting' ? 'The engine is loading.'
    : `${engine ? 'The engine' : 'The server'} does not answer. Trying again; nothing is lost.`
  return <div role="status">{late && status !== 'open' && <p class="banner">{why}</p>}</div>
}

function Help(p: { onClose: () => void }) {
  const touch = matchMedia('(pointer: coarse)').matches
  const keys: [string, string][] = [
    ['Arrows, WASD, HJKL', 'move'], ['U, Ctrl Z', 'undo'], ['R, Ctrl Y', 'redo'], ['Space', 'Play: hint. Watch: pause or resume'], ['E', 'Play: reasons for the hint'],
    ['N', 'Play: new game. Watch and Review: one move forward'], ['B', 'Watch and Review: one move back'],
    ['M, Shift M', 'Review: next and previous mistake'], ['T', 'Review and Practice: try again here. Enter shows the answer'],
    ['Enter, 2, 4', 'Ask: place the new tile after a move; arrows choose its cell'], ['?', 'this help'],
  ]
  const words: [string, string][] = [
    ['player', 'a program that chooses moves. “Strongest” gives the strongest answers for the board’s size, “strong and fast” plays almost as well; others follow simple rules.'],
    ['spec', 'a player as programs write it, such as best or expectimax(plies=2). A field for a player takes one too.'],
    ['value', 'how good a player finds a move: the points it expects still to come, or a number of its own scale (“heuristic”). The best move shows its value, the others how much less they are worth.'],
    ['moves ahead, boards', 'how many of its moves a player has looked ahead, and at how many boards. Specs call them plies and nodes.'],
    ['seed', 'the number that decides where new tiles appear. The same seed and moves give the same game.'],
  ]
  return (
    <Dialog text title="Help" onClose={p.onClose}>
      <h3>How the game goes</h3>
      <ol class="steps">
        <li>{touch ? 'Swipe across the board' : 'Press an arrow key, or swipe across the board'}: all tiles slide that way as far as they can.{touch && ' Free space beside it takes swipes too.'}</li>
        <li>Two equal tiles that meet become one of twice the value. You score that value.</li>
        <li>After each move a new tile appears, a 2 or now and then a 4.</li>
        <li>Make the 2048, and go on as far as you can. The game is over when no tile can move.</li>
      </ol>
      <p>Stuck? <b>Hint</b> shows the best move, and <b>Undo</b> takes moves back, as many as you like. <b>Watch</b> shows how a strong player does it.</p>
      <details open={!touch}>
        <summary>Keys</summary>
        <table><tbody>{keys.map(([k, what]) => <tr key={k}><th scope="row"><kbd>{k}</kbd></th><td class="wrap">{what}</td></tr>)}</tbody></table>
      </details>
      <h3>Words</h3>
      <dl class="terms">{words.map(([word, what]) => <div key={word}><dt>{word}</dt><dd class="dim">{what}</dd></div>)}</dl>
      <p class="dim"><a href="licences.txt">Licences</a> of the software in this page.</p>
      <Button kind="main" onClick={p.onClose}>Close</Button>
    </Dialog>
  )
}

const root = document.getElementById('app')
if (root) render(<App />, root)
