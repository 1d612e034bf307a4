// How the game goes, the keys, and the words of the page.
import { Button, Dialog } from '../ui'

export function Help(p: { onClose: () => void }) {
  const touch = matchMedia('(pointer: coarse)').matches
  const keys: [string, string][] = [
    ['Arrows, WASD, HJKL', 'move'], ['U, Ctrl Z', 'undo'], ['R, Ctrl Y', 'redo'], ['Space', 'Play: hint. Watch: pause or resume'], ['E', 'Play: reasons for the hint'],
    ['N', 'Play: new game. Watch and Review: one move forward'], ['B', 'Watch and Review: one move back'],
    ['M, Shift M', 'Review: next and previous mistake'], ['T', 'Review and Practice: try again here. Enter shows the answer'],
    ['Enter, 2, 4', 'Ask: place the new tile after a move; arrows choose its cell'], ['?', 'this help'],
  ]
  const words: [string, string][] = [
    ['player', 'a program that chooses moves. “Strongest” gives the strongest answers for the board’s size, “strong and fast” plays almost as well; others follow simple rules.'],
    ['spec', 'a player as programs write it, such as best or expectimax(plies=2). A field for a player takes one too.'],
    ['value', 'how good a player finds a move: the points it expects still to come, or a number of its own scale (“heuristic”). The best move shows its value, the others how much less they are worth.'],
    ['moves ahead, boards', 'how many of its moves a player has looked ahead, and at how many boards. Specs call them plies and nodes.'],
    ['seed', 'the number that decides where new tiles appear. The same seed and moves give the same game.'],
  ]
  return (
    <Dialog text title="Help" onClose={p.onClose}>
      <h3>How the game goes</h3>
      <ol class="steps">
        <li>{touch ? 'Swipe across the board' : 'Press an arrow key, or swipe across the board'}: all tiles slide that way as far as they can.{touch && ' Free space beside it takes swipes too.'}</li>
        <li>Two equal tiles that meet become one of twice the value. You score that value.</li>
        <li>After each move a new tile appears, a 2 or now and then a 4.</li>
        <li>Make the 2048, and go on as far as you can. The game is over when no tile can move.</li>
      </ol>
      <p>Stuck? <b>Hint</b> shows the best move, and <b>Undo</b> takes moves back, as many as you like. <b>Watch</b> shows how a strong player does it.</p>
      <details open={!touch}>
        <summary>Keys</summary>
        <table><tbody>{keys.map(([k, what]) => <tr key={k}><th scope="row"><kbd>{k}</kbd></th><td class="wrap">{what}</td></tr>)}</tbody></table>
      </details>
      <h3>Words</h3>
      <dl class="terms">{words.map(([word, what]) => <div key={word}><dt>{word}</dt><dd class="dim">{what}</dd></div>)}</dl>
      <p class="dim"><a href="licences.txt">Licences</a> of the software in this page.</p>
      <Button kind="main" onClick={p.onClose}>Close</Button>
    </Dialog>
  )
}
