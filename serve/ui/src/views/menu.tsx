// The menu of the page: what is not played.
import { t } from '../base/text'
import { engine } from '../engine/net'
import { Icon } from '../parts/ui'

/** Lab are the views for students and researchers. A browser alone has no workers. */
const lab: [string, string][] = [
  ['experiments', t('Compare')],
  ['training', t('Training')],
  ...(engine ? [] : [['workers', t('Workers')] as [string, string]]),
  ['watch/settings', t('Watch a player')],
]

export function Menu({ onOpen }: { onOpen: (dialog: 'help' | 'settings' | 'engine') => void }) {
  const item = (dialog: 'help' | 'settings' | 'engine', text: string, keys?: string) => (
    <button type="button" onClick={() => onOpen(dialog)} aria-label={text} aria-keyshortcuts={keys}>
      <Icon name={dialog} />
      {text}
      {keys && <kbd>{keys}</kbd>}
    </button>
  )
  return (
    <>
      <button type="button" class="button plain menu-button" popovertarget="menu" aria-label={t('Menu')}>
        <Icon name="menu" />
      </button>
      <div id="menu" popover="auto" onClick={(e) => e.currentTarget.hidePopover()}>
        {item('settings', t('Settings'))}
        {item('help', t('Help'), '?')}
        {engine && item('engine', t('Engine'))}
        <nav aria-labelledby="lab">
          <h2 id="lab">{t('Lab')}</h2>
          {lab.map(([hash, name]) => (
            <a key={hash} href={`#${hash}`}>
              <Icon name={hash.split('/')[0] ?? ''} />
              {name}
            </a>
          ))}
        </nav>
      </div>
    </>
  )
}
