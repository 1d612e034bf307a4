// A game that a link holds: it is replayed, and the visitor's own game stays as it is.
import { useEffect, useState } from 'preact/hooks'
import { BoardView, shape } from '../board'
import { boardText, whole } from '../format'
import { hashOf, opening } from '../game'
import type { Kept } from '../kept'
import { link, RpcError } from '../net'
import { review } from '../reviewed'
import { go } from '../route'
import { rich, t } from '../text'
import { Button, Card, Figure, ruleName } from '../ui'
import { ReplayControls, useReplay, useReplayKeys } from './replay'
import { pageAddress, Share } from './share'

export function SharedView({
  kept,
  from,
  onRefused,
}: {
  kept: Kept
  from: number
  onRefused: (why: string) => void
}) {
  const [record, setRecord] = useState('')
  const r = useReplay(record, kept.count, from, false)
  useEffect(() => {
    link.insist('game.replay', opening(kept)).then(
      (x) => setRecord(x.record),
      (e: unknown) => onRefused(e instanceof RpcError ? e.message.replace('game.replay: ', '') : String(e)),
    )
  }, [])
  useReplayKeys(r)
  const [rows, cols] = kept.size.split('x').map(Number)
  const board = r.shown?.board ?? Array.from({ length: rows ?? 4 }, () => Array<number>(cols ?? 4).fill(0))
  return (
    <div class="arena">
      <div class="boardside" style={{ ...shape(kept.size), '--rest': '27rem' }}>
        <p class="offer" role="status">
          <span>{rich('*A shared game.* Yours waits in Play.')}</span>
        </p>
        <dl class="figures">
          <Figure main name={t('Score')} value={<span id="score">{whole(r.shown?.score ?? 0)}</span>} />
          <Figure
            name={t('Move')}
            value={rich('{at} of {all}', { at: <span id="moves">{whole(r.at)}</span>, all: r.moves })}
          />
        </dl>
        <BoardView board={board} step={r.shown?.step ?? null} busy={r.shown?.at !== r.at} />
        <ReplayControls r={r} />
        <div class="buttons">
          <Button icon="play" disabled={!record} onClick={() => go(`play/on/${hashOf(kept, r.at)}`)}>
            {t('Play on from here')}
          </Button>
          <Button onClick={() => go('play')}>{t('Your own game')}</Button>
        </div>
        {r.trouble && (
          <p class="bad" role="alert">
            {r.trouble}
          </p>
        )}
      </div>
      <div class="stack">
        <Card title={t('Shared game')}>
          <p>
            {t('{n} moves on {size}', { n: kept.count, size: kept.size.replace('x', ' × ') })}
            {kept.spawn === 'random' ? '' : `, ${t('new tiles {rule}', { rule: ruleName(kept.spawn) })}`}.{' '}
            {t(
              '“Play on from here” continues from the move shown, with the same new tiles; it asks first if you have a game of this size.',
            )}
          </p>
          <div class="row four">
            <Share
              board={r.shown?.board}
              address={() => pageAddress(`play/${hashOf(kept, r.at)}`)}
              says={t('It replays this game and opens it at this move.')}
            />
            <Button
              icon="ask"
              disabled={!r.shown}
              onClick={() => r.shown && go(`ask/${boardText(r.shown.board)}/${r.shown.score}`)}
            >
              {t('Ask')}
            </Button>
            <Button icon="review" disabled={!record || kept.count === 0} onClick={() => review(record)}>
              {t('Review')}
            </Button>
          </div>
        </Card>
      </div>
    </div>
  )
}
