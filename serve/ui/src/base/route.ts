// The URL fragment selects the view: #solve/2,2,0,4/0,0,8,0/96 shows a board with a score; the score may be left out.
import { useLayoutEffect, useState } from 'preact/hooks'
import { listen } from './store'

function read() {
  const [route = '', ...parts] = location.hash.replace(/^#\/?/, '').split('/').map(decoded)
  return { route, parts }
}

/** decoded decodes a part of a link, since some apps write commas as %2C. It returns a damaged part unchanged. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export function useRoute() {
  const [route, set] = useState(read)
  // A layout effect, so that no change between the first rendering and the listener is lost.
  useLayoutEffect(() => listen('hashchange', () => set(read())), [])
  return route
}

/** go opens a view. With replace, it adds no entry to the browser's history. */
export function go(hash: string, replace = false) {
  if (replace) {
    history.replaceState(null, '', `#${hash}`)
    dispatchEvent(new HashChangeEvent('hashchange'))
  } else location.hash = hash
}
