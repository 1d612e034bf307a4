// A game that a link holds: it is replayed, and the visitor's own game stays as it is.
import { useEffect, useState } from 'preact/hooks'
import { blank } from '../../base/boards'
import { rich, sizeText, t, whole } from '../../base/text'
import { BoardView, shape } from '../../parts/board'
import { ruleName } from '../../parts/fields'
import { ReplayControls, useReplay, useReplayKeys } from '../../parts/replay'
import { pageAddress, Share } from '../../parts/share'
import { Alert, AskButton, Button, Card, Figure } from '../../parts/ui'
import { hashOf, type Kept, recordOf, refusal } from '../../state/kept'
import { review } from '../../state/reviewed'

export function SharedView(p: { kept: Kept; from: number; onRefused: (why: string) => void }) {
  const { kept } = p
  const [record, setRecord] = useState('')
  const r = useReplay(record, kept.count, p.from, false)
  useEffect(() => {
    const why = refusal(kept)
    if (why) p.onRefused(why)
    else setRecord(recordOf(kept))
  }, [])
  useReplayKeys(r)
  const board = r.shown?.board ?? blank(kept.size)
  return (
    <div class="arena">
      <div class="boardside" style={{ ...shape(kept.size), '--rest': '27rem' }}>
        <p class="offer" role="status">
          <span>{rich('*This is a shared game.* Your own game is in Play, unchanged.')}</span>
        </p>
        <dl class="figures">
          <Figure main name={t('Score')} id="score" value={whole(r.shown?.score ?? 0)} />
          <Figure
            name={t('Move')}
            value={rich('{at} of {all}', { at: <span id="moves">{whole(r.at)}</span>, all: r.moves })}
          />
        </dl>
        <BoardView board={board} step={r.shown?.step ?? null} busy={!r.ready} />
        <ReplayControls r={r} />
        <div class="buttons">
          <Button
            icon="play"
            disabled={!record}
            to={`play/on/${hashOf(kept, r.at)}`}
            text={t('Play on from here')}
          />
          <Button to="play" text={t('Your own game')} />
        </div>
        <Alert text={r.trouble} />
      </div>
      <div class="stack">
        <Card title={t('Shared game')}>
          <p>
            {t('{n} moves on {size}', { n: kept.count, size: sizeText(kept.size) })}
            {kept.spawn === 'random' ? '' : `, ${t('new tiles {rule}', { rule: ruleName(kept.spawn) })}`}.
          </p>
          <div class="row four">
            <Share
              board={r.shown?.board}
              address={() => pageAddress(`play/${hashOf(kept, r.at)}`)}
              says={t('The link replays this game and opens it at this move.')}
            />
            <AskButton of={r.shown} />
            <Button
              icon="review"
              disabled={!record || kept.count === 0}
              onClick={() => review(record)}
              text={t('Review')}
            />
          </div>
        </Card>
      </div>
    </div>
  )
}
