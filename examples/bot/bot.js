// A bot in JavaScript: afterstate arena 'exec(cmd="node bot.js")' random
const { createInterface } = require('node:readline')

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  let result = {} // enough for bye
  if (method === 'hello') {
    result = { name: 'corner bot', protocol: 1 }
  } else if (method === 'best_move') {
    result = { move: ['left', 'down', 'right', 'up'].find((direction) => params.legal.includes(direction)) }
  }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
})
