// Duels: a new challenge, the duels that are kept, the game of one, and its result.

import { useEffect, useRef, useState } from 'preact/hooks'
import { seed } from '../../base/format'
import { go } from '../../base/route'
import { t } from '../../base/text'
import { complaint } from '../../engine/net'
import { shape } from '../../parts/board'
import { Select, SizeField } from '../../parts/fields'
import { pageAddress, Share } from '../../parts/share'
import { Alert, Button, Card, DeleteButton, Dialog, Item, Note, reveal } from '../../parts/ui'
import {
  addressOf,
  begun,
  type Duel,
  duels,
  forget,
  goalName,
  idOf,
  keep,
  kept,
  matchOf,
  playedOf,
} from '../../state/duels'
import { theGame } from '../../state/game'
import { nameOf } from './duelgame'
import { OneDuel } from './duelresult'
import { MatchGame } from './matchgame'

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
      <div ref={challenge}>
        <Challenge onMade={read} />
      </div>
      <div class="stack">
        <Alert text={trouble} />
        <Kept all={all} onForget={(d) => forget(d).then(read)} />
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
  const [duel, setDuel] = useState<Duel | null>(null)
  const [trouble, setTrouble] = useState('')
  const [largest, setLargest] = useState(0)
  useEffect(() => {
    const open = async () => {
      const match = matchOf(goal, size, seed)
      setDuel(await keep((await kept(match)) ?? begun(match)))
    }
    open().catch((e: unknown) => setTrouble(complaint(e)))
  }, [])
  const result = duel && (
    <Button kind="main" icon="experiments" to={`today/duel/${idOf(duel)}`} text={t('Result')} />
  )
  return (
    <div class="arena">
      <div class="boardside" style={shape(size ?? '4x4')}>
        <Alert text={trouble} />
        {duel && (
          <MatchGame
            kept={playedOf(duel)}
            ended={result}
            actions={result}
            onChange={(_, s) => setLargest(Math.max(...s.board.flat()))}
          />
        )}
      </div>
      {duel && (
        <Card title={t('Duel')}>
          <p>
            {duel.size.replace('x', '\u00a0×\u00a0')}, <b>{goalName(duel.goal)}</b>.{' '}
            {t('Each plays this board once, without undo and hints.')}
          </p>
          <Note
            kind="good"
            text={
              duel.goal > 0 &&
              largest >= duel.goal &&
              t('You made the {tile}. “Result” has the result.', { tile: String(duel.goal) })
            }
          />
          <p class="dim">
            {t('It waits for you when you leave. “Result” has the link that sends your game.')}
          </p>
        </Card>
      )}
    </div>
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
              onClick={() => go(`today/duel/${idOf(d)}`)}
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
