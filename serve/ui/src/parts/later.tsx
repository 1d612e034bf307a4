// Views that are loaded after the page is shown.
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { t } from '../base/text'
import { link, useStatus } from '../engine/net'
import { Button } from './ui'

/** later returns a view of the component that load loads. Until it is loaded, the view shows a text. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let body: ComponentType<Props> | null = null
  const bring = () => load().then((b) => (body = b))
  // Load the component right after the page, so that the view still opens if the server is gone later. The load
  // event may have fired already, since the page may have waited for its language.
  const early = () => setTimeout(() => bring().catch(() => {}))
  if (document.readyState === 'complete') early()
  else addEventListener('load', early)
  return function Later(p: Props) {
    const [state, set] = useState<'' | 'failed' | 'loaded'>('')
    const open = useStatus() === 'open' // if not, the page says that the server does not answer
    useEffect(() => {
      const off = link.onOpen(tries) // tries again when the connection is back
      function tries() {
        set('')
        bring().then(
          () => {
            set('loaded')
            off()
          },
          () => set('failed'),
        )
      }
      tries()
      return off
    }, [])
    const View = body
    if (View) return <View {...p} />
    if (state !== 'failed' || !open) return <p role="status">{t('Loading…')}</p>
    return (
      <div class="stack">
        <p role="status">{t('This view could not be loaded. The program may have a new version.')}</p>
        <Button onClick={() => location.reload()} text={t('Load the page again')} />
      </div>
    )
  }
}
