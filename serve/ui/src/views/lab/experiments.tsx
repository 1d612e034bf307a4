import { useEffect, useRef, useState } from 'preact/hooks'
import { newSeed } from '../../base/boards'
import { has, useStored } from '../../base/store'
import { percent, t } from '../../base/text'
import { engine, link, useAttempt, usePoll } from '../../engine/net'
import { colours } from '../../parts/chart'
import { Field, Select, SizeField } from '../../parts/fields'
import { PlayerField } from '../../parts/player'
import { Alert, Button, Card, DeleteButton, Dialog, Item } from '../../parts/ui'
import { decides, Results, total } from './experimentresults'

interface Wanted {
  players: string // one per line
  size: string
  games: number
  decide?: boolean // play until a verdict
}
const usual: Wanted = { players: 'champion\nweighted-snake\ngreedy', size: '4x4', games: 20 }
const isWanted = (v: unknown) => has(v, { players: 'string', size: 'string', games: 'number' })

export function ExperimentsView() {
  const list = usePoll('list', () => link.ask('experiments.list', {}), 1500)
  const [chosen, choose] = useState({ name: '' })
  const [removing, setRemoving] = useState('') // name of the experiment that the visitor wants to remove
  const all = list.result?.experiments ?? []
  const info = all.find((x) => x.name === chosen.name) ?? all[0]
  const name = info?.name ?? ''
  // Poll an unfinished experiment too: another process may be running it.
  const every = info?.running ? 1000 : info && (decides(info) || info.finished < total(info)) ? 3000 : 60_000
  const going = all.find((x) => x.name === removing)
  const { trouble, attempt } = useAttempt()
  const removed = useRef(false)
  const remove = () => {
    setRemoving('')
    attempt(async () => {
      await link.ask('experiments.remove', { name: removing })
      removed.current = true
      list.now()
    }, 'experiments.remove: ')
  }
  useEffect(() => {
    // move the focus, because the pressed button is gone
    const next = document.querySelector<HTMLElement>('.slot button') ?? document.querySelector('main')
    if (removed.current) next?.focus({ preventScroll: true })
    removed.current = false
  }, [all.length])
  const shown = usePoll(name, () => link.ask('experiments.show', { name }), every)
  const results = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // If the results of the chosen experiment are below the lists, scroll to them once they are loaded.
    const { top = 0 } = results.current?.getBoundingClientRect() ?? {}
    if (shown.result?.name === chosen.name && top > innerHeight / 2) results.current?.scrollIntoView()
  }, [chosen, shown.result?.name])
  return (
    <div class="sides">
      <div class="stack">
        <Start
          startable={list.result?.can_start ?? false}
          onStart={(name) => {
            choose({ name })
            list.now()
          }}
        />
        {all.length > 0 && (
          <Card title={t('Experiments')}>
            <ul class="list">
              {all.map((x) => (
                <Item
                  key={x.name}
                  current={x === info}
                  onClick={() => choose({ name: x.name })}
                  beside={<DeleteButton of={x.name} onClick={() => setRemoving(x.name)} />}
                >
                  <span>{x.name}</span>
                  <span class="dim">
                    {x.running && !decides(x)
                      ? percent(x.finished / total(x))
                      : x.error
                        ? x.error.slice(0, 24)
                        : t('{n|one game|# games}', { n: x.finished })}
                  </span>
                </Item>
              ))}
            </ul>
          </Card>
        )}
        {!engine && <Button icon="engine" to="workers" text={t('Workers on other machines')} />}
      </div>
      <div class="stack results" ref={results}>
        <Alert text={trouble || list.trouble || shown.trouble} />
        {shown.result ? (
          <Results key={shown.result.name} x={shown.result} onChange={list.now} />
        ) : (
          <Card title={t('Which player is better?')}>
            <p class="dim">
              {t(
                'An experiment lets players play the same seeded games. It shows the mean score of each player with its 95 % interval, the tiles reached, and how each player does against the first one in the same games.',
              )}
            </p>
          </Card>
        )}
      </div>
      {going && (
        <Dialog text title={t('Delete {name}?', { name: removing })} onClose={() => setRemoving('')}>
          <p>
            {going.running && `${t('This experiment is running and will be stopped.')} `}
            {going.finished === 0
              ? t('This experiment has no finished games.')
              : t('{n|Its finished game|Its # finished games} will be lost.', { n: going.finished })}
          </p>
          <div class="row">
            <Button kind="main" onClick={remove} text={t('Delete it')} />
            <Button kind="plain" onClick={() => setRemoving('')} text={t('Keep it')} />
          </div>
        </Dialog>
      )}
    </div>
  )
}

function Start({ startable, onStart }: { startable: boolean; onStart: (name: string) => void }) {
  const [wanted, change] = useStored('experiment', usual, isWanted)
  const { trouble, attempt } = useAttempt()
  const players = wanted.players.split('\n')
  const decide = !engine && wanted.decide === true
  /** put replaces player i with others. */
  const put = (i: number, others: string[]) =>
    change({ ...wanted, players: [...players.slice(0, i), ...others, ...players.slice(i + 1)].join('\n') })
  const start = () =>
    attempt(async () => {
      const { name } = await link.insist('experiments.start', {
        players: players.filter(Boolean),
        size: wanted.size,
        games: decide ? 0 : wanted.games,
        seed: newSeed(),
      })
      onStart(name)
    }, 'experiments.start: ')
  return (
    <Card title={t('Compare players')}>
      {players.map((p, i) => (
        <div key={i} class="player">
          <PlayerField
            label={t('Player {n}', { n: i + 1 })}
            value={p}
            onChange={(q) => put(i, [q])}
            onLines={(qs) => put(i, qs)}
          />
          {players.length > 1 && (
            <DeleteButton text={t('Remove')} of={t('player {n}', { n: i + 1 })} onClick={() => put(i, [])} />
          )}
        </div>
      ))}
      <Button
        icon="add"
        onClick={() => put(players.length, ['greedy'])}
        disabled={players.length >= colours.length}
        text={t('Add a player')}
      />
      <div class="pair">
        <SizeField value={wanted.size} onChange={(size) => change({ ...wanted, size })} />
        {!engine && (
          <Select
            label={t('How long')}
            value={decide ? 'decide' : 'games'}
            of={['games', 'decide']}
            name={(ending) => (ending === 'decide' ? t('until the verdict is clear') : t('a fixed number'))}
            onChange={(ending) => change({ ...wanted, decide: ending === 'decide' })}
          />
        )}
        {!decide && (
          <Field label={t('Games per player')}>
            <input
              type="number"
              min={1}
              max={10000}
              value={wanted.games || ''}
              onInput={(e) => change({ ...wanted, games: Number(e.currentTarget.value) })}
            />
          </Field>
        )}
      </div>
      {decide && (
        <p class="dim">
          {t(
            'Two players play the same games until one of them is better with 95 % confidence. Three or more are ranked, and the pairs that are hardest to tell apart play the most games.',
          )}
        </p>
      )}
      <Alert text={trouble} />
      <Button
        kind="main"
        icon="start"
        disabled={!startable || (!decide && wanted.games < 1)}
        onClick={start}
        text={t('Start the experiment')}
      />
    </Card>
  )
}
