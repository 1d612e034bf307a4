// Grades of one's own moves on the Play view.
import { boardOf } from '../../base/boards'
import { go } from '../../base/route'
import { rich, t, whole } from '../../base/text'
import { Class, Classes, figure } from '../../parts/accuracy'
import { boldMove, type Marks, Mini } from '../../parts/board'
import { Card, Figure, Item } from '../../parts/ui'
import { accuracyOf, type Graded, type Grader } from '../../state/grading'
import { classInfo, classWord, lossText } from '../../state/judge'

/** gradeMarks are the arrows of a move that was taken back. */
export function gradeMarks(g: Grader): Marks | null {
  const { last } = g
  if (!last?.back) return null
  return { best: g.better(last) ? last.best : null, played: last.move, word: classWord(last.class) }
}

/** Grade says what the last move was. Its room stays the same. */
export function Grade({ of: g }: { of: Grader }) {
  const waits = g.tally.waiting.length
  return (
    <p class="opinion grade" role="status">
      {g.trouble ? (
        <span class="bad">{t('A move could not be graded: {why}', { why: g.trouble })}</span>
      ) : waits > 0 ? (
        <span class="dim">
          {g.loads ? t('Loading the network…') : t('{n|Grading…|Grading # moves…}', { n: waits })}
        </span>
      ) : g.last ? (
        <Opinion of={g.last} better={g.better(g.last)} />
      ) : (
        <span class="dim">{t('See after each move how good it was. Hints are off.')}</span>
      )}
    </p>
  )
}

function Opinion({ of: m, better }: { of: Graded; better: boolean }) {
  const loses = m.loss > 0 || m.lost ? lossText(m.loss, m.lost, m.goal) : ''
  const move = boldMove(m.move)
  return (
    <>
      <Class of={m.class} />{' '}
      {!m.back ? (
        loses && t('{loses}.', { loses })
      ) : loses ? (
        rich('{move} {loses}.', { move, loses })
      ) : (
        <>{move}.</>
      )}{' '}
      {better ? rich('Better: {move}.', { move: boldMove(m.best) }) : m.back && t('Another try?')}
    </>
  )
}

/** Grades is a card with the sums, and at the end of the game the worst moves. */
export function Grades({ of: g, over }: { of: Grader; over: boolean }) {
  const { tally } = g
  return (
    <Card title={t('Your moves')} class="grades">
      <dl class="figures">
        {over && <Figure main name={t('Accuracy')} value={figure(accuracyOf(tally))} />}
        <Figure name={t('Longest streak')} id="longest" value={whole(tally.longest)} />
        <Figure name={t('Taken back')} id="back" value={whole(tally.back)} />
      </dl>
      <Classes count={(c) => tally.classes[c] ?? 0} measured={g.measured} />
      {over && tally.worst.length > 0 ? (
        <>
          <h3 class="dim">{t('Worst moves')}</h3>
          <ol class="list worst">
            {tally.worst.map((m) => (
              <Item key={m.turn} onClick={() => go(`solve/${m.board}/${m.score}`)}>
                <Mini board={boardOf(m.board)} />
                <span>
                  {t('Move {n}:', { n: m.turn + 1 })} {boldMove(m.move)}
                  <br />
                  <span data-class={m.class}>
                    {classInfo[m.class].sign} {classInfo[m.class].name}: {lossText(m.loss, m.lost, m.goal)}
                  </span>
                  <br />
                  {rich('Better: {move}', { move: boldMove(m.best) })}
                </span>
              </Item>
            ))}
          </ol>
        </>
      ) : (
        <p class="dim">{t('The first move at each turn counts. A streak is of best and good moves.')}</p>
      )}
    </Card>
  )
}
