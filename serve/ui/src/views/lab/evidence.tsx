// The evidence on which player is better, from the games of a match or a ranking, and how it grew.
import { brief, lasting, rich, share, t, whole } from '../../base/text'
import { link, usePoll } from '../../engine/net'
import { Chart, type Curve, colours } from '../../parts/chart'
import { Alert, Button, Card } from '../../parts/ui'
import type { Evidence, EvidenceTest, Outlook } from '../../types'

const lowest = 0.1 // the smallest evidence that is drawn: smaller values do not matter

const never = 1e6 // number of pairs above which no verdict is expected

function outlook(o: Outlook) {
  if (o.pairs !== null)
    return [
      t('At this rate the verdict takes about {n|one more pair|# more pairs} of games.', { n: o.pairs }),
      ...(o.seconds === null ? [] : [t('{time} left', { time: lasting(o.seconds) })]),
    ].join(' ')
  if (o.at_least >= never) return t('No verdict is expected: so far both have the same results.')
  if (o.at_least > 0)
    return t(
      'No verdict is expected within {n|one more pair|# more pairs} of games: so far the two are about equally good.',
      { n: o.at_least },
    )
  return t('There are too few games to tell how long it will take.')
}

function verdict({ tests, confidence, left, open = [] }: Evidence) {
  const [test] = tests
  if (tests.length === 1 && test?.winner)
    return rich(
      '*{winner}* is better than *{other}*. Found after {n} pairs of games, with {share} confidence.',
      {
        winner: test.winner,
        other: test.winner === test.a ? test.b : test.a,
        n: test.decided_after ?? 0,
        share: share(confidence),
      },
    )
  if (!left)
    return rich('*All ranks are known*, with {share} confidence that all of them are right.', {
      share: share(confidence),
    })
  if (tests.length === 1) return [t('No verdict yet.'), ' ', outlook(left)]
  const [a, b] = open ?? []
  return [
    rich('Some ranks are open. The verdict on *{a}* and *{b}* takes longest.', { a, b }),
    ' ',
    outlook(left),
  ]
}

/** curvesOf returns the curves over a common axis of pairs: for each test the evidence for the player who is
    ahead, and a horizontal line at the threshold of a verdict. */
function curvesOf(tests: EvidenceTest[]): { x: number[]; curves: Curve[] } {
  const x = [...new Set(tests.flatMap((test) => test.after))].sort((a, b) => a - b)
  const curves = tests.map((test, i): Curve => {
    const [a, b] = test.wealth_a >= test.wealth_b ? [test.a, test.b] : [test.b, test.a]
    const evidence = test.wealth_a >= test.wealth_b ? test.evidence_a : test.evidence_b
    const at = new Map(test.after.map((n, i) => [n, Math.max(lowest, evidence[i] ?? 1)]))
    return {
      label: t('{a} better than {b}', { a: a ?? '', b: b ?? '' }),
      values: x.map((n) => at.get(n) ?? null),
      colour: colours[i % colours.length] ?? '--dim',
      dashed: i % 2 === 1,
    }
  })
  const goal = x.map(() => tests[0]?.threshold ?? 1)
  return { x, curves: [...curves, { label: t('verdict'), values: goal, colour: '--ink', thin: true }] }
}

export function EvidenceCard(p: { name: string; running: boolean; onResume: () => void }) {
  const { name, running } = p
  const { result: v, trouble } = usePoll(
    `${name}/${running}`,
    () => link.ask('experiments.evidence', { name }),
    running ? 1000 : 5000,
  )
  if (!v) return trouble ? <Alert text={trouble} /> : <p role="status">{t('Loading…')}</p>
  const [test] = v.tests
  const ci = test?.mean_difference_ci
  const { x, curves } = curvesOf(v.tests)
  return (
    <Card
      title={t('Who is better?')}
      side={!running && v.left ? <Button kind="small" onClick={p.onResume} text={t('Resume')} /> : undefined}
    >
      <div role="status">{!v.left && <p class="verdict">{verdict(v)}</p>}</div>
      {v.left && <p>{verdict(v)}</p>}
      <Alert text={trouble} />
      {v.tests.length > 1 && (
        <ol class="list ranks">
          {v.players.map((p) => (
            <li key={p.player}>
              <b>{p.best_rank === p.worst_rank ? p.best_rank : `${p.best_rank}–${p.worst_rank}`}</b>
              <span>{p.player}</span>
              <span class="dim">{t('{n} games', { n: p.games })}</span>
            </li>
          ))}
        </ol>
      )}
      {test && v.tests.length === 1 && test.mean_difference !== null && (
        <p class="dim">
          {t('Score of {a} minus that of {b}: {difference} a game.', {
            a: test.a ?? '',
            b: test.b ?? '',
            difference: brief(test.mean_difference),
          })}{' '}
          {ci && t('95 % interval: {low} to {high}', { low: brief(ci[0]), high: brief(ci[1]) })}
        </p>
      )}
      {test && x.length > 1 && (
        <>
          <p class="dim">
            {t(
              'Each curve is the evidence that one player is better than another. It starts at 1, rises with games that support this, and falls with others; at {n} the verdict is clear. Between equal players, at most {share} of curves ever reach {n}, however long they play.',
              { n: whole(test.threshold), share: share(1 - v.confidence) },
            )}
          </p>
          <Chart
            x={x}
            curves={curves}
            log
            joined
            xLabel={t('pairs of games')}
            label={t('The evidence after each pair of games. At {verdict} the verdict is clear.', {
              verdict: whole(test.threshold),
            })}
          />
        </>
      )}
    </Card>
  )
}
