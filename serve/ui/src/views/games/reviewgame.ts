// A reviewed game at one of its moves, which may be tried again.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { direction, letter, onControl, useKeys } from '../../base/keys'
import { t } from '../../base/text'
import { useReplay } from '../../parts/replay'
import { showBoard } from '../../parts/ui'
import { classInfo, faults, found, turningPoint, useJudged } from '../../state/judge'
import { place, setPlace } from '../../state/reviewed'
import { useLevel } from '../../state/strength'
import type { Dir, MoveReview, ReviewSummary } from '../../types'

/** Trial is a move that a person tries again. */
export interface Trial {
  move: Dir | null // the last answer
  shown: boolean // the answer of the judge is shown
}

const none: MoveReview[] = []

export type Review = ReturnType<typeof useReview>

export function useReview(record: string, info: ReviewSummary) {
  const [seeking, setSeeking] = useState(() => place() === 'mistake')
  const replay = useReplay(
    record,
    info.moves,
    seeking ? info.moves : Math.min(info.moves, Number(place())),
    false,
  )
  const { at } = replay // number of moves made
  const [trial, setTrial] = useState<Trial | null>(null)
  const [player, setPlayer] = useState('') // spec of the judge that the visitor chose; empty: a level judges
  const level = useLevel(info.player, info.size)
  const by = player ? { player } : level === null ? null : { level }
  const { judged, trouble, again } = useJudged(record, by, info.moves)
  const boardside = useRef<HTMLDivElement>(null)
  const values = judged?.moves ?? none
  const wrong = useMemo(() => faults(values), [values]) // memoized: a game may have 60,000 moves
  const v = values[at]
  const known = found(judged, info.moves)
  const to = (n: number) => {
    setSeeking(false)
    setTrial(null)
    replay.to(n)
  }
  useEffect(() => {
    if (!seeking) setPlace(at)
  }, [seeking, at])
  useEffect(() => {
    if (!seeking || !judged?.done || (known < 1 && !trouble)) return
    to(turningPoint(judged) ?? at)
  }, [seeking, known, trouble])
  return {
    ...{ record, info, at, trial, seeking, known, judged, trouble, again, values, wrong, v, boardside, to },
    ...{ player, setPlayer, setTrial },
    shown: replay.shown,
    hidden: trial !== null && !trial.shown,
    before: wrong.filter((m) => m.move < at).at(-1),
    after: wrong.find((m) => m.move > at),
    atText:
      at < info.moves
        ? t('{n} of {all}', { n: at + 1, all: info.moves })
        : t('end, after {n}', { n: info.moves }),
    /** pick shows a move, and scrolls to the board. */
    pick: (n: number) => {
      to(n)
      showBoard(boardside.current)
    },
    tries: () => {
      if (!v || v.class === 'forced') return
      setTrial({ move: null, shown: false })
      showBoard(boardside.current)
    },
    answer: (d: Dir) => v?.moves[d] && setTrial({ move: d, shown: !classInfo[v.moves[d].class].bad }),
    reveal: () => trial && setTrial({ ...trial, shown: true }),
  }
}

export function useReviewKeys(r: Review) {
  const { at, trial, hidden, before, after } = r
  useKeys((e) => {
    const d = direction(e)
    const range = e.target instanceof HTMLElement && e.target.matches('input[type=range]')
    if (hidden && d) r.answer(d)
    else if (trial && e.key === 'Escape') r.setTrial(null)
    else if (hidden && e.key === 'Enter' && !onControl(e)) r.reveal()
    else if (letter(e) === 't') r.tries()
    else if (letter(e) === 'm' && e.shiftKey) before && r.pick(before.move)
    else if (letter(e) === 'm') after && r.pick(after.move)
    else if (letter(e) === 'n' || (e.key === 'ArrowRight' && !range)) r.to(at + 1)
    else if (letter(e) === 'b' || (e.key === 'ArrowLeft' && !range)) r.to(at - 1)
    else if (e.key === 'Home' && !range) r.to(0)
    else if (e.key === 'End' && !range) r.to(r.info.moves)
    else return false
    return true
  })
}
