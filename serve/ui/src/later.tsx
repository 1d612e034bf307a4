// Views that are loaded when the page is shown already.
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Button } from './ui'

/** later returns a view that load brings. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let body: ComponentType<Props> | null = null
  const bring = () => load().then((b) => (body = b))
  addEventListener('load', () => setTimeout(() => bring().catch(() => {}), 2000)) // so that it is there when the server is not
  return function Later(p: Props) {
    const [state, set] = useState(body ? '' : 'Loading…')
    useEffect(() => {
      bring().then(() => set(''), () => set('This view could not be loaded: the server does not answer, or has a new version.'))
    }, [])
    const View = body
    if (View) return <View {...p} />
    return <div class="stack"><p role="status">{state}</p>{state !== 'Loading…' && <div class="row"><Button onClick={() => location.reload()}>Load the page again</Button></div>}</div>
  }
}
