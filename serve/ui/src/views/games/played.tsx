// Games: the games that were played on this page. A tap reviews one. Files of other games, and a backup, are here too.

import { useEffect, useState } from 'preact/hooks'
import { load, save } from '../../base/store'
import { t } from '../../base/text'
import { Button, Card, Note } from '../../parts/ui'
import { judgeWhile } from '../../state/judging'
import { useMyLevel } from '../../state/levels'
import { onPlayed, type PlayedGame, played, refusal, store } from '../../state/played'
import { BackupCard } from './backup'
import { GameDialog, GameList } from './gamelist'
import { Progress } from './progress'

/** usePlayed returns all played games, the newest first; null until they are read. */
function usePlayed(): PlayedGame[] | null {
  const [games, set] = useState<PlayedGame[] | null>(null)
  useEffect(() => {
    const read = () => void played().then(set)
    read()
    store() // what had no room before
    return onPlayed(read)
  }, [])
  return games
}

/** More is a part of the view that is closed until it is wanted, or needed. */
function More(p: { id: string; name: string; open: boolean; children: () => preact.ComponentChildren }) {
  const [open, setOpen] = useState(() => load(p.id, p.open) || p.open)
  return (
    <details
      class="more"
      id={p.id}
      open={open}
      onToggle={(e) => {
        setOpen(e.currentTarget.open)
        save(p.id, e.currentTarget.open)
      }}
    >
      <summary>{p.name}</summary>
      {open && <div class="stack">{p.children()}</div>}
    </details>
  )
}

export function PlayedView() {
  const games = usePlayed()
  const level = useMyLevel()
  const [shown, setShown] = useState<PlayedGame | null>(null)
  useEffect(judgeWhile, [])
  if (!games || !level) return <Note text={t('Reading your games…')} />
  return (
    <div class="sides even">
      <div class="stack">
        {games.length > 0 ? (
          <GameList games={games} level={level} onShow={setShown} />
        ) : (
          <Card title={t('Games')}>
            <p class="dim">{t('Every game that you play is kept here, in this browser only.')}</p>
            <Button kind="main" icon="play" to="play" text={t('Play')} />
          </Card>
        )}
      </div>
      <div class="stack">
        <Button icon="open" to="review/open" text={t('Open a game from a file')} />
        {games.length > 0 && (
          <More id="progress" name={t('Progress')} open={false}>
            {() => <Progress games={games} level={level} onShow={setShown} />}
          </More>
        )}
        <More key={refusal} id="backup" name={t('Backup')} open={refusal !== ''}>
          {() => <BackupCard empty={games.length === 0} />}
        </More>
      </div>
      {shown && (
        <GameDialog
          game={games.find((g) => g.uid === shown.uid) ?? shown}
          level={level}
          onClose={() => setShown(null)}
        />
      )}
    </div>
  )
}
