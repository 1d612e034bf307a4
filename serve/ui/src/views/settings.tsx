// What the visitor chooses for the whole page: language, colours, tiles, sound.
import { useState } from 'preact/hooks'
import { keepLooks, type Looks, looks, palettes, themes } from '../base/looks'
import { save, useStored } from '../base/store'
import { chosenLanguage, type Language, languages as languageNames, t } from '../base/text'
import { Mini } from '../parts/board'
import { Choices, Select, Switch } from '../parts/fields'
import { CloseButton, Dialog } from '../parts/ui'
import { chooseLevel, chosenLevel, levelName, levelNames } from '../state/strength'

const languages = ['auto', ...(Object.keys(languageNames) as Language[])] as const
const names = {
  ...languageNames,
  auto: t('System'),
  light: t('Light'),
  dark: t('Dark'),
  afterstate: 'Afterstate',
  classic: t('Original game'),
}
const fill = 'row fill'
const shown = [
  [2, 4, 8, 16, 32, 64],
  [128, 256, 512, 1024, 2048, 4096],
]

/** Choice is a row of buttons for named values. The name of a language is written in that language. */
const Choice = <T extends keyof typeof names>(p: Parameters<typeof Choices<T>>[0]) => (
  <Choices
    {...p}
    heading
    kind=""
    name={(x) => <span lang={x in languageNames ? x : undefined}>{names[x]}</span>}
  />
)

export function Settings({ onClose }: { onClose: () => void }) {
  const [now, set] = useState(looks)
  const [sound, setSound] = useStored('sound', false)
  const [level, setLevel] = useState(chosenLevel)
  const choose = (next: Partial<Looks>) => {
    const all = { ...now, ...next }
    keepLooks(all)
    set(all)
  }
  return (
    <Dialog title={t('Settings')} onClose={onClose}>
      <Choice
        label={t('Language')}
        value={chosenLanguage()}
        class="row four"
        of={languages}
        onChange={(language) => {
          save('language', language)
          location.reload() // the texts were chosen when the page was loaded
        }}
      />
      <Choice
        label={t('Colours')}
        value={now.theme}
        of={themes}
        onChange={(theme) => choose({ theme })}
        class={fill}
      />
      <Choice
        label={t('Tiles')}
        value={now.tiles}
        of={palettes}
        onChange={(tiles) => choose({ tiles })}
        class={fill}
      />
      <div class="sample">
        <Mini board={shown} />
      </div>
      {now.tiles === 'classic' && (
        <p class="dim">
          {t(
            'These colours are harder to read and to tell apart: numbers have less contrast, and all tiles above 2048 are dark.',
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
      <Switch on={sound} onChange={setSound} text={t('Sound: tones for merges in Play')} />
      <CloseButton onClick={onClose} />
    </Dialog>
  )
}
