// How well a game was played: its accuracy, by phase, and the classes of its moves.
import { useMemo, useState } from 'preact/hooks'
import { ofEngine, rich, share, t, whole } from '../base/text'
import {
  accuracy,
  classInfo,
  type Judged,
  judgedOnce,
  levelText,
  lossText,
  phaseNames,
  tally,
} from '../state/judge'
import { classLimits, type Dir, type GamePhase, type MoveClass, type MoveReview } from '../types'
import { boldMove } from './board'
import { Busy } from './hints'
import { Alert, Button, Card, CloseButton, Dialog, Figure, Progress } from './ui'

/** Class shows the class of a move. A click on it opens an explanation of how moves are judged. */
export function Class({ of }: { of: MoveClass }) {
  const [rule, setRule] = useState(false)
  const c = classInfo[of]
  return (
    <>
      <button
        type="button"
        class="class"
        data-class={of}
        title={t('How moves are judged')}
        onClick={() => setRule(true)}
      >
        <Sign of={of} /> {c.name}
      </button>
      {rule && <Rule onClose={() => setRule(false)} />}
    </>
  )
}

export function HowGood(p: {
  move: Dir
  of: { class: MoveClass; loss: number; lost: boolean; goal?: number | undefined }
}) {
  const { class: c, loss, lost, goal } = p.of
  const move = boldMove(p.move)
  return (
    <>
      <Class of={c} />{' '}
      {c === 'best'
        ? rich('{move} is the best move.', { move })
        : rich('{move} {loses}.', { move, loses: lossText(loss, lost, goal) })}
    </>
  )
}

/** Reasons says why a move is bad. */
export const Reasons = ({ of }: { of: MoveReview['reasons'] }) => (
  <>{of?.map((r) => [ofEngine(r.text, r.values), ' '])}</>
)

/** Sign is the short mark of a class, without a name. */
export const Sign = ({ of }: { of: MoveClass }) => (
  <span class="sign" data-class={of} aria-hidden="true">
    {classInfo[of].sign}
  </span>
)

const order = Object.keys(classInfo) as MoveClass[]

const Rule = ({ onClose }: { onClose: () => void }) => (
  <Dialog text title={t('How moves are judged')} onClose={onClose}>
    <p>
      {t(
        'After each legal move, the computer plays many games to the end, about as well as you do. The loss of a move is the share of the final score that it costs compared with the best move. For the strongest players, and on sizes without levels, final scores are estimated without such games.',
      )}
    </p>
    <table class="rule">
      <tbody>
        {order.map((c) => (
          <tr key={c}>
            <th scope="row">
              <Sign of={c} /> {classInfo[c].name}
            </th>
            <td class="wrap">{rules[c]}</td>
          </tr>
        ))}
      </tbody>
    </table>
    <p class="dim">
      {t(
        'Accuracy is 100 % if all moves are the best ones, and falls with the mean loss of a move. Compare accuracies only at the same level.',
      )}
    </p>
    <CloseButton onClick={onClose} />
  </Dialog>
)

const rules: Record<MoveClass, string> = {
  best: t('no loss'),
  good: t('a loss of at most {share}', { share: share(classLimits.good) }),
  undecided: t('the loss may be 0, or more than {share}', { share: share(classLimits.inaccuracy) }),
  inaccuracy: t('more than {share}', { share: share(classLimits.good) }),
  mistake: t('more than {share}', { share: share(classLimits.inaccuracy) }),
  blunder: t('more than {share}; also a worse move that ends the game at once when another would not', {
    share: share(classLimits.mistake),
  }),
  forced: t('the only legal move; it does not count'),
}

export const figure = (x: number | null) => (x === null ? '–' : share(x, 1))

/** Classes shows the number of moves in each class. The class undecided is shown if measured is true. onPick
    is called to show the next move of a class. */
export function Classes(p: {
  count: (c: Exclude<MoveClass, 'forced'>) => number
  measured: boolean
  onPick?: (c: MoveClass) => void
}) {
  const row = (c: Exclude<MoveClass, 'forced'>) => {
    const n = p.count(c)
    const content = (
      <>
        <Sign of={c} />
        <span>{n === 1 ? classInfo[c].name : classInfo[c].many}</span>
        <b>{whole(n)}</b>
      </>
    )
    return (
      <li key={c} data-count={c}>
        {p.onPick && classInfo[c].bad ? (
          <button
            type="button"
            disabled={n === 0}
            title={t('Show the next one')}
            onClick={() => p.onPick?.(c)}
          >
            {content}
          </button>
        ) : (
          <div>{content}</div>
        )}
      </li>
    )
  }
  const counted = order.filter((c) => c !== 'forced').filter((c) => c !== 'undecided' || p.measured)
  return <ul class="tally">{counted.map(row)}</ul>
}

/** Accuracy is a card with figures about all moves judged so far. onPick is called to show a class's next move. */
export function Accuracy(p: {
  judged: Judged | null
  done: number
  trouble: string
  onAgain: () => void
  onPick: (c: MoveClass) => void
}) {
  const { judged, done, trouble } = p
  const [rule, setRule] = useState(false)
  const level = levelText(judged?.judge ?? '')
  const rate = (x: number | null) => figure(done < judgedOnce ? null : x) // a part of a game says little
  const [game, phases] = useMemo(() => {
    const moves = judged?.moves ?? []
    const of = (p: GamePhase) => moves.filter((m) => m.phase === p)
    const played = (Object.keys(phaseNames) as GamePhase[]).filter((p) => of(p).length > 0)
    return [tally(moves), played.map((p) => [p, accuracy(of(p))] as const)] as const
  }, [judged?.moves])
  return (
    <Card title={t('Accuracy')}>
      <Alert text={trouble} />
      {game.moves + game.forced === 0 && done < 1 && !trouble && <Busy work={t('Judging…')} />}
      {trouble && <Button onClick={p.onAgain} text={t('Try again')} />}
      {done < 1 && !trouble && <Progress name={t('Judged moves')} value={100 * done} max={100} />}
      <dl class="figures">
        <Figure main name={t('Game')} value={rate(game.accuracy)} id="accuracy" />
        {phases.map(([p, of]) => (
          <Figure key={p} name={phaseNames[p]} value={rate(of)} />
        ))}
      </dl>
      <Classes count={(c) => game.classes[c]} measured={level !== ''} onPick={p.onPick} />
      {level && (
        <p class="dim" id="judged-at">
          {t('Judged by a player who scores {n} on average.', { n: level })}
        </p>
      )}
      <div class="row">
        <Button kind="small" onClick={() => setRule(true)} text={t('How moves are judged')} />
      </div>
      {rule && <Rule onClose={() => setRule(false)} />}
    </Card>
  )
}
