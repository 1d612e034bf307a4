// The game that Review shows, or the ways to open one: a file, text, an example, a screen recording.
import { useEffect, useState } from 'preact/hooks'
import { isFilm, useFiles } from '../../base/files'
import { go } from '../../base/route'
import { clock, t } from '../../base/text'
import { link, useAttempt } from '../../engine/net'
import { base64 } from '../../engine/picture'
import { Field, Select } from '../../parts/fields'
import { Alert, Button, Card, FileButton } from '../../parts/ui'
import { reviewed, setReviewed } from '../../state/reviewed'
import type { FileGame, FootageGames, FootagePart, ReviewSummary, TimeSpan } from '../../types'
import { maxPictureBytes } from '../../types'
import { Reviewing } from './reviewing'

export function ReviewView({ parts }: { parts: string[] }) {
  const [record, setRecord] = useState(reviewed)
  const [shared, setShared] = useState<File | null>(null) // shared by another app
  const [opened, setOpened] = useState<{ record: string; info: ReviewSummary } | null>(null)
  const { trouble, attempt } = useAttempt()

  useEffect(() => {
    if (!record) return
    attempt(async () => {
      setOpened(null)
      const info = await link.insist('review.open', { record })
      if (record !== reviewed()) setReviewed(record, 'mistake')
      setOpened({ record, info })
    }, 'review.open: ')
  }, [record])

  useEffect(() => {
    if (parts[0] !== 'given') return
    go('review/open', true)
    const given = async () => setShared((await (await import('../../base/given')).given()).picture ?? null)
    given().catch(() => {})
  }, [parts[0]])

  if (opened && parts[0] !== 'open') return <Reviewing key={opened.record} {...opened} />
  if (record && record === reviewed() && !trouble && parts[0] !== 'open')
    return <p class="dim">{t('Loading…')}</p>
  return (
    <div class="stack narrow">
      <div class="row">
        <Button icon="back" to="games" text={t('Games')} />
      </div>
      <Card title={t('A game to review')}>
        <Load
          shared={shared}
          onRecord={(r) => {
            setShared(null)
            setRecord(r)
            go('review', true)
            scrollTo(0, 0)
          }}
          trouble={trouble}
        />
      </Card>
    </div>
  )
}

const example =
  '{"afterstate_record":1,"size":"4x4","spawn":"random","p4":0.1,"seed":3,"game":0,"player":"snake(depth=0)",' +
  '"board":[[256,64,128,2],[16,2,64,32],[8,32,16,8],[2,4,8,4]],"score":3472,"move_count":287,"moves":' +
  '"zAzMAvHAxMwNEwRNwPAQdMAcExBMzANEQFEAP090FDwwMPEERMxBBEHcTQwERDxH3AHxzBMTzBPEDMcMUww8MDE3wEcwRE0c"}'

/** useOpened reads files. If a file contains a single complete game, the game is passed to onRecord at once.
    Otherwise file holds what was found, and choose opens one of the games. */
function useOpened(onRecord: (record: string) => void) {
  const [file, setFile] = useState<(FileGame & { data: string }) | null>(null)
  const { trouble, setTrouble, attempt } = useAttempt()
  const known = 'review.read: data: '
  const read = (from: Blob) =>
    attempt(async () => {
      if (from.size > maxPictureBytes) throw new Error(t('The file is too large: at most 20 MB.'))
      const data = await base64(from)
      const found = await link.alone('review.read', { data })
      if (found.games === 1 && found.lost.length === 0) onRecord(found.record)
      else setFile({ ...found, data })
    }, known)
  const choose = (data: string, game: number) =>
    attempt(async () => onRecord((await link.alone('review.read', { data, game })).record), known)
  return { file, setFile, trouble, setTrouble, read, choose }
}

/** Load takes a game from a file of any format, from text, or an example. */
function Load(p: { onRecord: (r: string) => void; trouble: string; shared: File | null }) {
  const { onRecord, shared } = p
  const [text, setText] = useState('')
  const { file, setFile, trouble, setTrouble, read, choose } = useOpened(onRecord)
  const [name, setName] = useState('') // of the file
  const [film, setFilm] = useState<File | null>(null) // a screen recording
  const begin = (f: File | null, typed = '') => {
    setName(f?.name ?? '')
    setText(typed)
    setTrouble('')
    setFile(null)
    setFilm(f && isFilm(f) ? f : null)
  }
  const take = (f: File) => {
    begin(f)
    if (!isFilm(f)) void read(f)
  }
  useEffect(() => {
    if (shared) take(shared)
  }, [shared])
  const over = useFiles(take)
  return (
    <div class="stack tight picture" data-over={over ? '' : undefined}>
      <p class="dim">
        {t(
          'See which moves of a game were mistakes. Open a file downloaded in Play, a replay of another site or program, or a screen recording of any 2048 game.',
        )}
      </p>
      <div class="row">
        <FileButton
          name={t('Game in a file, or a screen recording')}
          icon="open"
          onFile={take}
          text={t('Open a file')}
        />
        <span class="dim">{name}</span>
      </div>
      {film && <FilmInput file={film} onRecord={onRecord} onCancel={() => begin(null)} />}
      <Field label={t('Game as text')}>
        <textarea
          rows={3}
          spellcheck={false}
          value={text}
          onInput={(e) => begin(null, e.currentTarget.value)}
        />
      </Field>
      <Alert text={trouble || p.trouble} />
      {file ? (
        <OneOf key={file.data} found={file} onChoose={(game) => choose(file.data, game)} />
      ) : (
        <div class="row">
          <Button
            kind="main"
            disabled={!text.trim()}
            onClick={() => read(new Blob([text]))}
            text={t('Review it')}
          />
          <Button onClick={() => onRecord(example)} text={t('Show an example')} />
        </div>
      )}
    </div>
  )
}

/** OneOf shows what a file contains, and chooses one of its games, which are counted from 0. */
function OneOf({ found, onChoose }: { found: FileGame; onChoose: (game: number) => void }) {
  const [game, setGame] = useState('1') // the number as typed
  const number = Number(game)
  return (
    <>
      <p role="status">
        {t('{n|One game|# games} in the format {format}.', { n: found.games, format: found.format })}
        {found.lost.length > 0 && ` ${t('Not imported: {list}.', { list: found.lost.join(', ') })}`}
      </p>
      {found.games > 1 && (
        <Field label={t('Game, 1 to {n}', { n: found.games })}>
          <input
            type="number"
            min={1}
            max={found.games}
            value={game}
            onInput={(e) => setGame(e.currentTarget.value)}
          />
        </Field>
      )}
      <div class="row">
        <Button
          kind="main"
          disabled={!(Number.isInteger(number) && number >= 1 && number <= found.games)}
          onClick={() => onChoose(number - 1)}
          text={t('Review this game')}
        />
      </div>
    </>
  )
}

const partText = (p: FootagePart) =>
  t('{from} to {to}: {n|one move|# moves}', { from: clock(p.from_ms), to: clock(p.to_ms), n: p.moves })

function gapText(gaps: TimeSpan[]) {
  if (gaps.length === 0) return t('No move is missing.')
  const times = gaps.map((g) => clock(g.from_ms)).join(', ')
  return t('{n|One gap|# gaps}, at {times}: moves are missing there.', { n: gaps.length, times })
}

/** FilmInput reads a recording, and calls onRecord with its game, or with the chosen part. */
function FilmInput(p: { file: File; onRecord: (record: string) => void; onCancel: () => void }) {
  const { file } = p
  const [share, setShare] = useState(0)
  const [film, setFilm] = useState<FootageGames | null>(null)
  const [trouble, setTrouble] = useState('')
  const [chosen, setChosen] = useState(0)
  useEffect(() => {
    const stop = new AbortController()
    setFilm(null)
    setTrouble('')
    const footage = import('../../state/footage')
    footage
      .then((m) => m.readFilm(file, stop.signal, setShare))
      .then((f) => {
        const moves = f.parts.map((part) => part.moves)
        setChosen(moves.indexOf(Math.max(0, ...moves)))
        setFilm(f)
      })
      .catch(async (e: unknown) => {
        if (!stop.signal.aborted) setTrouble((await footage).troubleOf(e))
      })
    return () => stop.abort()
  }, [file])
  const cancel = <Button onClick={p.onCancel} text={t('Cancel')} />
  if (trouble)
    return (
      <>
        <Alert lines text={trouble} />
        <div class="row">{cancel}</div>
      </>
    )
  if (!film)
    return (
      <div class="offer" role="group" aria-label={t('Screen recording')}>
        <p role="status">{t('Reading the recording…')}</p>
        <progress max={1} value={share} aria-label={t('Reading the recording…')} />
        {cancel}
      </div>
    )
  const part = film.parts[chosen]
  const moves = film.parts.reduce((sum, p) => sum + p.moves, 0)
  return (
    <>
      <p role="status">
        {part ? `${t('{n|One move|# moves}.', { n: moves })} ${gapText(film.gaps)}` : t('No moves found.')}
      </p>
      {film.parts.length > 1 && (
        <Select
          label={t('Part to review')}
          value={chosen}
          of={[...film.parts.keys()]}
          name={(i) => partText(film.parts[i] as FootagePart)}
          onChange={setChosen}
        />
      )}
      <div class="row">
        {part && <Button kind="main" onClick={() => p.onRecord(part.record)} text={t('Review this game')} />}
        {cancel}
      </div>
    </>
  )
}
