// The dialogs of Play: the sheet, with everything that is neither a move nor a button under the board, and the
// question before a game in progress is replaced.
import { useState } from 'preact/hooks'
import { offer } from '../../base/offer'
import { has, load, save, useRedraw } from '../../base/store'
import { ago, sizeText, t, whole } from '../../base/text'
import { Choices, ruleName, Switch, sizes } from '../../parts/fields'
import { pageAddress, Share } from '../../parts/share'
import { AskButton, Button, DeleteButton, Dialog, Item } from '../../parts/ui'
import { ruleOf } from '../../rules/rules'
import type { OwnGame } from '../../state/game'
import type { Grader } from '../../state/grading'
import { fresh, gameKey, hashOf, type Kept, placeOf, recordOf } from '../../state/kept'
import { deleteSlot, minMoves, resumed, saveSlot, slots, unfinished } from '../../state/played'
import { review } from '../../state/reviewed'

/** focusBoard gives the keyboard focus to the board after a dialog has closed, because the dialog gives the
    focus to the element that opened it. */
export const focusBoard = () =>
  setTimeout(() => document.querySelector<HTMLElement>('.board')?.focus({ preventScroll: true }))

/** hintOptions returns whether hints are live, that is, appear without a request. */
export const hintOptions = () => load('hint', { live: false }, (v) => has(v, { live: 'boolean' }))

const rules = [0.1, 0, 0.2, 0.5, 1].map(ruleOf)

export function Sheet(p: {
  g: OwnGame
  grades: Grader
  onWatch: () => void
  onStart: (k: Kept) => void
  onClose: () => void
}) {
  const { g, grades } = p
  const { kept, state } = g
  const redraw = useRedraw()
  const other = (size: string, spawn: string) => {
    if (size !== kept.size || spawn !== kept.spawn)
      g.begin(unfinished(gameKey(size, spawn)) ?? fresh(size, spawn))
    p.onClose()
  }
  const act = (f: () => void) => () => {
    f()
    p.onClose()
  }
  return (
    <Dialog sheet title={t('Your game')} onClose={p.onClose}>
      <Choices
        heading
        class="chooser"
        label={t('Size')}
        value={kept.size}
        of={[...new Set([...sizes, kept.size])]}
        name={sizeText}
        onChange={(size) => other(size, kept.spawn)}
      />
      <Choices
        heading
        class="chooser"
        label={t('New tiles')}
        value={kept.spawn}
        of={[...new Set([...rules, kept.spawn])]}
        name={(rule) => (rule === 'random' ? t('usual') : ruleName(rule))}
        onChange={(rule) => other(kept.size, rule)}
      />
      <p class="dim">
        {t(
          'Each board size and each rule for new tiles has its own game. If you switch, the other games are kept.',
        )}
      </p>
      <div class="switches">
        <Switch on={grades.on} onChange={(on) => grades.turn(on)} text={t('Grade my moves')} />
        <Switch
          on={hintOptions().live}
          onChange={(live) => {
            save('hint', { live })
            redraw()
            g.tell()
          }}
          text={t('Show how good every move is')}
        />
      </div>
      <div class="row four">
        <Button icon="watch" disabled={state.over} onClick={act(p.onWatch)} text={t('Watch from here')} />
        <ShareGame g={g} />
        <Button
          icon="review"
          disabled={!state.moves}
          onClick={() => review(recordOf(kept), state.over)}
          text={t('Review')}
        />
        <AskButton of={state} spawn={kept.spawn} />
        <Button
          icon="redo"
          keys="R"
          disabled={!state.undone}
          onClick={act(() => g.redo())}
          text={t('Redo')}
        />
        <Button
          icon="open"
          onClick={() => offer('game.jsonl', 'application/json', `${recordOf(kept)}\n`)}
          text={t('Download')}
        />
      </div>
      <Saved g={g} onStart={(k) => act(() => p.onStart(k))()} />
    </Dialog>
  )
}

function Saved({ g, onStart }: { g: OwnGame; onStart: (k: Kept) => void }) {
  const [all, setAll] = useState(slots)
  return (
    <>
      <Button
        icon="save"
        onClick={() => {
          g.stored = saveSlot(g.kept)
          setAll(slots())
        }}
        text={t('Save to play on later')}
      />
      {all.length > 0 && (
        <>
          <h3>{t('Saved games')}</h3>
          <ul class="list">
            {all.map((x) => (
              <Item
                key={x.id}
                onClick={async () => onStart(await resumed(x))}
                beside={
                  <DeleteButton
                    of={t('the game with {n} {n|point|points}', { n: x.score })}
                    onClick={() => {
                      deleteSlot(x.id)
                      setAll(slots())
                    }}
                  />
                }
              >
                <span>
                  {sizeText(x.size)} · {whole(x.score)}
                  {x.spawn !== 'random' && ` · ${ruleName(x.spawn)}`}
                </span>
                <span class="dim">{ago(Date.now() - x.id)}</span>
              </Item>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

export const ShareGame = ({ g }: { g: OwnGame }) => (
  <Share
    board={g.state.board}
    address={() => pageAddress(`play/${hashOf(g.made(), g.state.moves)}`)}
    says={t('The link replays this game and opens it at this move.')}
    elsewhere={t('“Download” saves the game as a file that Games can open on any device.')}
  />
)

/** Replacing asks before a new game replaces the game in progress. */
export function Replacing(p: { by: Kept; game: OwnGame; onClose: () => void }) {
  const { game } = p
  const place = placeOf(p.by)
  const ends = (place !== placeOf(game.kept) && unfinished(place)) || game.kept
  const close = () => {
    p.onClose()
    focusBoard()
  }
  const start = (save: boolean) => () => {
    const stored = !save || saveSlot(ends)
    game.begin(p.by)
    if (!stored) game.stored = false
    close()
  }
  return (
    <Dialog title={t('Start another game?')} onClose={close}>
      <p>
        {t('The game you are playing would end: {n} {n|point|points}.', { n: ends.score })}{' '}
        {ends.count < minMoves
          ? t('Games with fewer than {n} moves are not kept.', { n: minMoves })
          : t('The game is kept in Games.')}{' '}
        {t('Save it to play on later.')}
      </p>
      <div class="row">
        <Button kind="main" onClick={start(true)} text={t('Save and start')} />
        <Button onClick={start(false)} text={t('Start without saving')} />
        <Button kind="plain" onClick={close} text={t('Keep playing')} />
      </div>
    </Dialog>
  )
}
