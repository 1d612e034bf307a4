// Files that are pasted or dropped anywhere on the page.
import { useLayoutEffect, useState } from 'preact/hooks'
import { useLatest } from './store'

export const isFilm = (f: File | undefined) => f?.type.startsWith('video/') ?? false

/** useFiles calls take with the first pasted or dropped file for which wanted returns true. If there is none
    among dropped files, it calls refuse with the first of them. It returns whether a file is being dragged over
    the page. */
export function useFiles(
  take: (f: File) => void,
  wanted = (_: File) => true,
  refuse = (_: File | undefined) => {},
): boolean {
  const [over, setOver] = useState(false)
  const now = useLatest({ wanted, take, refuse })
  useLayoutEffect(() => {
    const find = (d: DataTransfer | null) => [...(d?.files ?? [])].find(now.current.wanted)
    const paste = (e: ClipboardEvent) => {
      const file = find(e.clipboardData)
      if (!file || e.clipboardData?.getData('text')) return // cells of a spreadsheet arrive as text and as a picture
      e.preventDefault()
      now.current.take(file)
    }
    const drag = (e: DragEvent) => {
      if (!e.dataTransfer?.types.includes('Files')) return
      e.preventDefault() // otherwise the browser opens the dropped file
      setOver(e.type === 'dragover')
      if (e.type !== 'drop') return
      const file = find(e.dataTransfer)
      if (file) now.current.take(file)
      else now.current.refuse(e.dataTransfer.files[0])
    }
    const off = new AbortController()
    addEventListener('paste', paste, off)
    for (const name of ['dragover', 'dragleave', 'drop'] as const) addEventListener(name, drag, off)
    return () => off.abort()
  }, [])
  return over
}
