// A watched game on another screen: its address and QR code for a phone, a tablet or a television.
import { useState } from 'preact/hooks'
import { rich, t } from '../../base/text'
import { useAttempt } from '../../engine/attempt'
import { link } from '../../engine/net'
import { site } from '../../engine/site'
import { Alert, Button, CloseButton, copyText, Dialog, Note } from '../../parts/ui'
import type { WatchLink } from '../../types'

/** AnotherScreen offers to follow a watched game on another screen. On a static site games are in this browser alone. */
export function AnotherScreen({ id }: { id: string }) {
  const [links, setLinks] = useState<WatchLink[] | null>(null)
  const { trouble, attempt } = useAttempt()
  if (site) return null
  const show = () =>
    attempt(async () => setLinks((await link.insist('watch.links', { id, origin: location.origin })).links))
  return (
    <>
      <div class="row fill">
        <Button icon="share" disabled={!id} onClick={show} text={t('Follow on another screen')} />
      </div>
      <Alert text={trouble} />
      {links && <Links links={links} onClose={() => setLinks(null)} />}
    </>
  )
}

function Links({ links, onClose }: { links: WatchLink[]; onClose: () => void }) {
  const [note, setNote] = useState('')
  const first = links[0]
  const copy = async (address: string) =>
    setNote((await copyText(address)) ? t('The address is copied.') : t('Select the address to copy it.'))
  return (
    <Dialog title={t('Follow on another screen')} onClose={onClose} text>
      {first ? (
        <>
          <p>
            {t(
              'Scan this with a phone or tablet in your network, or open the address on any screen there. It shows this game, move by move.',
            )}
          </p>
          <QR rows={first.qr} />
          <ul class="addresses">
            {links.map((l) => (
              <li key={l.address}>
                <a class="mono" href={l.address} target="_blank" rel="noreferrer">
                  {l.address}
                </a>
              </li>
            ))}
          </ul>
          {first.address.includes('?token=') && (
            <p class="dim">{t('Whoever has this address can use this server.')}</p>
          )}
        </>
      ) : (
        <p>
          {rich(
            'Only this machine can reach this server. Start it with {command} to follow the game on other devices.',
            { command: <code>afterstate serve --listen 0.0.0.0:2048</code> },
          )}
        </p>
      )}
      <Note text={note} />
      <div class="row fill">
        {first && <Button icon="share" onClick={() => copy(first.address)} text={t('Copy')} />}
        <CloseButton onClick={onClose} />
      </div>
    </Dialog>
  )
}

/** QR draws a code, black on white in every scheme, with the margin that scanners need. */
function QR({ rows }: { rows: string[] }) {
  const margin = 4
  const side = rows.length + 2 * margin
  const black = rows
    .flatMap((row, y) => [...row].map((c, x) => (c === '1' ? `M${x + margin} ${y + margin}h1v1h-1z` : '')))
    .join('')
  return (
    <svg
      class="qr"
      style={{ '--side': side }}
      viewBox={`0 0 ${side} ${side}`}
      role="img"
      aria-label={t('QR code of the address')}
      shape-rendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${side}v${side}h-${side}z`} />
      <path fill="#000" d={black} />
    </svg>
  )
}
