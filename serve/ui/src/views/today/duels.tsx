// Duels: a new challenge, the stored duels, the game of a duel, and its result.
import { useEffect, useRef, useState } from 'preact/hooks'
import { newSeed } from '../../base/boards'
import { go } from '../../base/route'
import { sizeText, t } from '../../base/text'
import { complaint, useLoaded } from '../../engine/net'
import { shape } from '../../parts/board'
import { Select, SizeField } from '../../parts/fields'
import { pageAddress, Share } from '../../parts/share'
import { Alert, Button, Card, DeleteButton, Dialog, Item, Note, reveal } from '../../parts/ui'
import type { Duel } from '../../state/duels'
import {
  addressOf,
  begun,
  duels,
  forget,
  goalName,
  idOf,
  keep,
  keptOrBegun,
  matchOf,
  playedOf,
} from '../../state/duels'
import { theGame } from '../../state/game'
import { dateOfMatch } from '../../state/today'
import { MatchGame } from '../play/gameboard'
import { nameOf, OneDuel } from './duelresult'

/** DuelsView shows the duel in the address, if there is one: GOAL/SIZE/SEED, or the rest of a link. */
export function DuelsView({ parts }: { parts: string[] }) {
  const address = parts.join('/')
  const friend = address === 'friend'
  return address && !friend ? <OneDuel key={address} parts={parts} /> : <AllDuels friend={friend} />
}

/** AllDuels shows the stored duels, and a new one, which comes first if friend is set. */
function AllDuels({ friend }: { friend: boolean }) {
  const { found, trouble, again } = useLoaded(duels)
  const challenge = useRef<HTMLDivElement>(null)
  useEffect(() => scrollTo(0, 0), [])
  useEffect(() => {
    if (friend && found) reveal(challenge.current, true)
  }, [friend, found === null])
  return (
    <div class="sides">
      <div ref={challenge}>
        <Challenge onMade={again} />
      </div>
      <div class="stack">
        <Alert text={trouble} />
        <Kept
          all={found?.filter((d) => d.others.length > 0 || !dateOfMatch(d)) ?? null}
          onForget={(d) => forget(d).then(again)}
        />
        <div class="row">
          <Button icon="back" to="today" text={t('Today’s board')} />
        </div>
      </div>
    </div>
  )
}

/** DuelGame is the board of a duel: GOAL/SIZE/SEED/play. */
export function DuelGame({ parts }: { parts: string[] }) {
  const [goal, size, seed] = parts
  const { found: duel, trouble } = useLoaded(async () => keep(await keptOrBegun(matchOf(goal, size, seed))))
  const [largest, setLargest] = useState(0)
  if (!duel) return <Alert text={trouble} />
  const result = <Button kind="main" icon="experiments" to={`today/duel/${idOf(duel)}`} text={t('Result')} />
  return (
    <div class="arena">
      <div class="boardside" style={shape(duel.size)}>
        <MatchGame
          kept={playedOf(duel)}
          ended={result}
          actions={result}
          onChange={(_, s) => setLargest(Math.max(...s.board.flat()))}
        />
      </div>
      <Card title={t('Duel')}>
        <p>
          {sizeText(duel.size)}, <b>{goalName(duel.goal)}</b>.{' '}
          {t('Each player plays this board once, without undo or hints.')}
        </p>
        {duel.goal > 0 && largest >= duel.goal && (
          <Note
            kind="good"
            text={t('You made the {tile}. “Result” shows who is ahead.', { tile: String(duel.goal) })}
          />
        )}
        <p class="dim">{t('This duel is kept if you leave. “Result” has the link that sends your game.')}</p>
      </Card>
    </div>
  )
}

const goals = [0, ...Array.from({ length: 12 }, (_, i) => 2 ** (i + 4))]

function Challenge({ onMade }: { onMade: () => void }) {
  const [size, setSize] = useState(() => theGame().kept.size)
  const [goal, setGoal] = useState(0)
  const [trouble, setTrouble] = useState('')
  const make = () => {
    const d = begun({ size, seed: newSeed(), goal })
    keep(d).then(onMade, (e: unknown) =>
      setTrouble(t('The link works, but the duel could not be stored here: {why}', { why: complaint(e) })),
    )
    return pageAddress(`today/duel/${addressOf(d, [])}`)
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
            'The link contains the board. Send it to a friend, who answers with a link. Your own game is under “Your duels”.',
          )}
        />
      </div>
      <Alert text={trouble} />
      <p class="dim">
        {t(
          '“First to” a tile: whoever needs fewer moves wins; if neither makes it, the higher score wins. The page replays the moves of a link. This proves that they are legal, but not who made them or how.',
        )}
      </p>
    </Card>
  )
}

const outcomes = { won: t('You won'), lost: t('Your friend won'), draw: t('A draw') }

function state({ outcome, mine, others }: Duel): string {
  if (outcome) return outcomes[outcome]
  if (others.length === 0) return mine ? t('No answer yet') : t('Not played yet')
  return mine ? t('Not decided yet') : t('Your turn')
}

function Kept({ all, onForget }: { all: Duel[] | null; onForget: (d: Duel) => void }) {
  const [deleting, setDeleting] = useState<Duel | null>(null)
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
              onClick={() => go(`today/duel/${idOf(d)}`)}
              beside={<DeleteButton of={nameOf(d)} onClick={() => setDeleting(d)} />}
            >
              <span>{nameOf(d)}</span>
              <span class={d.outcome === 'won' ? 'good' : 'dim'}>{state(d)}</span>
            </Item>
          ))}
        </ul>
      )}
      {deleting && (
        <Dialog title={t('Delete this duel?')} onClose={() => setDeleting(null)}>
          <p>
            {nameOf(deleting)}.{' '}
            {t('Your unfinished game of this duel in Play is deleted too; the games in Games stay.')}
          </p>
          <div class="row fill">
            <Button
              onClick={() => {
                onForget(deleting)
                setDeleting(null)
              }}
              text={t('Delete it')}
            />
            <Button kind="main" onClick={() => setDeleting(null)} text={t('Keep it')} />
          </div>
        </Dialog>
      )}
    </Card>
  )
}
