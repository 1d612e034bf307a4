// What the visitor chooses for the whole page: language, colours, tiles, sound.

import { useState } from 'preact/hooks'
import { keepLooks, type Looks, looks, palettes, themes } from '../base/looks'
import { load, save } from '../base/store'
import { chosenLanguage, type Language, languages as languageNames, t } from '../base/text'
import { Mini } from '../parts/board'
import { Choices, Select, Switch } from '../parts/fields'
import { CloseButton, Dialog } from '../parts/ui'
import { chooseLevel, chosenLevel, levelName, levelNames } from '../state/levels'

const languages: readonly (Language | 'auto')[] = ['auto', ...(Object.keys(languageNames) as Language[])]
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
      <h3>{t('Language')}</h3>
      <Choices
        label={t('Language')}
        kind=""
        class="row four"
        of={languages.map((l) => (l === 'auto' ? names.auto : <span lang={l}>{languageNames[l]}</span>))}
        at={languages.indexOf(chosenLanguage())}
        onPick={(i) => {
          save('language', languages[i])
          location.reload() // the texts were chosen when the page was loaded
        }}
      />
      <h3>{t('Colours')}</h3>
      <Choices
        label={t('Colours')}
        kind=""
        class="row fill"
        of={themes.map((theme) => names[theme])}
        at={themes.indexOf(now.theme)}
        onPick={(i) => choose({ theme: themes[i] ?? 'auto' })}
      />
      <h3>{t('Tiles')}</h3>
      <Choices
        label={t('Tiles')}
        kind=""
        class="row fill"
        of={palettes.map((tiles) => names[tiles])}
        at={palettes.indexOf(now.tiles)}
        onPick={(i) => choose({ tiles: palettes[i] ?? 'afterstate' })}
      />
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
