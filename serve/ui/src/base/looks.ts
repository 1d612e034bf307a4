// The look of the page: its colours and those of the tiles. The style files select them by attributes of the
// document.
import { load, save } from './store'

export const themes = ['auto', 'light', 'dark'] as const
export const palettes = ['afterstate', 'classic'] as const
export interface Looks {
  theme: (typeof themes)[number]
  tiles: (typeof palettes)[number]
}

export const looks = (): Looks => ({
  theme: load('theme', 'auto', (t) => themes.includes(t as Looks['theme'])),
  tiles: load('tiles', 'afterstate', (t) => palettes.includes(t as Looks['tiles'])),
})

export function keepLooks({ theme, tiles }: Looks) {
  save('theme', theme)
  save('tiles', tiles)
  showLooks({ theme, tiles })
}

export function showLooks({ theme, tiles }: Looks) {
  const { dataset } = document.documentElement
  if (theme === 'auto') delete dataset.theme
  else dataset.theme = theme
  dataset.tiles = tiles
  for (const m of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    m.media =
      theme === 'auto'
        ? `(prefers-color-scheme: ${m.dataset.scheme})`
        : m.dataset.scheme === theme
          ? 'all'
          : 'not all'
  }
}
