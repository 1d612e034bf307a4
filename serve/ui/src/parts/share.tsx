// A link to what is shown, and a note on who can open it.
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { rich, t } from '../base/text'
import { engine } from '../engine/net'
import type { Board } from '../types'
import { Button, CloseButton, Dialog, PictureButton } from './ui'

/** pageAddress returns the address of the page with a fragment. */
export const pageAddress = (hash: string) => `${location.href.replace(/[?#].*/, '')}#${hash}`

const loopback = /^(localhost|.*\.localhost|127\..*|0\.0\.0\.0|::1|)$/
const lan = [
  /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/,
  /^(f[cd]..:|fe[89ab].:|[^.:]*$|.*\.(local|lan|internal)$)/,
]

/** shareable reports whether anybody else can open addresses of this page. */
export const shareable = () =>
  location.protocol !== 'file:' && !loopback.test(location.hostname.replace(/[[\]]/g, ''))

/** limit returns a text that says who cannot open addresses of this page, or ''. */
function limit(): ComponentChildren {
  const host = location.hostname.replace(/[[\]]/g, '')
  if (location.protocol === 'file:')
    return t('Others cannot open this link: the page is a file on your device.')
  if (loopback.test(host))
    return (
      <>
        {t('Others cannot open this link: on their device, {host} means their own device.', { host })}{' '}
        {!engine &&
          rich('Start the server with {option} to open this page on other devices in your network.', {
            option: <code>--listen 0.0.0.0:2048</code>,
          })}
      </>
    )
  if (!lan.some((r) => r.test(host))) return ''
  const why = t('Only devices in your network can open this link: {host} is a private address.', { host })
  return engine ? why : `${why} ${t('They also need this server’s token.')}`
}

/** Share copies and shows a link, or lines of text, and saves a picture of a board. says describes the link;
    elsewhere says what to do if others cannot open it. */
export function Share(p: {
  address: () => string
  says: string
  elsewhere?: string
  disabled?: boolean
  board?: Board | undefined
  name?: string
  kind?: string | undefined
}) {
  const [shown, show] = useState<{ address: string; copied: boolean } | null>(null)
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const copy = async () => {
    const address = shown?.address ?? p.address()
    field.current?.select() // for execCommand: navigator.clipboard needs HTTPS
    const selected = field.current !== null
    const copied = navigator.clipboard?.writeText(address).then(() => true) ?? Promise.reject()
    show({ address, copied: await copied.catch(() => selected && document.execCommand('copy')) })
  }
  const lines = shown?.address.includes('\n') ?? false
  const why = lines ? '' : limit()
  const box = { ref: field, readOnly: true, value: shown?.address }
  const sends = 'share' in navigator && !why
  return (
    <>
      <Button icon="share" kind={p.kind} disabled={p.disabled} onClick={copy} text={p.name ?? t('Share')} />
      {shown && (
        <Dialog title={p.name ?? t('Share')} onClose={() => show(null)}>
          <p role="status">
            {shown.copied ? `${lines ? t('Copied.') : t('The link is copied.')} ` : ''}
            {p.says}
          </p>
          <div class="field">
            {lines ? (
              <textarea {...box} rows={4} aria-label={t('Result')} />
            ) : (
              <input {...box} aria-label={t('Link')} onFocus={() => field.current?.select()} />
            )}
          </div>
          {why && (
            <div class="offer">
              <p>
                {why} {p.elsewhere}
              </p>
            </div>
          )}
          <div class="row four">
            <Button onClick={copy} text={lines ? t('Copy') : t('Copy the link')} />
            {sends && (
              <Button
                kind="main"
                onClick={() =>
                  navigator.share(lines ? { text: shown.address } : { url: shown.address }).catch(() => {})
                }
                text={t('Send')}
              />
            )}
            {p.board && <PictureButton board={p.board} />}
            <CloseButton kind={sends ? '' : 'main'} onClick={() => show(null)} />
          </div>
        </Dialog>
      )}
    </>
  )
}
