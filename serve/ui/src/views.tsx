// The table of the page's views. The tabs, the menu, the routes, the titles and the tests that open every view come
// from it.
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { useRedraw } from './base/store'
import { t } from './base/text'
import { engine } from './engine/net'
import { later } from './parts/later'
import { due, upcoming, useDrills } from './state/drills'
import { useDays, useToday } from './state/today'
import { PlayView } from './views/play/play'

interface Parts {
  parts: string[] // parts of the fragment after the route
}

export interface View {
  route: string // the first part of the URL's fragment, and the name of its icon
  place?: string // route of the tab that the view belongs to; absent: the view is a tab
  name: string
  title: string
  Body: ComponentType<Parts>
  Badge?: ComponentType
}

const Today = later<Parts>(async () => (await import('./views/today/today')).TodayView)
const Learn = later<Parts>(async () => (await import('./views/learn/learn')).LearnView)
const Solve = later<Parts>(async () => (await import('./views/solve/solve')).SolveView)
const Watch = later<Parts>(async () => (await import('./views/solve/watch')).WatchView)
const Review = later<Parts>(async () => (await import('./views/games/review')).ReviewView)
const Games = later<Parts>(async () => (await import('./views/games/played')).PlayedView)
const Experiments = later<Parts>(async () => (await import('./views/lab/experiments')).ExperimentsView)
const Training = later<Parts>(async () => (await import('./views/lab/training')).TrainingView)
const Workers = later<Parts>(async () => (await import('./views/lab/workers')).WorkersView)

export const views: readonly [View, ...View[]] = [
  { route: 'play', name: t('Play'), title: t('Play 2048'), Body: PlayView },
  { route: 'today', name: t('Today'), title: t('Today’s board'), Body: Today, Badge: Unplayed },
  { route: 'learn', name: t('Learn'), title: t('Learn'), Body: Learn, Badge: Due },
  { route: 'games', name: t('Games'), title: t('Your games'), Body: Games },
  { route: 'solve', name: t('Solve'), title: t('Find the best move'), Body: Solve },
  { route: 'review', place: 'games', name: t('Review'), title: t('Review a game'), Body: Review },
  { route: 'watch', place: 'solve', name: t('Watch'), title: t('Watch a player'), Body: Watch },
  { route: 'experiments', place: 'lab', name: t('Compare'), title: t('Compare players'), Body: Experiments },
  { route: 'training', place: 'lab', name: t('Training'), title: t('Training'), Body: Training },
  ...(engine
    ? []
    : [{ route: 'workers', place: 'lab', name: t('Workers'), title: t('Workers'), Body: Workers }]),
]

/** places are the views that have a tab. */
export const places = views.filter((v) => !v.place)

const Count = ({ n, says }: { n: number; says: string }) =>
  n > 0 ? (
    <span class="badge">
      {n}
      <span class="unseen"> {says}</span>
    </span>
  ) : null

/** Unplayed shows a 1 until the board of the day is begun. */
function Unplayed() {
  const days = useDays()
  return <Count n={days[useToday()] ? 0 : 1} says={t('due today@board')} />
}

function Due() {
  const redraw = useRedraw()
  const all = useDrills()
  useEffect(() => {
    const next = upcoming(all)
    if (next === null) return
    const t = setTimeout(redraw, Math.min(next - Date.now(), 3_600_000) + 100)
    return () => clearTimeout(t)
  })
  return <Count n={due(all).length} says={t('due today')} />
}
