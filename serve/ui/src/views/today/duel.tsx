// Duels: the board of the day, a new challenge, the duels that are kept, and one of them.

import { useEffect, useRef, useState } from 'preact/hooks'
import { listen } from '../../base/changes'
import { seed, whole } from '../../base/format'
import { go } from '../../base/route'
import { t } from '../../base/text'
import { complaint } from '../../engine/net'
import { Select, SizeField } from '../../parts/fields'
import { pageAddress, Share } from '../../parts/share'
import { Alert, Button, Card, DeleteButton, Dialog, Figure, Item, Note, reveal } from '../../parts/ui'
import {
  addressOf,
  begun,
  type Duel,
  dayMatch,
  duels,
  finished,
  forget,
  goalName,
  idOf,
  keep,
  kept,
  type Result,
  replayed,
} from '../../state/duels'
import { theGame } from '../../state/game'
import { dayText, nameOf, play, ShareDuel } from './duelgame'
import { OneDuel } from './duelresult'

/** DuelsView is a duel if the address has one: GOAL/SIZE/SEED, or the rest of a link. */
export function DuelsView({ parts }: { parts: string[] }) {
  const address = parts.join('/')
  const friend = address === 'friend'
  const [all, setAll] = useState<Duel[] | null>(null)
  const [trouble, setTrouble] = useState('')
  const challenge = useRef<HTMLDivElement>(null)
  const read = () => duels().then(setAll, (e: unknown) => setTrouble(complaint(e)))
  useEffect(() => {
    scrollTo(0, 0)
    if (!address || friend) read()
  }, [address])
  useEffect(() => {
    if (friend && all) reveal(challenge.current, true)
  }, [friend, all === null])
  if (address && !friend) return <OneDuel key={address} parts={parts} />
  return (
    <div class="sides">
      <div class="stack">
        <Today />
        <div ref={challenge}>
          <Challenge onMade={read} />
        </div>
      </div>
      <div class="stack">
        <Alert text={trouble} />
        <Kept all={all} onForget={(d) => forget(d).then(read)} />
      </div>
    </div>
  )
}

export { BothGames } from './beside'

/** DuelCard is shown beside the game of a duel in Play. */
export function DuelCard({ goal, size, largest }: { goal: number; size: string; largest: number }) {
  return (
    <Card title={t('Duel')}>
      <p>
        {size.replace('x', '\u00a0×\u00a0')}, <b>{goalName(goal)}</b>.{' '}
        {t('Each plays this board once, without undo and hints.')}
      </p>
      <Note
        kind="good"
        text={
          goal > 0 &&
          largest >= goal &&
          t('You made the {tile}. “Result” has the result.', { tile: String(goal) })
        }
      />
      <p class="dim">{t('It waits for you when you leave. “Result” has the link that sends your game.')}</p>
    </Card>
  )
}

/** useToday returns the date. It is a new one when the page is looked at on another day. */
function useToday(): Date {
  const [now, set] = useState(() => new Date())
  useEffect(() => {
    const look = () => set(new Date())
    const off = listen('focus', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      off()
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
  return now
}

function Today() {
  const now = useToday()
  const match = dayMatch(now)
  const [duel, setDuel] = useState<Duel | null>(null)
  const [result, setResult] = useState<Result | null>(null)
  const [trouble, setTrouble] = useState('')
  useEffect(() => {
    setDuel(null)
    setResult(null)
    kept(match)
      .then((d) => {
        const today = d ?? begun(match)
        setDuel(today)
        return today.mine && replayed(match, today.mine).then(setResult)
      })
      .catch((e: unknown) => setTrouble(complaint(e)))
  }, [match.seed])
  const done = result !== null && finished(result)
  return (
    <Card
      title={t('Today’s board')}
      side={
        <span class="dim" id="day">
          {dayText.format(now)}
        </span>
      }
    >
      {result ? (
        <dl class="figures" id="today">
          <Figure main name={done ? t('Your score') : t('Your score so far')} value={whole(result.score)} />
          <Figure name={t('Largest tile')} value={whole(result.largest)} />
          <Figure name={t('Moves')} value={whole(result.count)} />
        </dl>
      ) : (
        <p>
          {t(
            'One board a day, the same for everyone, 4 × 4, for the best score. Each plays it once, without undo and hints.',
          )}
        </p>
      )}
      <Alert text={trouble} />
      <div class="row fill">
        {done ? (
          <Button kind="main" icon="experiments" to={`play/duel/${idOf(match)}`} text={t('Result')} />
        ) : (
          <Button
            kind="main"
            icon="play"
            disabled={!duel}
            onClick={() => duel && play(duel)}
            text={result ? t('Play on') : t('Play it')}
          />
        )}
        {duel && <ShareDuel duel={duel} name={t('Share the board')} />}
      </div>
      <p class="dim">
        {t('It changes at midnight where you are. Nothing is sent anywhere: friends compare by links.')}
      </p>
    </Card>
  )
}

const goals = [0, ...Array.from({ length: 12 }, (_, i) => 2 ** (i + 4))]

function Challenge({ onMade }: { onMade: () => void }) {
  const [size, setSize] = useState(() => theGame().kept.size)
  const [goal, setGoal] = useState(0)
  const [trouble, setTrouble] = useState('')
  const make = () => {
    const d = begun({ size, seed: seed(), goal })
    keep(d).then(onMade, (e: unknown) =>
      setTrouble(t('The duel is not kept here, but its link is good: {why}', { why: complaint(e) })),
    )
    return pageAddress(`play/duel/${addressOf(d, [])}`)
  }
  return (
    <Card title={t('Challenge a friend')}>
      <div class="pair">
        <SizeField value={size} onChange={setSize} />
        <Select label={t('Goal')} value={goal} of={goals} name={goalName} onChange={setGoal} />
      </div>
      <div class="row fill">
        <Share
          kind="main"
          name={t('Make a link')}
          address={make}
          says={t(
            'It carries the board. Send it to a friend, who answers with a link. Your own game waits under “Your duels”.',
          )}
        />
      </div>
      <Alert text={trouble} />
      <p class="dim">
        {t(
          '“First to” a tile: the fewest moves win; if neither makes it, the score. A link shows whether its moves are legal, not who made them or how.',
        )}
      </p>
    </Card>
  )
}

const outcomes = { won: t('You won'), lost: t('Your friend won'), draw: t('A draw') }

function state(d: Duel): string {
  if (d.outcome) return outcomes[d.outcome]
  if (!d.mine) return d.others.length > 0 ? t('Your turn') : t('Not played yet')
  return d.others.length > 0 ? t('Not decided yet') : t('No answer yet')
}

function Kept({ all, onForget }: { all: Duel[] | null; onForget: (d: Duel) => void }) {
  const [asked, ask] = useState<Duel | null>(null)
  return (
    <Card title={t('Your duels')}>
      {!all ? (
        <Note text={t('Reading your duels…')} />
      ) : all.length === 0 ? (
        <p class="dim">{t('Duels that you begin or accept are kept here, in this browser only.')}</p>
      ) : (
        <ul class="list" id="duels">
          {all.map((d) => (
            <Item
              key={idOf(d)}
              onClick={() => go(`play/duel/${idOf(d)}`)}
              beside={<DeleteButton of={nameOf(d)} onClick={() => ask(d)} />}
            >
              <span>{nameOf(d)}</span>
              <span class={d.outcome === 'won' ? 'good' : 'dim'}>{state(d)}</span>
            </Item>
          ))}
        </ul>
      )}
      {asked && (
        <Dialog title={t('Delete this duel?')} onClose={() => ask(null)}>
          <p>
            {nameOf(asked)}. {t('A game of yours that waits in Play goes with it; what Games has stays.')}
          </p>
          <div class="row fill">
            <Button
              onClick={() => {
                onForget(asked)
                ask(null)
              }}
              text={t('Delete it')}
            />
            <Button kind="main" onClick={() => ask(null)} text={t('Keep it')} />
          </div>
        </Dialog>
      )}
    </Card>
  )
}
