// A backup of all that the page stores.

import { useState } from 'preact/hooks'
import { minute } from '../../base/format'
import { offer } from '../../base/offer'
import { t } from '../../base/text'
import { complaint } from '../../engine/net'
import { Switch } from '../../parts/fields'
import { Alert, Button, Dialog, FileButton } from '../../parts/ui'
import { type Backup, backup, contents, readBackup, restore } from '../../state/backup'
import { refusal } from '../../state/played'

/** BackupCard writes and restores backups; empty is whether no game is here. */
export function BackupCard({ empty }: { empty: boolean }) {
  const [found, setFound] = useState<Backup | null>(null)
  const [settings, setSettings] = useState(false)
  const [done, setDone] = useState<string[] | null>(null)
  const [trouble, setTrouble] = useState('')
  const write = async () => {
    offer(`afterstate-${new Date().toISOString().slice(0, 10)}.json`, 'application/json', await backup())
    await navigator.storage?.persist?.() // or else the browser may delete all when the device runs out of space
  }
  const told = (e: unknown) => {
    setFound(null)
    const full = e instanceof Error && e.name === 'QuotaExceededError'
    setTrouble(
      full ? t('This browser has no room for what the backup holds. Nothing was changed.') : complaint(e),
    )
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
            'Nothing is lost yet: the games that found no room wait in another place. Write a backup, then delete games or experiments, or free space on this device.',
          )}
        </p>
      )}
      <Alert text={trouble} />
      <div class="row fill">
        <Button
          kind={refusal ? 'main' : ''}
          icon="save"
          onClick={() => write().catch(told)}
          text={t('Write a backup')}
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
              .catch(told)
          }}
          text={t('Restore')}
        />
      </div>
      {found && !done && (
        <Dialog title={t('Restore this backup?')} onClose={() => setFound(null)}>
          <p>
            {t('Of {date}: {contents}.', {
              date: minute.format(new Date(found.written)),
              contents: contents(found),
            })}
          </p>
          <p class="dim">{t('It is added to what is here. Nothing here is removed.')}</p>
          <Switch on={settings} onChange={setSettings} text={t('Take its settings too')} />
          <div class="row fill">
            <Button
              kind="main"
              onClick={() => restore(found, settings).then(setDone, told)}
              text={t('Restore')}
            />
            <Button kind="plain" onClick={() => setFound(null)} text={t('Cancel')} />
          </div>
        </Dialog>
      )}
      {done && (
        <Dialog title={t('Restored')} onClose={() => location.reload()}>
          <p class="lines" role="status">
            {done.join('\n') || t('Everything of it is here already.')}
          </p>
          <div class="row fill">
            <Button kind="main" onClick={() => location.reload()} text={t('Done')} />
          </div>
        </Dialog>
      )}
    </div>
  )
}
