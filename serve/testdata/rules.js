// Reads tasks from standard input, a line of JSON each, and answers each with a line: the page's rules in the folder of the first
// argument. page_rules_test.go runs it and compares the answers with Go's.
const { createHash } = require('node:crypto')
const { readFileSync } = require('node:fs')
const { dirs } = require(`${process.argv[2]}/types.js`)
const rules = require(`${process.argv[2]}/rules/rules.js`)
const { Game } = require(`${process.argv[2]}/rules/game.js`)

/** played plays a game with the bare rules. Each fact of each move is in the hash. */
function played({ size, p4, seed, game, start, moves }) {
  const random = rules.seeded(BigInt(seed), BigInt(game))
  let position = start ? rules.beginFrom(start, random) : rules.begin(size, random, p4)
  const hash = createHash('sha256')
  const note = (step) =>
    hash.update(
      `${JSON.stringify([position.board, position.score, position.won, rules.moves(position.board), rules.over(position.board), step])}\n`,
    )
  note(null)
  for (const m of moves) {
    const next = rules.playMove(position, dirs[m], p4)
    if (!next) throw new Error(`${size} ${seed}: ${dirs[m]} is not legal`)
    position = next.position
    note(next.step)
  }
  return { position, hash: hash.digest('hex') }
}

/** replayed plays the same moves as a game in progress: undone to the start and redone they lead to the same board. */
function replayed(task, { position }) {
  const g = new Game({ ...task, spawn: rules.ruleOf(task.p4), seed: Number(task.seed), keep: true }, [...task.moves].map(Number))
  const before = JSON.stringify({ ...g.state, step: null })
  if (g.state.score !== position.score) throw new Error(`${task.seed}: ${before}`)
  while (g.undo());
  while (g.redo());
  if (JSON.stringify({ ...g.state, step: null }) !== before) throw new Error(`${task.seed}: redone, it is another game`)
}

const answer = (task) => {
  if (task.slide)
    return [...dirs.map((d) => rules.slide(task.slide, d)).map((s) => s && [s.board, s.gained]), rules.over(task.slide)]
  const end = played(task)
  if (task.game === '0') replayed(task, end)
  return end.hash
}

for (const line of readFileSync(0, 'utf8').trim().split('\n')) console.log(JSON.stringify(answer(JSON.parse(line))))
