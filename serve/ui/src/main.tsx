import { render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import 'uplot/dist/uPlot.min.css'
import './style.css'
import { useRoute, views, type View } from './route'
import { load, save } from './store'
import { Button, Dialog, Icon, typing, useStatus } from './ui'
import { AskView } from './views/ask'
import { ExperimentsView } from './views/experiments'
import { PlayView } from './views/play'
import { ReviewView } from './views/review'
import { TrainingView } from './views/training'
import { WatchView } from './views/watch'

const names: Record<View, string> = { play: 'Play', watch: 'Watch', ask: 'Ask', review: 'Review', experiments: 'Compare', training: 'Training' }
const titles: Record<View, string> = { play: 'Play 2048', watch: 'Watch a player', ask: 'Ask for the best move', review: 'Review a game', experiments: 'Compare players', training: 'Training' }

const themes = ['auto', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

function useTheme(): [Theme, () => void] {
  const [theme, set] = useState<Theme>(() => load('theme', 'auto', (t) => themes.includes(t as Theme)))
  useEffect(() => {
    if (theme === 'auto') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
    save('theme', theme)
  }, [theme])
  return [theme, () => set(themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'auto')]
}

function App() {
  const { view, parts } = useRoute()
  const [theme, nextTheme] = useTheme()
  const [help, setHelp] = useState(false)
  const main = useRef<HTMLElement>(null)
  const first = useRef(true)
  useEffect(() => {
    document.title = `${titles[view]} · Afterstate`
    if (!first.current) {
      main.current?.focus({ preventScroll: true })
      scrollTo(0, 0)
    }
    first.current = false
  }, [view])
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
        <a class="mark" href="#play" aria-label="Afterstate, to the game"><img src="/favicon.svg" alt="" width="26" height="26" />Afterstate</a>
        <nav class="tabs" aria-label="Views">
          {views.map((v) => <a key={v} href={'#' + v} aria-current={v === view ? 'page' : undefined}><Icon name={v} />{names[v]}</a>)}
        </nav>
        <div class="tools">
          <Button kind="plain" icon="keys" label="Keys" keys="?" onClick={() => setHelp(true)} />
          <Button kind="plain" icon="theme" label={`Colours: ${theme}`} onClick={nextTheme} />
        </div>
      </header>
      <main ref={main} tabIndex={-1}>
        <h1 class="unseen">{titles[view]}</h1>
        {view === 'play' && <PlayView parts={parts} />}
        {view === 'watch' && <WatchView parts={parts} />}
        {view === 'ask' && <AskView parts={parts} />}
        {view === 'review' && <ReviewView />}
        {view === 'experiments' && <ExperimentsView />}
        {view === 'training' && <TrainingView parts={parts} />}
      </main>
      <Connection />
      {help && <Keys onClose={() => setHelp(false)} />}
    </>
  )
}

/** Connection tells of a connection that stays away. */
function Connection() {
  const status = useStatus()
  const [late, setLate] = useState(false)
  useEffect(() => {
    setLate(false)
    if (status === 'open') return
    const t = setTimeout(() => setLate(true), 600)
    return () => clearTimeout(t)
  }, [status])
  return <div role="status">{late && status !== 'open' && <p class="banner">The server does not answer. Trying again; nothing is lost.</p>}</div>
}

function Keys(p: { onClose: () => void }) {
  const keys: [string, string][] = [
    ['Arrows, WASD, HJKL', 'move'], ['U, Ctrl Z', 'take back'], ['R', 'make again'], ['Space', 'hint, or pause while watching'], ['E', 'why is it best'],
    ['N', 'new game, or one step while watching'], ['B', 'one step back while watching'], ['?', 'this list'],
  ]
  return (
    <Dialog title="Keys" onClose={p.onClose}>
      <table><tbody>{keys.map(([k, what]) => <tr key={k}><th scope="row"><kbd>{k}</kbd></th><td class="wrap">{what}</td></tr>)}</tbody></table>
      <p class="dim">On a touch screen, swipe over the board.</p>
      <p class="dim"><a href="/licences.txt">Licences</a> of what others made for this page.</p>
      <Button kind="main" onClick={p.onClose}>Close</Button>
    </Dialog>
  )
}

const root = document.getElementById('app')
if (root) render(<App />, root)
