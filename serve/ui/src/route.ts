// The URL fragment selects the view: #ask/2,2,0,4/0,0,8,0/96 shows a board
// with a score, which may be left out.
import { useEffect, useState } from 'preact/hooks'

export const views = ['play', 'watch', 'ask', 'review', 'practice', 'experiments', 'training'] as const
export type View = (typeof views)[number]

export interface Route {
  view: View
  parts: string[]
}

function read(): Route {
  const [name, ...parts] = location.hash.replace(/^#\/?/, '').split('/')
  const view = views.find((v) => v === name)
  return view ? { view, parts } : { view: 'play', parts: [] }
}

export function useRoute(): Route {
  const [route, set] = useState(read)
  useEffect(() => {
    const f = () => set(read())
    addEventListener('hashchange', f)
    return () => removeEventListener('hashchange', f)
  }, [])
  return route
}

/** go opens a view; replace adds no history entry. */
export function go(hash: string, replace = false) {
  if (replace) {
    history.replaceState(null, '', '#' + hash)
    dispatchEvent(new HashChangeEvent('hashchange'))
  } else location.hash = hash
}
