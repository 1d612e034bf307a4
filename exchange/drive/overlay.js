// Shows the recommended move over the page: `advice` has a move, a title and a note; null removes the panel. The
// styles are set through objects, since a page may forbid style elements and attributes. Clicks pass to the page.
(advice) => {
  const id = '__afterstate'
  let box = globalThis[id]
  if (!advice) {
    box?.host.remove()
    globalThis[id] = undefined
    return
  }
  if (!box) {
    const host = document.createElement('div')
    const root = host.attachShadow({ mode: 'closed' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`
      :host { all: initial; position: fixed; z-index: 2147483647; left: 0; right: 0; bottom: 0; display: flex; justify-content: center;
        padding: 0 12px calc(12px + env(safe-area-inset-bottom)); pointer-events: none; }
      @media (min-width: 1000px) and (max-height: 860px) { :host { justify-content: flex-end; } } /* beside the board */
      div { display: flex; align-items: center; gap: 14px; max-width: 100%; box-sizing: border-box; padding: 8px 18px 8px 8px;
        border-radius: 16px; border: 2px solid #fff; background: #1d2b3a; color: #fff; box-shadow: 0 4px 18px rgba(0, 0, 0, .4); font: 15px/1.3 system-ui, sans-serif; }
      svg { flex: none; width: 52px; height: 52px; border-radius: 10px; background: #ffd166; }
      path { fill: none; stroke: #1d2b3a; stroke-width: 4; stroke-linecap: round; stroke-linejoin: round; }
      b { display: block; font-size: 21px; font-weight: 700; }
      span { display: block; color: #d5dde6; overflow-wrap: anywhere; }
      .old { opacity: .75; }
      [hidden] { display: none; }`)
    root.adoptedStyleSheets = [sheet]
    const panel = document.createElement('div')
    panel.setAttribute('role', 'status')
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
    svg.setAttribute('viewBox', '-12 -12 24 24')
    svg.setAttribute('aria-hidden', 'true')
    const arrow = document.createElementNS('http://www.w3.org/2000/svg', 'path')
    arrow.setAttribute('d', 'M0 8V-8M-6.5 -1.5L0 -8L6.5 -1.5')
    svg.append(arrow)
    const text = document.createElement('p')
    text.style.margin = '0'
    const title = document.createElement('b')
    const note = document.createElement('span')
    text.append(title, note)
    panel.append(svg, text)
    root.append(panel)
    box = globalThis[id] = { host, panel, svg, arrow, title, note }
  }
  if (!box.host.isConnected) document.documentElement.append(box.host)
  box.host.dataset.afterstate = advice.move
  box.host.dataset.board = advice.board
  const turn = { up: 0, right: 90, down: 180, left: 270 }[advice.move]
  box.svg.toggleAttribute('hidden', turn === undefined)
  if (turn !== undefined) box.arrow.setAttribute('transform', `rotate(${turn})`)
  box.panel.className = advice.old ? 'old' : ''
  if (box.title.textContent !== advice.title) box.title.textContent = advice.title
  box.note.textContent = advice.note
}
