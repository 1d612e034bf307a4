// The stored games of an experiment: a list, and one game played back.
import { useEffect, useState } from 'preact/hooks'
import { BoardView, shape } from '../board'
import { whole } from '../format'
import { complaint, link } from '../net'
import { usePoll } from '../poll'
import { review } from '../reviewed'
import { t } from '../text'
import type { StoredGame } from '../types'
import { Button, Card, Dialog } from '../ui'
import { ReplayControls, useReplay } from './replay'

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
      side={
        <Button kind="small" onClick={onClose}>
          {t('Close')}
        </Button>
      }
    >
      {found.trouble && (
        <p class="bad" role="alert">
          {found.trouble}
        </p>
      )}
      {all && (
        <>
          <div class="row">
            <Button kind="small" pressed={!worst} onClick={() => setWorst(false)}>
              {t('Highest scores')}
            </Button>
            <Button kind="small" pressed={worst} onClick={() => setWorst(true)}>
              {t('Lowest scores')}
            </Button>
            <span class="dim">
              {t('{n} of {all} games', { n: Math.min(all.games.length, all.total), all: all.total })}
            </span>
          </div>
          <div class="scroll" tabIndex={0} role="region" aria-label={t('Games')}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{t('Game')}</th>
                  <th scope="col" class="n">
                    {t('Score')}
                  </th>
                  <th scope="col" class="n">
                    {t('Largest tile')}
                  </th>
                  <th scope="col" class="n">
                    {t('Moves')}
                  </th>
                  <th scope="col">
                    <span class="unseen">{t('Watch')}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {all.games.map((g) => (
                  <tr key={g.game}>
                    <th scope="row">
                      {whole(g.game)}
                      {g.forfeit && <span class="bad"> {t('forfeited: {why}', { why: g.forfeit })}</span>}
                    </th>
                    <td class="n">{whole(g.score)}</td>
                    <td class="n">{whole(g.max_tile)}</td>
                    <td class="n">{whole(g.moves)}</td>
                    <td class="n">
                      <Button kind="small" icon="watch" onClick={() => setGame(g)}>
                        {t('Watch')}
                        <span class="unseen"> {t('game {n}', { n: g.game })}</span>
                      </Button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
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
function Replay({
  name,
  player,
  game,
  title,
  onClose,
}: {
  name: string
  player: number
  game: StoredGame
  title: string
  onClose: () => void
}) {
  const [record, setRecord] = useState('')
  const [refused, setRefused] = useState('')
  const r = useReplay(record, game.moves, 0, true)
  const { shown } = r
  const trouble = refused || r.trouble
  useEffect(() => {
    link.ask('experiments.record', { name, player, game: game.game }).then(
      (x) => setRecord(x.record),
      (e: unknown) => setRefused(complaint(e, 'experiments.record: ')),
    )
  }, [])
  return (
    <Dialog title={title} onClose={onClose}>
      {trouble && (
        <p class="bad" role="alert">
          {trouble}
        </p>
      )}
      {shown && (
        <div class="replay" style={shape(`${shown.board.length}x${shown.board[0]?.length ?? 0}`)}>
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
        <Button icon="review" disabled={!record} onClick={() => review(record)}>
          {t('Review this game')}
        </Button>
        <Button kind="plain" onClick={onClose}>
          {t('Close')}
        </Button>
      </div>
    </Dialog>
  )
}
