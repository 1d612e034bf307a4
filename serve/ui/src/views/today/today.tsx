// The board of the day, and duels.
import { useState } from 'preact/hooks'
import { exponent } from '../../base/boards'
import { go } from '../../base/route'
import { dateLocale, t, whole } from '../../base/text'
import { useLoaded } from '../../engine/net'
import { shape } from '../../parts/board'
import { pageAddress, Share, shareable } from '../../parts/share'
import { Alert, Button, Card, Figure, Note } from '../../parts/ui'
import { due, useDrills } from '../../state/drills'
import { begun, keep, keptOrBegun, playedOf } from '../../state/duels'
import type { Kept } from '../../state/kept'
import type { Day, Days } from '../../state/today'
import {
  addDays,
  count,
  dateText,
  isDate,
  matchOf,
  numberOf,
  place,
  resultText,
  streak,
  useDays,
  useToday,
} from '../../state/today'
import type { GameState } from '../../types'
import { MatchGame } from '../play/gameboard'
import { BothGames } from './beside'
import { DuelGame, DuelsView } from './duels'

/** TodayView shows a duel, two games beside each other, the board of another date, or that of today. */
export function TodayView({ parts }: { parts: string[] }) {
  const today = useToday()
  const [first = '', ...rest] = parts
  if (first === 'duel' && rest[3] === 'play') return <DuelGame parts={rest} />
  if (first === 'duel') return <DuelsView parts={rest} />
  if (first === 'beside') return <BothGames parts={rest} />
  const date = isDate(first) ? first : today
  return (
    <>
      {first && !isDate(first) && <Alert text={t('This address names no day. Here is today’s board.')} />}
      <DayView key={date} date={date} today={today} />
    </>
  )
}

function DayView({ date, today }: { date: string; today: string }) {
  const match = matchOf(date)
  const { found, trouble } = useLoaded(() => keptOrBegun(match))
  const duel = found ?? (trouble ? begun(match) : null)
  const days = useDays()
  const drillsDue = due(useDrills()).length
  const played = (k: Kept, s: GameState) => {
    const { uid, moves, count: n } = k
    count(date, { uid, score: s.score, largest: Math.max(...s.board.flat()), moves: n, over: s.over })
    if (s.over && duel) keep({ ...duel, mine: { moves, count: n } }).catch(() => {})
  }
  const best = Math.max(0, ...Object.values(days).map((d) => d.score))
  const buttons = (
    <>
      {days[date] && <ShareResult date={date} day={days[date]} />}
      {date !== today && <Button to="today" text={t('Today’s board')} />}
    </>
  )
  return (
    <div class="arena">
      <div class="boardside today" style={shape('4x4')}>
        <header>
          <h2>{t('Board {n}', { n: String(numberOf(date)) })}</h2>
          <span class="dim" id="day">
            {dateText(date)}
          </span>
        </header>
        {date > today ? (
          <>
            <p>{t('This board opens on {date}.', { date: dateText(date) })}</p>
            <div class="row">{buttons}</div>
          </>
        ) : (
          duel && (
            <MatchGame
              kept={playedOf(duel)}
              best={best}
              ended={buttons}
              actions={buttons}
              onChange={played}
            />
          )
        )}
        <p class="dim">{noteOn(date, today, days[date])}</p>
        <Note kind="bad" text={trouble} />
      </div>
      <div class="stack">
        {drillsDue > 0 && (
          <Card title={t('Due today')}>
            <div class="row fill">
              <Button
                icon="learn"
                to="learn/mistakes"
                text={t('Practise {n} {n|mistake|mistakes}', { n: drillsDue })}
              />
            </div>
          </Card>
        )}
        <Calendar date={date} today={today} days={days} />
        <Card title={t('Duels')}>
          <p class="dim">
            {t(
              'Play the same board as a friend. The links you exchange contain only the board and your games.',
            )}
          </p>
          <div class="row fill">
            <Button icon="add" to="today/duel/friend" text={t('Challenge a friend')} />
            <Button to="today/duel" text={t('Your duels')} />
          </div>
        </Card>
      </div>
    </div>
  )
}

/** noteOn says whether a game of a date counts. */
function noteOn(date: string, today: string, day: Day | undefined): string {
  if (day)
    return day.over
      ? ''
      : t('This is your game of the day so far. It counts as it is now, and you can continue it.')
  if (date === today) return t('One game a day, the same tiles for everyone. Your first move begins it.')
  return date < today ? t('This is the board of a past day: the game does not count.') : ''
}

/** ShareResult copies the result of a day. If others cannot open this page, the result has only the link's fragment. */
function ShareResult({ date, day }: { date: string; day: Day }) {
  const part = `#today/${date}`
  const link = shareable() ? pageAddress(part.slice(1)) : part
  return (
    <Share
      kind="main"
      name={t('Share result')}
      address={() => resultText(date, day, link)}
      says={
        link === part
          ? t('To open the board, append {part} to the address of any copy of this page.', { part })
          : t('The link in this text opens the same board.')
      }
    />
  )
}

const month = new Intl.DateTimeFormat(dateLocale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
const weekday = new Intl.DateTimeFormat(dateLocale, { weekday: 'narrow', timeZone: 'UTC' })
const monday = '2026-01-05'

/** weekdayOf returns 0 for Monday to 6 for Sunday. */
const weekdayOf = (date: string) => (new Date(date).getUTCDay() + 6) % 7

/** monthAfter returns the first day of the month that is some months after the month of a date. */
function monthAfter(date: string, months: number): string {
  const d = new Date(date)
  return new Date(Date.UTC(d.getUTCFullYear(), d.getUTCMonth() + months, 1)).toISOString().slice(0, 10)
}

/** Calendar shows the month of a date, and the visitor's results on its days. */
export function Calendar({ date, today, days }: { date: string; today: string; days: Days }) {
  const [from, setFrom] = useState(() => monthAfter(date, 0))
  const [before, after] = [monthAfter(from, -1), monthAfter(from, 1)]
  const turn = (icon: string, label: string, to: string, disabled: boolean) => (
    <Button kind="plain" icon={icon} label={label} disabled={disabled} onClick={() => setFrom(to)} />
  )
  const all: string[] = []
  for (let d = from; d < after; d = addDays(d, 1)) all.push(d)
  const played = days[date]
  return (
    <Card
      title={month.format(new Date(from))}
      side={
        <div class="row">
          {turn('back', t('Previous month'), before, !isDate(before))}
          {turn('step', t('Next month'), after, after > today)}
        </div>
      }
    >
      <div class="calendar" role="group" aria-label={t('Calendar')}>
        {Array.from({ length: 7 }, (_, i) => (
          <span key={`w${i}`} class="dim" aria-hidden="true">
            {weekday.format(new Date(addDays(monday, i)))}
          </span>
        ))}
        {all.map((d, i) => (
          <button
            key={d}
            type="button"
            style={i === 0 ? { gridColumnStart: weekdayOf(d) + 1 } : undefined}
            data-e={days[d] ? Math.min(exponent(days[d].largest), 18) : undefined}
            data-today={d === today ? '' : undefined}
            aria-current={d === date ? 'date' : undefined}
            aria-label={
              days[d]
                ? t('{date}: {score} points', { date: dateText(d), score: whole(days[d].score) })
                : t('{date}: not played', { date: dateText(d) })
            }
            disabled={d > today || !isDate(d)}
            onClick={() => go(d === today ? 'today' : `today/${d}`)}
          >
            <u>{i + 1}</u>
          </button>
        ))}
      </div>
      <dl class="figures">
        <Figure name={t('Streak')} id="streak" value={t('{n} {n|day|days}', { n: streak(days, today) })} />
        <Figure name={t('Days played')} id="played" value={Object.keys(days).length} />
        {played && (
          <Figure
            name={t('Place')}
            id="place"
            value={t('{n} of {all}', { n: place(days, date), all: Object.keys(days).length })}
          />
        )}
      </dl>
    </Card>
  )
}
