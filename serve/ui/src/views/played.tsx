// Your games: the games that were played on this page, what they say together, and a backup of all that the page stores.
import { useEffect, useState } from 'preact/hooks'
import { backup, contents, readBackup, restore, type Backup } from '../backup'
import { Chart } from '../chart'
import { whole } from '../format'
import { hashOf, opening } from '../game'
import { phaseNames } from '../judge'
import { judgeWhile, lacking } from '../judging'
import { complaint, link } from '../net'
import { forget, onPlayed, played, refusal, store, type PlayedGame } from '../played'
import { review } from '../reviewed'
import { go } from '../route'
import { accuracyOf, bests, enough, luckOf, moving, phaseSums, span, strength, type PhaseSum } from '../strength'
import type { GamePhase } from '../types'
import { Button, Card, Dialog, Field, Figure, FileButton, offer, ruleName } from '../ui'
import { figure } from './accuracy'

const percent = (x: number | null) => (x === null ? '–' : `${Math.round(100 * x)} %`)
const points = (x: number | null) => (x === null ? '–' : whole(x))
const sizeText = (size: string) => size.replace('x', ' × ')

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const minute = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' })
const dateText = (when: number) => (new Date(when).getFullYear() === new Date().getFullYear() ? day : dayOfYear).format(when)

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
  if (!games) return <p class="dim" role="status">Reading your games…</p>
  const sizes = bests(games)
  const chosen = sizes.find((s) => s.size === size) ?? sizes[0]
  const of = games.filter((g) => g.size === chosen?.size)
  return (
    <div class="sides mixed">
      <div class="stack">
        <StrengthCard games={games} />
        {sizes.length > 0 && (
          <Card title="Best of each size">
            <div class="scroll" tabIndex={0} role="region" aria-label="Best of each size">
              <table>
                <thead><tr><th scope="col">Size</th><th scope="col" class="n">Games</th><th scope="col" class="n">Best score</th><th scope="col" class="n">Largest tile</th></tr></thead>
                <tbody>{sizes.map((s) => (
                  <tr key={s.size}>
                    <th scope="row">{sizes.length > 1 ? <Button kind="small" pressed={s === chosen} onClick={() => setSize(s.size)}>{sizeText(s.size)}</Button> : sizeText(s.size)}</th>
                    <td class="n">{whole(s.games)}</td><td class="n"><b>{whole(s.score)}</b></td><td class="n">{s.largest > 0 ? whole(s.largest) : '–'}</td>
                  </tr>
                ))}</tbody>
              </table>
            </div>
          </Card>
        )}
        <BackupCard games={games} />
      </div>
      <div class="stack">
        {chosen && of.length > 1 && <Curves key={chosen.size} games={of} size={chosen.size} onShow={setShown} />}
        {chosen && <Phases games={of} size={chosen.size} />}
        <List games={games} onShow={setShown} />
      </div>
      {shown && <GameDialog game={games.find((g) => g.uid === shown.uid) ?? shown} onClose={() => setShown(null)} />}
    </div>
  )
}

function StrengthCard({ games }: { games: PlayedGame[] }) {
  const s = strength(games)
  const left = lacking(games).length
  return (
    <Card title="Your strength">
      {'mean' in s ? (
        <>
          <dl class="figures"><Figure main name="Accuracy" value={<><span id="strength">{figure(s.mean)}</span> <span class="dim around">± {(100 * s.around).toFixed(1)}</span></>} /></dl>
          <p>You play like <b class="mono" id="like">{s.like.player}</b>, which has {s.like.accuracy} % and scores {whole(s.like.score)} on average.</p>
          <p class="dim">Mean of your last {whole(s.games)} finished games on 4 × 4 with random new tiles, and its 95 % interval.</p>
        </>
      ) : <p class="dim">Finish {enough - s.games === 1 ? 'one more game' : `${enough - s.games} games`} on 4 × 4 with random new tiles. Their accuracy shows which player you play like.</p>}
      {left > 0 && <p class="dim" role="status" id="left">{left === 1 ? 'One game is' : `${whole(left)} games are`} still to be judged, one after the other.</p>}
    </Card>
  )
}

/** Curves draws the games of a size in the order in which they were played. */
function Curves({ games, size, onShow }: { games: PlayedGame[]; size: string; onShow: (g: PlayedGame) => void }) {
  const [picked, pick] = useState<number | null>(null)
  const line = [...games].reverse()
  const at = Math.min(picked ?? line.length - 1, line.length - 1)
  const g = line[at]
  const x = line.map((_, i) => i + 1)
  const scores = line.map((g) => g.score)
  const accuracies = line.map(accuracyOf)
  const lucks = line.map(luckOf)
  const [meanScores, meanAccuracies] = [moving(scores), moving(accuracies)]
  const curves = (values: (number | null)[], means: (number | null)[]) => [{ label: 'game', values, colour: '--dim', thin: true }, { label: `mean of ${span}`, values: means, colour: '--accent' }]
  const judged = accuracies.some((a) => a !== null)
  return (
    <Card title={`Your curves on ${sizeText(size)}`}>
      <h3 class="dim">Score</h3>
      <Chart x={x} xLabel="game" at={at + 1} onPick={pick} zero height={180} curves={curves(scores, meanScores)} label={`Score of ${line.length} games, and the mean of the last ${span}; now ${points(meanScores.at(-1) ?? null)}`} />
      {judged && (
        <>
          <h3 class="dim">Accuracy</h3>
          <Chart x={x} xLabel="game" at={at + 1} onPick={pick} share joined height={180} curves={curves(accuracies, meanAccuracies)} label={`Accuracy of ${line.length} games, and the mean of the last ${span}; now ${figure(meanAccuracies.at(-1) ?? null)}`} />
        </>
      )}
      {lucks.some((l) => l !== null) && (
        <>
          <h3 class="dim">Luckier than this share of games</h3>
          <Chart x={x} xLabel="game" at={at + 1} onPick={pick} share joined zero height={150} curves={curves(lucks, moving(lucks))} label={`Share of games with less luck, for ${line.length} games; the mean of the last ${span} is ${percent(moving(lucks).at(-1) ?? null)}`} />
        </>
      )}
      <Field label="Game"><input type="range" min={1} max={line.length} value={at + 1} aria-valuetext={`${at + 1} of ${line.length}`} onInput={(e) => pick(Number(e.currentTarget.value) - 1)} /></Field>
      {g && (
        <div class="spread">
          <p id="picked">Game {whole(at + 1)}, {dateText(g.when)}: {whole(g.score)} points (mean {points(meanScores[at] ?? null)}), accuracy {figure(accuracies[at] ?? null)} (mean {figure(meanAccuracies[at] ?? null)}){lucks[at] != null && `, luckier than ${percent(lucks[at])} of games`}</p>
          <Button kind="small" onClick={() => onShow(g)}>Open</Button>
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
  const often = (p: PhaseSum) => (1000 * p.mistakes / p.moves).toFixed(0)
  return (
    <Card title={`What you give away on ${sizeText(size)}`}>
      {sums.length > 1 && <p>Most <b>{phaseNames[most.phase].replace('Up', 'up').replace('Beyond', 'beyond')}</b>: {(100 * most.loss).toFixed(2)} % of the expected score with each move, and {often(most)} mistakes or blunders in 1,000 moves.</p>}
      <div class="scroll" tabIndex={0} role="region" aria-label="Loss by phase">
        <table id="phases">
          <thead><tr><th scope="col">Phase</th><th scope="col" class="n">Games</th><th scope="col" class="n">Moves</th><th scope="col" class="n">Loss a move</th><th scope="col" class="n">Accuracy</th><th scope="col" class="n">Mistakes in 1,000</th></tr></thead>
          <tbody>{sums.map((p) => (
            <tr key={p.phase}>
              <th scope="row">{phaseNames[p.phase]}</th><td class="n">{whole(p.games)}</td><td class="n">{whole(p.moves)}</td>
              <td class="n">{(100 * p.loss).toFixed(2)} %</td><td class="n">{figure(p.accuracy)}</td><td class="n">{often(p)}</td>
            </tr>
          ))}</tbody>
        </table>
      </div>
    </Card>
  )
}

const page = 15 // games that are listed at once

function List({ games, onShow }: { games: PlayedGame[]; onShow: (g: PlayedGame) => void }) {
  const [most, setMost] = useState(page)
  return (
    <Card title="Games" side={<span class="dim">{whole(games.length)}</span>}>
      {games.length === 0 ? <p class="dim">Every game that you play on this page is kept here, with its score, accuracy and moves, in this browser only.</p> : (
        <>
          <div class="scroll" tabIndex={0} role="region" aria-label="Games">
            <table id="games">
              <thead><tr><th scope="col">Played</th><th scope="col">Size</th><th scope="col" class="n">Score</th><th scope="col" class="n">Largest</th><th scope="col" class="n">Accuracy</th><th scope="col" class="n" title="About the share of games with less luck">Luckier than</th></tr></thead>
              <tbody>{games.slice(0, most).map((g) => (
                <tr key={g.uid}>
                  <th scope="row"><Button kind="small" onClick={() => onShow(g)}>{dateText(g.when)}<span class="unseen">, {whole(g.score)} points</span></Button></th>
                  <td>{sizeText(g.size)}</td><td class="n"><b>{whole(g.score)}</b></td><td class="n">{g.largest > 0 ? whole(g.largest) : '–'}</td>
                  <td class="n">{figure(accuracyOf(g))}</td><td class="n">{percent(luckOf(g))}</td>
                </tr>
              ))}</tbody>
            </table>
          </div>
          {games.length > most && <Button onClick={() => setMost(most + 5 * page)}>Show more</Button>}
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
      <p class="dim">{sizeText(g.size)}{g.spawn !== 'random' && `, new tiles ${ruleName(g.spawn)}`}{g.start !== undefined && ', from a board that you chose'}, {whole(g.count)} moves{!g.over && ', not finished'}</p>
      <dl class="figures">
        <Figure main name="Score" value={whole(g.score)} />
        <Figure name="Largest tile" value={g.largest > 0 ? whole(g.largest) : '–'} />
        <Figure name="Accuracy" value={figure(accuracyOf(g))} />
        <Figure name="Mistakes" value={bad === null ? '–' : whole(bad)} />
        <Figure name="Luckier than" value={percent(luckOf(g))} />
      </dl>
      {trouble && <p class="bad" role="alert">{trouble}</p>}
      {deleting ? (
        <>
          <p>Delete this game for good?</p>
          <div class="row fill">
            <Button onClick={() => forget(g.uid).then(onClose, told)}>Delete it</Button>
            <Button kind="main" onClick={() => setDeleting(false)}>Keep it</Button>
          </div>
        </>
      ) : (
        <div class="row fill">
          <Button kind="main" onClick={() => link.insist('game.replay', opening(g)).then((r) => review(r.record, g.over), told)}>Review</Button>
          <Button onClick={() => go('play/' + hashOf(g, 0))}>Replay</Button>
          <Button kind="plain" onClick={() => setDeleting(true)}>Delete</Button>
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
  const write = async () => offer(`afterstate-${new Date().toISOString().slice(0, 10)}.json`, 'application/json', await backup())
  const told = (e: unknown) => {
    setFound(null)
    setTrouble(e instanceof Error && e.name === 'QuotaExceededError' ? 'This browser has no room for what the backup holds. Nothing was changed.' : complaint(e))
  }
  return (
    <Card title="Backup" class="last">
      <p class="dim">A backup is one file with everything that this page stores: games, saved games, drills, experiments and settings. Restore it here or in another browser.</p>
      {refusal && <p class="bad" role="alert">{refusal} Nothing is lost yet: the games that found no room wait in another place. Write a backup, then delete games or experiments, or free space on this device.</p>}
      {trouble && <p class="bad" role="alert">{trouble}</p>}
      <div class="row fill">
        <Button kind={refusal ? 'main' : ''} icon="save" onClick={() => write().catch(told)}>Write a backup</Button>
        <FileButton name="Backup in a file" icon="open" accept=".json,application/json" onFile={(f) => {
          setTrouble('')
          setSettings(games.length === 0)
          f.text().then((text) => setFound(readBackup(text))).catch(told)
        }}>Restore</FileButton>
      </div>
      {lasting === false && (
        <div class="offer"><p>When this device runs out of space, the browser may delete what the page stores.</p>
          <Button kind="small" onClick={() => navigator.storage.persist().then((yes) => {
            setLasting(yes)
            if (!yes) setTrouble('The browser does not promise it. It may do so once you have used the page more often.')
          }, told)}>Ask it not to</Button></div>
      )}
      {found && (
        <Dialog title={done ? 'Restored' : 'Restore this backup?'} onClose={() => (done ? location.reload() : setFound(null))}>
          {done ? <div role="status">{done.map((d) => <p key={d}>{d}</p>)}{done.length === 0 && <p>Everything of it is here already.</p>}</div> : (
            <>
              <p>Of {minute.format(new Date(found.written))}: {contents(found)}.</p>
              <p class="dim">It is added to what is here. Nothing here is removed.</p>
              <label class="switch"><input type="checkbox" checked={settings} onChange={(e) => setSettings(e.currentTarget.checked)} /><span>Take its settings too</span></label>
            </>
          )}
          <div class="row fill">
            {done ? <Button kind="main" onClick={() => location.reload()}>Done</Button> : (
              <>
                <Button kind="main" onClick={() => restore(found, settings).then(setDone, told)}>Restore</Button>
                <Button kind="plain" onClick={() => setFound(null)}>Cancel</Button>
              </>
            )}
          </div>
        </Dialog>
      )}
    </Card>
  )
}
