// What the visitor chooses for the whole page: language, colours, tiles, sound.

import { useState } from 'preact/hooks'
import { keepLooks, type Looks, looks, palettes, themes } from '../base/looks'
import { load, save } from '../base/store'
import { chosenLanguage, type Language, languages, t } from '../base/text'
import { Mini } from '../parts/board'
import { Select, Switch } from '../parts/fields'
import { Button, CloseButton, Dialog } from '../parts/ui'
import { chooseLevel, chosenLevel, levelName, levelNames } from '../state/levels'

const names = {
  auto: t('System'),
  light: t('Light'),
  dark: t('Dark'),
  afterstate: 'Afterstate',
  classic: t('Original game'),
}
const shown = [
  [2, 4, 8, 16, 32, 64],
  [128, 256, 512, 1024, 2048, 4096],
]

export function Settings({ onClose }: { onClose: () => void }) {
  const [now, set] = useState(looks)
  const [sound, setSound] = useState(() => load('sound', false))
  const [level, setLevel] = useState(chosenLevel)
  const choose = (next: Partial<Looks>) => {
    const all = { ...now, ...next }
    keepLooks(all)
    set(all)
  }
  return (
    <Dialog title={t('Settings')} onClose={onClose}>
      <div class="stack tight" role="group" aria-labelledby="language">
        <h3 id="language">{t('Language')}</h3>
        <div class="row four">
          {(['auto', ...Object.keys(languages)] as const).map((l) => (
            <Button
              key={l}
              pressed={chosenLanguage() === l}
              onClick={() => {
                save('language', l)
                location.reload() // the texts were chosen when the page was loaded
              }}
              text={l === 'auto' ? t('System') : <span lang={l}>{languages[l as Language]}</span>}
            />
          ))}
        </div>
      </div>
      <div class="stack tight" role="group" aria-labelledby="colours">
        <h3 id="colours">{t('Colours')}</h3>
        <div class="row fill">
          {themes.map((theme) => (
            <Button
              key={theme}
              pressed={now.theme === theme}
              onClick={() => choose({ theme })}
              text={names[theme]}
            />
          ))}
        </div>
      </div>
      <div class="stack tight" role="group" aria-labelledby="tiles">
        <h3 id="tiles">{t('Tiles')}</h3>
        <div class="row fill">
          {palettes.map((tiles) => (
            <Button
              key={tiles}
              pressed={now.tiles === tiles}
              onClick={() => choose({ tiles })}
              text={names[tiles]}
            />
          ))}
        </div>
        <div class="sample">
          <Mini board={shown} />
        </div>
        {now.tiles === 'classic' && (
          <p class="dim">
            {t(
              'These are harder to read and to tell apart: numbers have less contrast, and all tiles above 2048 are dark.',
            )}
          </p>
        )}
      </div>
      <Select
        label={t('Level that judges your moves')}
        value={level}
        of={['', ...levelNames]}
        name={(l) => (l ? levelName(l) : t('By my scores'))}
        onChange={(l) => {
          setLevel(l)
          chooseLevel(l)
        }}
      />
      <Switch
        on={sound}
        onChange={(on) => {
          setSound(on)
          save('sound', on)
        }}
        text={t('Sound: tones for merges in Play')}
      />
      <CloseButton onClick={onClose} />
    </Dialog>
  )
}
