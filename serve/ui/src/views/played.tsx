// Your games: the games that were played on this page, what they say together, and a backup of all that the page stores.
import { useEffect, useState } from 'preact/hooks'
import { type Backup, backup, contents, readBackup, restore } from '../backup'
import { Chart } from '../chart'
import { dateLocale, fixed, share, whole } from '../format'
import { hashOf, opening } from '../game'
import { phaseNames } from '../judge'
import { judgeWhile, lacking } from '../judging'
import { complaint, link } from '../net'
import { offer } from '../offer'
import { forget, onPlayed, type PlayedGame, played, refusal, store } from '../played'
import { review } from '../reviewed'
import { go } from '../route'
import {
  accuracyOf,
  bests,
  enough,
  luckOf,
  moving,
  type PhaseSum,
  phaseSums,
  span,
  strength,
} from '../strength'
import { locale, rich, t, within } from '../text'
import type { GamePhase } from '../types'
import { Button, Card, Dialog, Field, Figure, FileButton, ruleName } from '../ui'
import { figure } from './accuracy'

const percent = (x: number | null) => (x === null ? '–' : share(x))
const points = (x: number | null) => (x === null ? '–' : whole(x))
const sizeText = (size: string) => size.replace('x', ' × ')

const day = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short' })
const dayOfYear = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short', year: 'numeric' })
const minute = new Intl.DateTimeFormat(dateLocale, {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})
const dateText = (when: number) =>
  (new Date(when).getFullYear() === new Date().getFullYear() ? day : dayOfYear).format(when)

/** usePlayed returns all played games, the newest first; null until they are read. */
function usePlayed(): PlayedGame[] | null {
  const [games, set] = useState<PlayedGame[] | null>(null)
  useEffect(() => {
    let wanted = 0
    const read = () => {
      const mine = ++wanted
      played().then((all) => mine === wanted && set(all))
    }
    read()
    store() // what had no room before
    return onPlayed(read)
  }, [])
  return games
}

export function PlayedView() {
  const games = usePlayed()
  const [size, setSize] = useState('')
  const [shown, setShown] = useState<PlayedGame | null>(null)
  useEffect(judgeWhile, [])
  if (!games)
    return (
      <p class="dim" role="status">
        {t('Reading your games…')}
      </p>
    )
  const sizes = bests(games)
  const chosen = sizes.find((s) => s.size === size) ?? sizes[0]
  const of = games.filter((g) => g.size === chosen?.size)
  return (
    <div class="sides mixed">
      <div class="stack">
        <StrengthCard games={games} />
        {sizes.length > 0 && (
          <Card title={t('Best of each size')}>
            <div class="scroll" tabIndex={0} role="region" aria-label={t('Best of each size')}>
              <table>
                <thead>
                  <tr>
                    <th scope="col">{t('Size')}</th>
                    <th scope="col" class="n">
                      {t('Games')}
                    </th>
                    <th scope="col" class="n">
                      {t('Best score')}
                    </th>
                    <th scope="col" class="n">
                      {t('Largest tile')}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {sizes.map((s) => (
                    <tr key={s.size}>
                      <th scope="row">
                        {sizes.length > 1 ? (
                          <Button kind="small" pressed={s === chosen} onClick={() => setSize(s.size)}>
                            {sizeText(s.size)}
                          </Button>
                        ) : (
                          sizeText(s.size)
                        )}
                      </th>
                      <td class="n">{whole(s.games)}</td>
                      <td class="n">
                        <b>{whole(s.score)}</b>
                      </td>
                      <td class="n">{s.largest > 0 ? whole(s.largest) : '–'}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </Card>
        )}
        <BackupCard games={games} />
      </div>
      <div class="stack">
        {chosen && of.length > 1 && (
          <Curves key={chosen.size} games={of} size={chosen.size} onShow={setShown} />
        )}
        {chosen && <Phases games={of} size={chosen.size} />}
        <List games={games} onShow={setShown} />
      </div>
      {shown && (
        <GameDialog game={games.find((g) => g.uid === shown.uid) ?? shown} onClose={() => setShown(null)} />
      )}
    </div>
  )
}

function StrengthCard({ games }: { games: PlayedGame[] }) {
  const s = strength(games)
  const left = lacking(games).length
  return (
    <Card title={t('Your strength')}>
      {'mean' in s ? (
        <>
          <dl class="figures">
            <Figure
              main
              name={t('Accuracy')}
              value={
                <>
                  <span id="strength">{figure(s.mean)}</span>{' '}
                  <span class="dim around">± {fixed(100 * s.around, 1)}</span>
                </>
              }
            />
          </dl>
          <p>
            {rich('You play like {player}, which has {share} and scores {n} on average.', {
              player: (
                <b class="mono" id="like">
                  {s.like.player}
                </b>
              ),
              share: t('{x} %', { x: s.like.accuracy.toLocaleString(locale) }),
              n: s.like.score,
            })}
          </p>
          <p class="dim">
            {t(
              'Mean of your last {n} finished games on 4 × 4 with random new tiles, and its 95 % interval.',
              { n: s.games },
            )}
          </p>
        </>
      ) : (
        <p class="dim">
          {t(
            'Finish {n|one more game|# games} on 4 × 4 with random new tiles. Their accuracy shows which player you play like.',
            { n: enough - s.games },
          )}
        </p>
      )}
      {left > 0 && (
        <p class="dim" role="status" id="left">
          {t('{n|One game is|# games are} still to be judged, one after the other.', { n: left })}
        </p>
      )}
    </Card>
  )
}

/** Curves draws the games of a size in the order in which they were played. */
function Curves({
  games,
  size,
  onShow,
}: {
  games: PlayedGame[]
  size: string
  onShow: (g: PlayedGame) => void
}) {
  const [picked, pick] = useState<number | null>(null)
  const line = [...games].reverse()
  const at = Math.min(picked ?? line.length - 1, line.length - 1)
  const g = line[at]
  const x = line.map((_, i) => i + 1)
  const scores = line.map((g) => g.score)
  const accuracies = line.map(accuracyOf)
  const lucks = line.map(luckOf)
  const [meanScores, meanAccuracies] = [moving(scores), moving(accuracies)]
  const curves = (values: (number | null)[], means: (number | null)[]) => [
    { label: t('game'), values, colour: '--dim', thin: true },
    { label: t('mean of {n}', { n: span }), values: means, colour: '--accent' },
  ]
  const judged = accuracies.some((a) => a !== null)
  return (
    <Card title={t('Your curves on {size}', { size: sizeText(size) })}>
      <h3 class="dim">{t('Score')}</h3>
      <Chart
        x={x}
        xLabel={t('game')}
        at={at + 1}
        onPick={pick}
        zero
        height={180}
        curves={curves(scores, meanScores)}
        label={t('Score of {n} games, and the mean of the last {span}; now {value}', {
          n: line.length,
          span,
          value: points(meanScores.at(-1) ?? null),
        })}
      />
      {judged && (
        <>
          <h3 class="dim">{t('Accuracy')}</h3>
          <Chart
            x={x}
            xLabel={t('game')}
            at={at + 1}
            onPick={pick}
            share
            joined
            height={180}
            curves={curves(accuracies, meanAccuracies)}
            label={t('Accuracy of {n} games, and the mean of the last {span}; now {value}', {
              n: line.length,
              span,
              value: figure(meanAccuracies.at(-1) ?? null),
            })}
          />
        </>
      )}
      {lucks.some((l) => l !== null) && (
        <>
          <h3 class="dim">{t('Luckier than this share of games')}</h3>
          <Chart
            x={x}
            xLabel={t('game')}
            at={at + 1}
            onPick={pick}
            share
            joined
            zero
            height={150}
            curves={curves(lucks, moving(lucks))}
            label={t('Share of games with less luck, for {n} games; the mean of the last {span} is {value}', {
              n: line.length,
              span,
              value: percent(moving(lucks).at(-1) ?? null),
            })}
          />
        </>
      )}
      <Field label={t('Game')}>
        <input
          type="range"
          min={1}
          max={line.length}
          value={at + 1}
          aria-valuetext={t('{n} of {all}', { n: at + 1, all: line.length })}
          onInput={(e) => pick(Number(e.currentTarget.value) - 1)}
        />
      </Field>
      {g && (
        <div class="spread">
          <p id="picked">
            {t('Game {n}, {date}: {points} points (mean {mean}), accuracy {share} (mean {usual})', {
              n: at + 1,
              date: dateText(g.when),
              points: g.score,
              mean: points(meanScores[at] ?? null),
              share: figure(accuracies[at] ?? null),
              usual: figure(meanAccuracies[at] ?? null),
            })}
            {lucks[at] != null && `, ${t('luckier than {share} of games', { share: percent(lucks[at]) })}`}
          </p>
          <Button kind="small" onClick={() => onShow(g)}>
            {t('Open')}
          </Button>
        </div>
      )}
    </Card>
  )
}

/** Phases says in which part of the games most is given away. */
function Phases({ games, size }: { games: PlayedGame[]; size: string }) {
  const sums = phaseSums(games, Object.keys(phaseNames) as GamePhase[])
  if (sums.length === 0) return null
  const most = sums.reduce((a, b) => (b.loss > a.loss ? b : a))
  const often = (p: PhaseSum) => fixed((1000 * p.mistakes) / p.moves, 0)
  return (
    <Card title={t('What you give away on {size}', { size: sizeText(size) })}>
      {sums.length > 1 && (
        <p>
          {rich(
            'Most *{phase}*: {share} of the expected score with each move, and {n} mistakes or blunders in {moves} moves.',
            {
              phase: within(phaseNames[most.phase]),
              share: share(most.loss, 2),
              n: often(most),
              moves: 1000,
            },
          )}
        </p>
      )}
      <div class="scroll" tabIndex={0} role="region" aria-label={t('Loss by phase')}>
        <table id="phases">
          <thead>
            <tr>
              <th scope="col">{t('Phase')}</th>
              <th scope="col" class="n">
                {t('Games')}
              </th>
              <th scope="col" class="n">
                {t('Moves')}
              </th>
              <th scope="col" class="n">
                {t('Loss a move')}
              </th>
              <th scope="col" class="n">
                {t('Accuracy')}
              </th>
              <th scope="col" class="n">
                {t('Mistakes in 1,000')}
              </th>
            </tr>
          </thead>
          <tbody>
            {sums.map((p) => (
              <tr key={p.phase}>
                <th scope="row">{phaseNames[p.phase]}</th>
                <td class="n">{whole(p.games)}</td>
                <td class="n">{whole(p.moves)}</td>
                <td class="n">{share(p.loss, 2)}</td>
                <td class="n">{figure(p.accuracy)}</td>
                <td class="n">{often(p)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}

const page = 15 // games that are listed at once

function List({ games, onShow }: { games: PlayedGame[]; onShow: (g: PlayedGame) => void }) {
  const [most, setMost] = useState(page)
  return (
    <Card title={t('Games')} side={<span class="dim">{whole(games.length)}</span>}>
      {games.length === 0 ? (
        <p class="dim">
          {t(
            'Every game that you play on this page is kept here, with its score, accuracy and moves, in this browser only.',
          )}
        </p>
      ) : (
        <>
          <div class="scroll" tabIndex={0} role="region" aria-label={t('Games')}>
            <table id="games">
              <thead>
                <tr>
                  <th scope="col">{t('Played')}</th>
                  <th scope="col">{t('Size')}</th>
                  <th scope="col" class="n">
                    {t('Score')}
                  </th>
                  <th scope="col" class="n">
                    {t('Largest')}
                  </th>
                  <th scope="col" class="n">
                    {t('Accuracy')}
                  </th>
                  <th scope="col" class="n" title={t('About the share of games with less luck')}>
                    {t('Luckier than')}
                  </th>
                </tr>
              </thead>
              <tbody>
                {games.slice(0, most).map((g) => (
                  <tr key={g.uid}>
                    <th scope="row">
                      <Button kind="small" onClick={() => onShow(g)}>
                        {dateText(g.when)}
                        <span class="unseen">, {t('{n} points', { n: g.score })}</span>
                      </Button>
                    </th>
                    <td>{sizeText(g.size)}</td>
                    <td class="n">
                      <b>{whole(g.score)}</b>
                    </td>
                    <td class="n">{g.largest > 0 ? whole(g.largest) : '–'}</td>
                    <td class="n">{figure(accuracyOf(g))}</td>
                    <td class="n">{percent(luckOf(g))}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {games.length > most && <Button onClick={() => setMost(most + 5 * page)}>{t('Show more')}</Button>}
        </>
      )}
    </Card>
  )
}

function GameDialog({ game: g, onClose }: { game: PlayedGame; onClose: () => void }) {
  const [deleting, setDeleting] = useState(false)
  const [trouble, setTrouble] = useState('')
  const told = (e: unknown) => setTrouble(complaint(e, 'game.replay: '))
  const bad = g.review && g.review.game.classes.mistake + g.review.game.classes.blunder
  return (
    <Dialog title={minute.format(g.when)} onClose={onClose}>
      <p class="dim">
        {sizeText(g.size)}
        {g.spawn !== 'random' && `, ${t('new tiles {rule}', { rule: ruleName(g.spawn) })}`}
        {g.start !== undefined && `, ${t('from a board that you chose')}`}, {t('{n} moves', { n: g.count })}
        {!g.over && `, ${t('not finished')}`}
      </p>
      <dl class="figures">
        <Figure main name={t('Score')} value={whole(g.score)} />
        <Figure name={t('Largest tile')} value={g.largest > 0 ? whole(g.largest) : '–'} />
        <Figure name={t('Accuracy')} value={figure(accuracyOf(g))} />
        <Figure name={t('Mistakes')} value={bad === null ? '–' : whole(bad)} />
        <Figure name={t('Luckier than')} value={percent(luckOf(g))} />
      </dl>
      {trouble && (
        <p class="bad" role="alert">
          {trouble}
        </p>
      )}
      {deleting ? (
        <>
          <p>{t('Delete this game for good?')}</p>
          <div class="row fill">
            <Button onClick={() => forget(g.uid).then(onClose, told)}>{t('Delete it')}</Button>
            <Button kind="main" onClick={() => setDeleting(false)}>
              {t('Keep it')}
            </Button>
          </div>
        </>
      ) : (
        <div class="row fill">
          <Button
            kind="main"
            onClick={() => link.insist('game.replay', opening(g)).then((r) => review(r.record, g.over), told)}
          >
            {t('Review')}
          </Button>
          <Button onClick={() => go(`play/${hashOf(g, 0)}`)}>{t('Replay')}</Button>
          <Button kind="plain" onClick={() => setDeleting(true)}>
            {t('Delete')}
          </Button>
        </div>
      )}
    </Dialog>
  )
}

function BackupCard({ games }: { games: PlayedGame[] }) {
  const [found, setFound] = useState<Backup | null>(null)
  const [settings, setSettings] = useState(false)
  const [done, setDone] = useState<string[] | null>(null)
  const [trouble, setTrouble] = useState('')
  const [lasting, setLasting] = useState<boolean | null>(null) // null: the browser does not say
  useEffect(() => {
    navigator.storage?.persisted?.().then(setLasting, () => {})
  }, [])
  const write = async () =>
    offer(`afterstate-${new Date().toISOString().slice(0, 10)}.json`, 'application/json', await backup())
  const told = (e: unknown) => {
    setFound(null)
    setTrouble(
      e instanceof Error && e.name === 'QuotaExceededError'
        ? t('This browser has no room for what the backup holds. Nothing was changed.')
        : complaint(e),
    )
  }
  return (
    <Card title={t('Backup')} class="last">
      <p class="dim">
        {t(
          'A backup is one file with everything that this page stores: games, saved games, drills, experiments and settings. Restore it here or in another browser.',
        )}
      </p>
      {refusal && (
        <p class="bad" role="alert">
          {refusal}{' '}
          {t(
            'Nothing is lost yet: the games that found no room wait in another place. Write a backup, then delete games or experiments, or free space on this device.',
          )}
        </p>
      )}
      {trouble && (
        <p class="bad" role="alert">
          {trouble}
        </p>
      )}
      <div class="row fill">
        <Button kind={refusal ? 'main' : ''} icon="save" onClick={() => write().catch(told)}>
          {t('Write a backup')}
        </Button>
        <FileButton
          name={t('Backup in a file')}
          icon="open"
          accept=".json,application/json"
          onFile={(f) => {
            setTrouble('')
            setSettings(games.length === 0)
            f.text()
              .then((text) => setFound(readBackup(text)))
              .catch(told)
          }}
        >
          {t('Restore')}
        </FileButton>
      </div>
      {lasting === false && (
        <div class="offer">
          <p>{t('When this device runs out of space, the browser may delete what the page stores.')}</p>
          <Button
            kind="small"
            onClick={() =>
              navigator.storage.persist().then((yes) => {
                setLasting(yes)
                if (!yes)
                  setTrouble(
                    t(
                      'The browser does not promise it. It may do so once you have used the page more often.',
                    ),
                  )
              }, told)
            }
          >
            {t('Ask it not to')}
          </Button>
        </div>
      )}
      {found && (
        <Dialog
          title={done ? t('Restored') : t('Restore this backup?')}
          onClose={() => (done ? location.reload() : setFound(null))}
        >
          {done ? (
            <div role="status">
              {done.map((d) => (
                <p key={d}>{d}</p>
              ))}
              {done.length === 0 && <p>{t('Everything of it is here already.')}</p>}
            </div>
          ) : (
            <>
              <p>
                {t('Of {date}: {contents}.', {
                  date: minute.format(new Date(found.written)),
                  contents: contents(found),
                })}
              </p>
              <p class="dim">{t('It is added to what is here. Nothing here is removed.')}</p>
              <label class="switch">
                <input
                  type="checkbox"
                  checked={settings}
                  onChange={(e) => setSettings(e.currentTarget.checked)}
                />
                <span>{t('Take its settings too')}</span>
              </label>
            </>
          )}
          <div class="row fill">
            {done ? (
              <Button kind="main" onClick={() => location.reload()}>
                {t('Done')}
              </Button>
            ) : (
              <>
                <Button kind="main" onClick={() => restore(found, settings).then(setDone, told)}>
                  {t('Restore')}
                </Button>
                <Button kind="plain" onClick={() => setFound(null)}>
                  {t('Cancel')}
                </Button>
              </>
            )}
          </div>
        </Dialog>
      )}
    </Card>
  )
}
