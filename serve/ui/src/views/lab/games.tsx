// The stored games of an experiment: a list, and one game played back.

import { useState } from 'preact/hooks'
import { sizeOf, whole } from '../../base/format'
import { t } from '../../base/text'
import { link } from '../../engine/net'
import { usePoll } from '../../engine/poll'
import { BoardView, shape } from '../../parts/board'
import { Choices } from '../../parts/fields'
import { useAsked } from '../../parts/hints'
import { ReplayControls, useReplay } from '../../parts/replay'
import { Table } from '../../parts/table'
import { Alert, Button, Card, CloseButton, Dialog } from '../../parts/ui'
import { review } from '../../state/reviewed'
import type { StoredGame } from '../../types'

/** Games lists the games of a player with the highest or lowest scores. */
export function Games({ name, player, onClose }: { name: string; player: number; onClose: () => void }) {
  const [worst, setWorst] = useState(false)
  const [game, setGame] = useState<StoredGame | null>(null)
  const found = usePoll(
    `${name}/${player}/${worst}`,
    () => link.ask('experiments.games', { name, player, worst }),
    10_000,
  )
  const all = found.result
  return (
    <Card
      title={all ? t('Games of {player}', { player: all.player }) : t('Games')}
      side={<CloseButton kind="small" onClick={onClose} />}
    >
      <Alert text={found.trouble} />
      {all && (
        <>
          <div class="spread">
            <Choices
              label={t('Games')}
              of={[t('Highest scores'), t('Lowest scores')]}
              at={Number(worst)}
              onPick={(i) => setWorst(i === 1)}
            />
            <span class="dim">{t('{n} of {all} games', { n: all.games.length, all: all.total })}</span>
          </div>
          <Table
            label={t('Games')}
            rows={all.games}
            id={(g) => g.game}
            columns={[
              {
                name: t('Game'),
                cell: (g) => [
                  whole(g.game),
                  g.forfeit && <span class="bad"> {t('forfeited: {why}', { why: g.forfeit })}</span>,
                ],
              },
              { name: t('Score'), number: (g) => whole(g.score) },
              { name: t('Largest tile'), number: (g) => whole(g.max_tile) },
              { name: t('Moves'), number: (g) => whole(g.moves) },
              {
                name: t('Watch'),
                unseen: true,
                number: (g) => (
                  <Button
                    kind="small"
                    icon="watch"
                    onClick={() => setGame(g)}
                    text={t('Watch')}
                    about={t('game {n}', { n: g.game })}
                  />
                ),
              },
            ]}
          />
        </>
      )}
      {game && all && (
        <Replay
          name={name}
          player={player}
          title={`${all.player}, ${t('game {n}', { n: game.game })}`}
          game={game}
          onClose={() => setGame(null)}
        />
      )}
    </Card>
  )
}

/** Replay plays a stored game back. */
function Replay(p: { name: string; player: number; game: StoredGame; title: string; onClose: () => void }) {
  const { name, player, game } = p
  const { result, trouble } = useAsked('experiments.record', { name, player, game: game.game })
  const record = result?.record ?? ''
  const r = useReplay(record, game.moves, 0, true)
  const { shown } = r
  return (
    <Dialog title={p.title} onClose={p.onClose}>
      <Alert text={trouble || r.trouble} />
      {shown && (
        <div class="replay" style={shape(sizeOf(shown.board))}>
          <BoardView board={shown.board} step={shown.step} />
        </div>
      )}
      <p role="status">
        {shown
          ? t('Move {n} of {all}, score {score}', { n: r.at, all: game.moves, score: shown.score })
          : t('Loading…')}
      </p>
      <ReplayControls r={r} />
      <div class="row fill">
        <Button
          icon="review"
          disabled={!record}
          onClick={() => review(record)}
          text={t('Review this game')}
        />
        <CloseButton kind="plain" onClick={p.onClose} />
      </div>
    </Dialog>
  )
}
