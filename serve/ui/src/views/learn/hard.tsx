// Hard boards: a move is rated by its chance to make the next tile, relative to that of the best move.
import { boardOf } from '../../base/boards'
import { classNames, percent, rich, t } from '../../base/text'
import { boldMove } from '../../parts/board'
import { AllMoves, Button, Card, Figure } from '../../parts/ui'
import all from '../../state/hard.json'
import { type Dir, dirs } from '../../types'
import { Choice, swipe, Task, useAnswers } from './task'

export function Hard() {
  const { at: h, answers, trial, task, choose, clear } = useAnswers('hard', hardBoards)
  if (!h) return null
  const best = bestOf(h)
  const { move, shown } = trial
  const word = move ? t('{share} kept', { share: percent(kept(h, move)) }) : ''
  const right = move !== null && level(h, move)
  return (
    <div class="arena">
      <Task
        {...task}
        board={boardOf(h.board)}
        task={t('Which move has the best chance of {tile}?', { tile: h.tile })}
        answered={move !== null && !right}
        marks={
          shown ? { best: right ? move : best, played: move, word, bestWord: `★ ${classNames.best}` } : null
        }
        opinion={shown ? opinion(h, move) : swipe}
      />
      <div class="stack">
        {shown && (
          <Card title={t('This board')}>
            <AllMoves
              of={movesOf(h)}
              best={[best]}
              columns={[
                [t('Makes {tile}', { tile: String(h.tile) }), (d) => percent(chance(h, d))],
                [t('Kept'), (d) => percent(kept(h, d))],
              ]}
            />
            <p class="dim">
              {t('{n} games after each move, played by the network without search.', { n: h.games })}
            </p>
          </Card>
        )}
        <AllBoards answers={answers} at={h} onChoose={choose} onClear={clear} />
      </div>
    </div>
  )
}

const movesOf = (h: HardBoard) => dirs.filter((d) => h.made[d] !== undefined)

/** opinion says which share of the best chance the answer keeps. After the best move it names the second best
    one and its share. */
function opinion(h: HardBoard, move: Dir | null): preact.ComponentChildren {
  const best = bestOf(h)
  const share = (d: Dir) => percent(chance(h, d))
  if (move && !level(h, move))
    return rich('You keep *{share}* of the chance of {tile}: {chance} after {move}, {most} after {best}.', {
      share: percent(kept(h, move)),
      tile: h.tile,
      chance: share(move),
      move: boldMove(move),
      most: share(best),
      best: boldMove(best),
    })
  const says = { move: boldMove(move ?? best) }
  const makes = t('{share} of games make {tile}.', { share: share(move ?? best), tile: h.tile })
  if (!move) return [rich('Best: {move}:', says), ' ', makes]
  const worse = movesOf(h).filter((d) => !level(h, d))
  const [other] = worse.sort((a, b) => chance(h, b) - chance(h, a))
  return [
    move === best
      ? rich('{move} is the best move:', says)
      : rich('{move} is as good as the best move:', says),
    ` ${makes} `,
    other && rich('After {move}: {share}.', { move: boldMove(other), share: share(other) }),
  ]
}

function AllBoards(p: {
  answers: Record<string, Dir>
  at: HardBoard
  onChoose: (h: HardBoard) => void
  onClear: () => void
}) {
  const shares = hardBoards.flatMap((h) => {
    const move = p.answers[h.board]
    return move ? [kept(h, move)] : []
  })
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
  const tried = t('{n} of {all}', { n: shares.length, all: hardBoards.length })
  return (
    <Card
      title={t('All boards')}
      side={shares.length > 0 && <Button kind="small" onClick={p.onClear} text={t('Start over')} />}
    >
      <dl class="figures">
        <Figure name={t('Chance kept')} id="kept" value={shares.length > 0 ? percent(mean) : '–'} />
        <Figure name={t('Tried')} id="tried" value={tried} />
      </dl>
      <p class="dim">
        {t(
          'Boards from real games on which a search with a simple rule of thumb chooses the wrong move. The score is the chance after your move, as a share of the chance after the best one. Your first answer counts.',
        )}
      </p>
      <ol class="choice">
        {hardBoards.map((h, i) => {
          const move = p.answers[h.board]
          const share = move && percent(kept(h, move))
          const name = t('Board {n}', { n: i + 1 })
          return (
            <Choice
              key={h.board}
              text={share?.replace(/\s/, '') ?? i + 1}
              label={share ? `${name}, ${t('{share} kept', { share })}` : name}
              current={h === p.at}
              done={share !== undefined}
              onClick={() => p.onChoose(h)}
            />
          )
        })}
      </ol>
    </Card>
  )
}

/** HardBoard holds, for each legal move, how many of the games played after it made a tile. */
export interface HardBoard {
  board: string
  tile: number
  games: number // number of games played after each move
  made: Partial<Record<Dir, number>>
}

export const hardBoards: readonly HardBoard[] = all

/** bestOf returns the move after which most games made the tile. */
export const bestOf = (h: HardBoard) =>
  (Object.entries(h.made) as [Dir, number][]).reduce((a, b) => (b[1] > a[1] ? b : a))[0]

export const chance = (h: HardBoard, d: Dir) => (h.made[d] ?? 0) / h.games

/** kept returns the chance after a move as a share of the chance after the best move. */
export const kept = (h: HardBoard, d: Dir) => (h.made[d] ?? 0) / Math.max(1, h.made[bestOf(h)] ?? 0)

/** level reports whether a move cannot be distinguished from the best one: their chances differ by less than
    two standard errors. */
export function level(h: HardBoard, d: Dir): boolean {
  const [a, b] = [chance(h, d), chance(h, bestOf(h))]
  return b - a <= 2 * Math.sqrt((a * (1 - a) + b * (1 - b)) / h.games)
}
