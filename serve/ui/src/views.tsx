// The views of the page: a row is what the page knows of one. The tabs, the routes, the titles and the tests that open
// every view come from this table.

import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { useRedraw } from './base/changes'
import { t } from './base/text'
import { later } from './parts/later'
import { due, upcoming } from './state/drills'
import { useDrills } from './views/learn/drillsofgame'
import { PracticeView } from './views/learn/practice'
import { PlayView } from './views/play/play'
import { AskView } from './views/solve/ask'
import { WatchView } from './views/solve/watch'

/** What a view is given. */
interface Parts {
  parts: string[] // of the fragment after the route
}

export interface View {
  /** The first part of the URL's fragment. Icon shows the path, or what ui.tsx has by the route's name. */
  route: string
  path?: string
  name: string
  title: string
  Body: ComponentType<Parts>
  Badge?: ComponentType
}

const Review = later<Parts>(async () => (await import('./views/games/review')).ReviewView)
const Games = later<Parts>(async () => (await import('./views/games/played')).PlayedView)
const Experiments = later<Parts>(async () => (await import('./views/lab/experiments')).ExperimentsView)
const Training = later<Parts>(async () => (await import('./views/lab/training')).TrainingView)

export const views: readonly [View, ...View[]] = [
  { route: 'play', name: t('Play'), title: t('Play 2048'), Body: PlayView },
  { route: 'watch', name: t('Watch'), title: t('Watch a player'), Body: WatchView },
  { route: 'ask', name: t('Ask'), title: t('Ask for the best move'), Body: AskView },
  { route: 'review', name: t('Review'), title: t('Review a game'), Body: Review },
  { route: 'practice', name: t('Practice'), title: t('Practice'), Body: PracticeView, Badge: Due },
  {
    route: 'games',
    name: t('Games'),
    title: t('Your games'),
    Body: Games,
    path: 'M5 5h3v3H5zM5 16h3v3H5zM12 6.5h8M12 17.5h8M5 10.5h3v3H5zM12 12h8',
  },
  { route: 'experiments', name: t('Compare'), title: t('Compare players'), Body: Experiments },
  {
    route: 'training',
    name: t('Training'),
    title: t('Training'),
    Body: Training,
    path: 'M3 20c4 0 4-14 9-14s4 8 9 8',
  },
]

/** Due is the number of drills that are due. */
function Due() {
  const redraw = useRedraw()
  const all = useDrills()
  useEffect(() => {
    const next = upcoming(all)
    if (next === null) return
    const t = setTimeout(redraw, Math.min(next - Date.now(), 3_600_000) + 100)
    return () => clearTimeout(t)
  })
  const n = due(all).length
  return n > 0 ? (
    <span class="badge">
      {n}
      <span class="unseen"> {t('due')}</span>
    </span>
  ) : null
}
