// Games: the games played on this page. A tap on a game opens its review. Files with games and backups open here.
import { useEffect, useState } from 'preact/hooks'
import { exponent } from '../../base/boards'
import { offer } from '../../base/offer'
import { useStored } from '../../base/store'
import { minute, sizeText, t, whole } from '../../base/text'
import { complaint, useAttempt } from '../../engine/net'
import { figure } from '../../parts/accuracy'
import { ruleName, Switch } from '../../parts/fields'
import { Alert, Button, Card, Dialog, Figure, FileButton, Item, Note } from '../../parts/ui'
import { type Backup, backup, contents, readBackup, restore } from '../../state/backup'
import { judgeWhile } from '../../state/judging'
import { hashOf, recordOf } from '../../state/kept'
import { forget, onPlayed, type PlayedGame, played, refusal, store } from '../../state/played'
import { review } from '../../state/reviewed'
import { accuracyOf, type LevelOf, luckOf, useMyLevels } from '../../state/strength'
import { dateText, Progress, percent, tileText } from './progress'

/** More is a part of the view that stays closed until the visitor opens it, or until it is needed. */
function More(p: { id: string; name: string; open: boolean; children: () => preact.ComponentChildren }) {
  const [open, setOpen] = useStored<boolean>(p.id, p.open, (v) => v === true || !p.open)
  return (
    <details class="more" id={p.id} open={open} onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>{p.name}</summary>
      {open && <div class="stack">{p.children()}</div>}
    </details>
  )
}

export function PlayedView() {
  const [games, setGames] = useState<PlayedGame[] | null>(null) // the newest first; null until they are read
  const level = useMyLevels()
  const [shown, setShown] = useState<PlayedGame | null>(null)
  useEffect(judgeWhile, [])
  useEffect(() => {
    const read = () => void played().then(setGames)
    read()
    store() // stores games that had no room before
    return onPlayed(read)
  }, [])
  if (!games || !level) return <Note text={t('Reading your games…')} />
  return (
    <div class="sides even">
      <div class="stack">
        {games.length > 0 ? (
          <GameList games={games} level={level} onShow={setShown} />
        ) : (
          <Card title={t('Games')}>
            <p class="dim">{t('Every game that you play is kept here, in this browser only.')}</p>
            <Button kind="main" icon="play" to="play" text={t('Play@verb')} />
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

const page = 15 // number of games listed at first

const open = (g: PlayedGame) => review(recordOf(g), g.over)

function GameList(p: { games: PlayedGame[]; level: LevelOf; onShow: (g: PlayedGame) => void }) {
  const { games, level } = p
  const [most, setMost] = useState(page)
  const { trouble, attempt } = useAttempt()
  const details = (g: PlayedGame) => {
    const label = t('More about the game with {n} points', { n: g.score })
    return <Button kind="plain" icon="more" label={label} onClick={() => p.onShow(g)} />
  }
  return (
    <Card title={`${t('Games')} (${whole(games.length)})`} side={<span class="dim">{t('Accuracy')}</span>}>
      <Alert text={trouble} />
      <ul class="list" id="games">
        {games.slice(0, most).map((g) => (
          <Item key={g.uid} class="played" onClick={() => attempt(() => open(g))} beside={details(g)}>
            <i class="chip" data-e={exponent(g.largest)} data-n={String(g.largest).length}>
              {g.largest || ''}
            </i>
            <span>
              <b>{whole(g.score)}</b>
              <small class="dim">
                {dateText(g.when)} · {sizeText(g.size)}
              </small>
            </span>
            <span class="dim">{figure(accuracyOf(g, level))}</span>
          </Item>
        ))}
      </ul>
      {games.length > most && <Button onClick={() => setMost(most + 5 * page)} text={t('Show more')} />}
    </Card>
  )
}

function GameDialog(p: { game: PlayedGame; level: LevelOf; onClose: () => void }) {
  const { game: g, level, onClose } = p
  const [deleting, setDeleting] = useState(false)
  const { trouble, attempt } = useAttempt()
  const bad = g.review && g.review.game.classes.mistake + g.review.game.classes.blunder
  return (
    <Dialog title={minute.format(g.when)} onClose={onClose}>
      <p class="dim">
        {sizeText(g.size)}
        {g.spawn !== 'random' && `, ${t('new tiles {rule}', { rule: ruleName(g.spawn) })}`}
        {g.start !== undefined && `, ${t('from a board that you chose')}`}, {t('{n} moves', { n: g.count })}
        {!g.over && `, ${t('not finished')}`}
      </p>
      <dl class="figures">
        <Figure main name={t('Score')} value={whole(g.score)} />
        <Figure name={t('Largest tile')} value={tileText(g.largest)} />
        <Figure name={t('Accuracy')} value={figure(accuracyOf(g, level))} />
        <Figure name={t('Mistakes')} value={bad === null ? '–' : whole(bad)} />
        <Figure name={t('Luckier than')} value={percent(luckOf(g))} />
      </dl>
      <Alert text={trouble} />
      {deleting && <p>{t('Delete this game for good?')}</p>}
      {deleting ? (
        <div class="row fill">
          <Button onClick={() => attempt(() => forget(g.uid).then(onClose))} text={t('Delete it')} />
          <Button kind="main" onClick={() => setDeleting(false)} text={t('Keep it')} />
        </div>
      ) : (
        <div class="row fill">
          <Button kind="main" onClick={() => attempt(() => open(g))} text={t('Review')} />
          <Button to={`play/${hashOf(g, 0)}`} text={t('Replay')} />
          <Button kind="plain" onClick={() => setDeleting(true)} text={t('Delete')} />
        </div>
      )}
    </Dialog>
  )
}

/** BackupCard writes and restores backups; empty: there are no games. */
function BackupCard({ empty }: { empty: boolean }) {
  const [found, setFound] = useState<Backup | null>(null)
  const [settings, setSettings] = useState(false)
  const [done, setDone] = useState<string[] | null>(null)
  const [trouble, setTrouble] = useState('')
  const write = async () => {
    offer(`afterstate-${new Date().toISOString().slice(0, 10)}.json`, 'application/json', await backup())
    await navigator.storage?.persist?.() // otherwise the browser may delete everything when space runs out
  }
  const showError = (e: unknown) => {
    setFound(null)
    const full = e instanceof Error && e.name === 'QuotaExceededError'
    setTrouble(full ? t('This browser has no room for this backup. Nothing was changed.') : complaint(e))
  }
  return (
    <div class="card">
      <p class="dim">
        {t(
          'A backup is one file with everything that this page stores: games, saved games, drills, experiments and settings. Restore it here or in another browser.',
        )}
      </p>
      {refusal && (
        <p class="bad" role="alert">
          {refusal}{' '}
          {t(
            'Nothing is lost yet: games that did not fit are kept in another store of this browser. Save a backup, then delete games or experiments, or free space on this device.',
          )}
        </p>
      )}
      <Alert text={trouble} />
      <div class="row fill">
        <Button
          kind={refusal ? 'main' : ''}
          icon="save"
          onClick={() => write().catch(showError)}
          text={t('Save a backup')}
        />
        <FileButton
          name={t('Backup in a file')}
          icon="open"
          accept=".json,application/json"
          onFile={(f) => {
            setTrouble('')
            setSettings(empty)
            f.text()
              .then((text) => setFound(readBackup(text)))
              .catch(showError)
          }}
          text={t('Restore')}
        />
      </div>
      {found && !done && (
        <Dialog title={t('Restore this backup?')} onClose={() => setFound(null)}>
          <p>
            {t('From {date}: {contents}.', {
              date: minute.format(new Date(found.written)),
              contents: contents(found),
            })}
          </p>
          <p class="dim">{t('The backup is added to what is stored here. Nothing is removed.')}</p>
          <Switch on={settings} onChange={setSettings} text={t('Restore its settings too')} />
          <div class="row fill">
            <Button
              kind="main"
              onClick={() => restore(found, settings).then(setDone, showError)}
              text={t('Restore')}
            />
            <Button kind="plain" onClick={() => setFound(null)} text={t('Cancel')} />
          </div>
        </Dialog>
      )}
      {done && (
        <Dialog title={t('Restored')} onClose={() => location.reload()}>
          <p class="lines" role="status">
            {done.join('\n') || t('Everything in this backup is already here.')}
          </p>
          <div class="row fill">
            <Button kind="main" onClick={() => location.reload()} text={t('Done')} />
          </div>
        </Dialog>
      )}
    </div>
  )
}
