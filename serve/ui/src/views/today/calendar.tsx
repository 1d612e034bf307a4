// The days of a month, each with the largest tile that was made on it.
import { useState } from 'preact/hooks'
import { dateLocale, exponent, whole } from '../../base/format'
import { go } from '../../base/route'
import { t } from '../../base/text'
import { Button, Card, Figure } from '../../parts/ui'
import { addDays, type Days, dateText, isDate, place, streak } from '../../state/today'

const month = new Intl.DateTimeFormat(dateLocale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
const weekday = new Intl.DateTimeFormat(dateLocale, { weekday: 'narrow', timeZone: 'UTC' })
const monday = '2026-01-05'

/** weekdayOf returns 0 for Monday to 6 for Sunday. */
const weekdayOf = (date: string) => (new Date(date).getUTCDay() + 6) % 7

/** monthAfter returns the first date of the month that is some months after that of a date. */
function monthAfter(date: string, months: number): string {
  const d = new Date(date)
  return new Date(Date.UTC(d.getUTCFullYear(), d.getUTCMonth() + months, 1)).toISOString().slice(0, 10)
}

/** Calendar shows the month of a date, and what the visitor made on its days. */
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
          {turn('back', t('Month before'), before, !isDate(before))}
          {turn('step', t('Month after'), after, after > today)}
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
