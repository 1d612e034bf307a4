// Waits at most `ms` for a settled board that differs from the one with the key `last`, and returns it as JSON. A
// board is settled if two frames in a row show it, or if the saved game agrees with it: while tiles move, the
// original page shows them at their old places for a frame.
// The page's game in local storage is used if `useSaved` is true.
async (useSaved, last, ms) => {
  const idle = 1000 // ms without a frame
  const shown = (selector) => {
    const e = document.querySelector(selector)
    return e !== null && (e.checkVisibility ? e.checkVisibility() : e.offsetParent !== null)
  }
  const finite = (n) => (Number.isFinite(n) ? n : -1) // -1, which is not a tile, for what JSON cannot hold
  const count = (selector) => document.querySelectorAll(selector).length

  // saved returns the game in local storage, or null if there is none in the original page's form.
  const saved = () => {
    try {
      const s = useSaved ? JSON.parse(localStorage.getItem('gameState')) : null
      const columns = s.grid.cells
      const n = s.grid.size
      if (!(n >= 2 && n <= 6) || columns.length !== n || columns.some((c) => c.length !== n)) return null
      const cells = []
      for (let y = 0; y < n; y++) for (let x = 0; x < n; x++) cells.push(finite(Number(columns[x][y]?.value ?? 0)))
      return { cells, n, score: Number(s.score) }
    } catch {
      return null
    }
  }

  const size = (state) => {
    const rows = count('.grid-container .grid-row')
    const cells = count('.grid-container .grid-cell')
    if (rows > 0 && cells % rows === 0) return [rows, cells / rows]
    return state ? [state.n, state.n] : [4, 4]
  }

  const tileElements = '.tile-container .tile'
  const classed = (element, pattern) => {
    for (const c of element.classList) {
      const m = pattern.exec(c)
      if (m) return m.groups
    }
    return null
  }

  // tiles reads elements whose classes have the place and the value. Where tiles overlap, the
  // largest is the result of their merge.
  const tiles = (rows, cols) => {
    const all = document.querySelectorAll(tileElements)
    if (all.length > 1000) throw new Error(`${tileElements} finds ${all.length} elements`)
    const cells = Array(rows * cols).fill(0)
    for (const e of all) {
      const p = classed(e, /^tile-position-(?<col>\d+)-(?<row>\d+)$/)
      const v = classed(e, /^tile-(?<value>\d+)$/)
      if (!p || !v) continue
      const row = Number(p.row) - 1
      const col = Number(p.col) - 1
      if (!(row >= 0 && row < rows && col >= 0 && col < cols)) throw new Error(`a tile in row ${row + 1}, column ${col + 1} of a board of ${rows}x${cols}`)
      cells[row * cols + col] = Math.max(cells[row * cols + col], finite(Number(v.value)))
    }
    return cells
  }

  // read returns what the page shows now. A page that is not being drawn may show an old board or none, so the saved
  // game is used instead. A page that is loading first gets time to draw its board, since the saved game may be that of
  // another page.
  const read = (begun, undrawn) => {
    const state = saved()
    const [rows, cols] = size(state)
    let cells = tiles(rows, cols)
    let agreed = false
    if (state) {
      const unseen = count(tileElements) === 0 // a page without tile elements
      if (begun && (unseen || undrawn)) cells = state.cells
      agreed = cells.join() === state.cells.join()
    }
    const at = { origin: location.origin, rows, cols, cells, won: shown('.game-message.game-won'), over: shown('.game-message.game-over'), agreed, begun, saved: state && state.cells, score: null }
    const text = parseInt(document.querySelector('.score-container')?.textContent ?? '', 10)
    const score = agreed ? state.score : text
    if (Number.isSafeInteger(score) && score >= 0) at.score = score
    at.key = [at.cells.join(), at.won, at.over].join(' ')
    return at
  }

  // frame waits for the next frame, and returns true if one was drawn: a hidden tab draws few or none.
  const frame = () => new Promise((next) => {
    requestAnimationFrame(() => next(true))
    setTimeout(next, idle, false)
  })

  const start = performance.now()
  let before = null // what was read last
  let since = 0 // when it was read first
  let frameAt = start // of the last frame; a visible page on a busy machine may take seconds for one
  let frames = 0
  let unequal = 0 // frames in a row that show another board than the saved game
  for (let drawn = false; ; drawn = await frame()) {
    let now
    if (drawn) {
      frameAt = performance.now()
      frames++
    }
    const time = performance.now()
    // A tab is hidden for a while before it is brought to the front. Until it has drawn its board, the saved game may be
    // that of another page. In the first call, when `last` is empty, the saved game does not replace tiles that it shows.
    const wait = (document.hidden ? 3 : 2) * idle
    try {
      now = read(
        last !== '' || ((document.hidden ? document.readyState === 'complete' : frames > 1) && time - start > wait),
        last !== '' && !drawn && time - frameAt > (document.hidden ? 1 : 2) * idle,
      )
    } catch (e) {
      now = { origin: location.origin, error: String(e?.message ?? e).slice(0, 300) }
    }
    const differs = now.saved && !now.agreed
    unequal = differs ? unequal + drawn : 0
    const same = !now.error && !differs && now.key === before
    if (!same) since = time
    const settled = now.agreed || (same && (drawn || time - since > 3 * idle))
    if (!now.error && !differs && settled && now.key !== last) return JSON.stringify({ ...now, settled: true })
    // The page shows a move two frames after it saves it. On a busy machine that may be seconds later: less than
    // answerTime of page.go.
    const late = differs && frames > 0 && !document.hidden && unequal < 5 && time < start + ms + 10 * idle
    if (time > start + ms && !late) return JSON.stringify(now)
    before = now.error || differs ? null : now.key
  }
}
