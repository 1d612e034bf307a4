import { render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import 'uplot/dist/uPlot.min.css'
import './style.css'
import './tiles.css'
import './solve.css'
import './review.css'
import './views/learn/learn.css'
import './views/play/play.css'
import './views/today/today.css'
import './phone.css'
import { useKeys } from './base/keys'
import { looks, showLooks } from './base/looks'
import { useRoute } from './base/route'
import { t } from './base/text'
import { engine, link, useStatus } from './engine/net'
import { later } from './parts/later'
import { Icon } from './parts/ui'
import { places, views } from './views'
import { EngineDialog, Update } from './views/engine'

showLooks(looks())

const Help = later(async () => (await import('./views/help')).Help)
const Settings = later(async () => (await import('./views/settings')).Settings)

const none: string[] = []

function App() {
  const { route, parts } = useRoute()
  const view = views.find((v) => v.route === route)
  const { route: shown, place = shown, title, Body } = view ?? views[0]
  const [dialog, open] = useState<DialogName | ''>('')
  const close = () => open('')
  const main = useRef<HTMLElement>(null)
  const first = useRef(true)
  useEffect(() => {
    document.title = `${title} · Afterstate`
    if (!first.current) {
      main.current?.focus({ preventScroll: true })
      scrollTo(0, 0)
    }
    first.current = false
  }, [shown])
  useKeys((e) => {
    if (e.key === '?') open('help')
    return e.key === '?'
  })
  return (
    <>
      <header class="top">
        <a class="mark" href="#play" aria-label={t('Afterstate: play')}>
          <img src="favicon.svg" alt="" width="26" height="26" />
          Afterstate
        </a>
        <nav class="tabs" aria-label={t('Views')}>
          {places.map((v) => (
            <a key={v.route} href={`#${v.route}`} aria-current={v.route === place ? 'page' : undefined}>
              <Icon name={v.route} />
              {v.name}
              {v.Badge && <v.Badge />}
            </a>
          ))}
        </nav>
        <Menu onOpen={open} />
      </header>
      <main ref={main} tabIndex={-1}>
        <h1 class="unseen">{title}</h1>
        <Body key={shown} parts={view ? parts : none} />
      </main>
      <Connection />
      {engine && <Update />}
      {engine && dialog === 'engine' && <EngineDialog engine={engine} onClose={close} />}
      {dialog === 'settings' && <Settings onClose={close} />}
      {dialog === 'help' && <Help onClose={close} />}
    </>
  )
}

type DialogName = 'help' | 'settings' | 'engine'

/** Menu is the menu of the page, with the views that are not games. The lab contains the views for students and
    researchers. */
function Menu({ onOpen }: { onOpen: (dialog: DialogName) => void }) {
  const item = (dialog: DialogName, text: string, keys?: string) => (
    <button type="button" onClick={() => onOpen(dialog)} aria-label={text} aria-keyshortcuts={keys}>
      <Icon name={dialog} />
      {text}
      {keys && <kbd>{keys}</kbd>}
    </button>
  )
  const entry = (hash: string, name: string) => (
    <a key={hash} href={`#${hash}`}>
      <Icon name={hash.split('/')[0] ?? ''} />
      {name}
    </a>
  )
  return (
    <>
      <button type="button" class="button plain menu-button" popovertarget="menu" aria-label={t('Menu')}>
        <Icon name="menu" />
      </button>
      <div id="menu" popover="auto" onClick={(e) => e.currentTarget.hidePopover()}>
        {item('settings', t('Settings'))}
        {item('help', t('Help'), '?')}
        {engine && item('engine', t('Engine'))}
        <nav aria-labelledby="lab">
          <h2 id="lab">{t('Lab')}</h2>
          {views.filter((v) => v.place === 'lab').map((v) => entry(v.route, v.name))}
          {entry('watch/settings', t('Watch a player'))}
        </nav>
      </div>
    </>
  )
}

/** Connection shows why there is no answer, while a request waits for one. */
function Connection() {
  const status = useStatus()
  const missed = status === 'refused' || (status !== 'open' && link.wanted)
  const [late, setLate] = useState(false)
  useEffect(() => {
    setLate(false)
    if (!missed) return
    const t = setTimeout(() => setLate(true), 600)
    return () => clearTimeout(t)
  }, [missed])
  const why =
    status === 'refused'
      ? t('The server has a new token. Open the address that it printed, or scan its code; nothing is lost.')
      : !engine
        ? t('The server does not answer. Trying again; nothing is lost.')
        : status === 'connecting'
          ? t('The engine is loading.')
          : t('The engine does not answer. Trying again; nothing is lost.')
  return <div role="status">{late && missed && <p class="banner">{why}</p>}</div>
}

const root = document.getElementById('app')
if (root) render(<App />, root)
