import { useEffect, useState } from 'preact/hooks'
import { isFilm, useFiles } from '../../base/files'
import { go } from '../../base/route'
import { t } from '../../base/text'
import { useAttempt } from '../../engine/attempt'
import { complaint, link } from '../../engine/net'
import { base64 } from '../../engine/picture'
import { Field } from '../../parts/fields'
import { later } from '../../parts/later'
import { Alert, Button, Card, FileButton } from '../../parts/ui'
import { reviewed, setReviewed } from '../../state/reviewed'
import { type FileGame, maxPictureBytes, type ReviewSummary } from '../../types'
import { Reviewing } from './reviewing'

const FilmInput = later<Parameters<typeof import('./film').FilmInput>[0]>(
  async () => (await import('./film')).FilmInput,
)

export function ReviewView({ parts }: { parts: string[] }) {
  const [record, setRecord] = useState(reviewed)
  const [shared, setShared] = useState<File | null>(null) // by another app
  const [opened, setOpened] = useState<{ record: string; info: ReviewSummary } | null>(null)
  const [trouble, setTrouble] = useState('')

  useEffect(() => {
    if (!record) return
    setTrouble('')
    link.insist('review.open', { record }).then(
      (info) => {
        if (record !== reviewed()) setReviewed(record, 'mistake')
        setOpened({ record, info })
      },
      (e: unknown) => {
        setTrouble(complaint(e, 'review.open: '))
        setOpened(null)
      },
    )
  }, [record])

  useEffect(() => {
    if (parts[0] !== 'given') return
    go('review/open', true)
    import('../../base/given')
      .then((m) => m.given())
      .then((g) => setShared(g.picture ?? null))
      .catch(() => {})
  }, [parts[0]])

  if (opened && parts[0] !== 'open') return <Reviewing key={opened.record} {...opened} />
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

/** Load takes a game from a file of any format, from text, or an example. */
function Load(p: { onRecord: (r: string) => void; trouble: string; shared: File | null }) {
  const { onRecord, shared } = p
  const [text, setText] = useState('')
  const [file, setFile] = useState<{ data: string; found: FileGame } | null>(null)
  const [game, setGame] = useState('1') // as it is typed
  const { trouble: wrong, setTrouble: setWrong, attempt } = useAttempt()
  const [name, setName] = useState('') // of the file
  const [film, setFilm] = useState<File | null>(null) // a screen recording
  /** open reads a file; one with several games, or with something that is lost, is shown first. */
  const open = (from: Blob) => {
    setFile(null)
    setGame('1')
    return attempt(async () => {
      if (from.size > maxPictureBytes) throw new Error(t('The file is too large: must be at most 20 MB.'))
      const data = await base64(from)
      const found = await link.alone('review.read', { data })
      if (found.games === 1 && found.lost.length === 0) onRecord(found.record)
      else setFile({ data, found })
    }, 'review.read: data: ')
  }
  const take = (f: File) => {
    setName(f.name)
    setText('')
    setWrong('')
    setFile(null)
    setFilm(isFilm(f) ? f : null)
    if (!isFilm(f)) void open(f)
  }
  useEffect(() => {
    if (shared) take(shared)
  }, [shared])
  const over = useFiles(
    () => true,
    take,
    () => {},
  )
  const number = Number(game)
  const choose = (data: string) =>
    attempt(
      async () => onRecord((await link.alone('review.read', { data, game: number - 1 })).record),
      'review.read: data: ',
    )
  const example = async () => {
    const made = await link.insist('watch.start', {
      player: 'snake(depth=0)',
      size: '4x4',
      seed: 3,
      moves_per_s: 0,
      until: 512,
    })
    for (let i = 0; i < 50; i++) {
      await new Promise((done) => setTimeout(done, 100))
      const list = await link.insist('watch.list', {})
      const g = list.games.find((x) => x.id === made.id)
      if (g && (g.over || Math.max(...g.board.flat()) >= 512)) break
    }
    onRecord((await link.insist('watch.record', { id: made.id })).record)
  }
  return (
    <div class="stack tight picture" data-over={over ? '' : undefined}>
      <p class="dim">
        {t(
          'Step through a game and see which moves were mistakes, and what another player would have done. Play and Watch have a Review button. You can also open a record that Play downloads, or a replay of another site or program: 2048verse, 2048next, 2048EndgameTablebase, 2048-Framework, CSV and others.',
        ) +
          ' ' +
          t('A screen recording of any 2048 game is read, too.')}
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
      {film && (
        <FilmInput
          file={film}
          onRecord={onRecord}
          onCancel={() => {
            setFilm(null)
            setName('')
          }}
        />
      )}
      <Field label={t('Game as text')}>
        <textarea
          rows={3}
          spellcheck={false}
          value={text}
          onInput={(e) => {
            setText(e.currentTarget.value)
            setFile(null) // the button is for one of both
            setFilm(null)
            setName('')
          }}
        />
      </Field>
      {file && (
        <>
          <p role="status">
            {t('{n|One game|# games} in the format {format}.', {
              n: file.found.games,
              format: file.found.format,
            })}
            {file.found.lost.length > 0 && ` ${t('Not kept: {list}.', { list: file.found.lost.join(', ') })}`}
          </p>
          {file.found.games > 1 && (
            <Field label={t('Game, 1 to {n}', { n: file.found.games })}>
              <input
                type="number"
                min={1}
                max={file.found.games}
                value={game}
                onInput={(e) => setGame(e.currentTarget.value)}
              />
            </Field>
          )}
        </>
      )}
      <Alert text={wrong || p.trouble} />
      <div class="row">
        {file ? (
          <Button
            kind="main"
            disabled={!(Number.isInteger(number) && number >= 1 && number <= file.found.games)}
            onClick={() => choose(file.data)}
            text={t('Review this game')}
          />
        ) : (
          <Button
            kind="main"
            disabled={!text.trim()}
            onClick={() => open(new Blob([text]))}
            text={t('Review it')}
          />
        )}
        <Button onClick={example} text={t('Show an example')} />
      </div>
    </div>
  )
}
