// Runs the engine in Node as the site's worker does: requests come on stdin, a line each, and answers
// go to stdout. node run.js wasm_exec.js engine.wasm network.model [roomy]
const fs = require('fs')
const [start, engine, network, roomy] = process.argv.slice(2)
require(start)

const values = new Map()
const afterstate = {
  roomy,
  send: (text) => process.stdout.write(text),
  failed: (text) => {
    console.error(text)
    process.exit(1)
  },
  hold: async () => true,
  save: async (key, value) => {
    values.set(key, value)
  },
  remove: async (key, prefix) => {
    for (const k of [...values.keys()]) if (k === key || k.startsWith(prefix)) values.delete(k)
  },
  load: async (prefix) => [...values].filter(([k]) => k.startsWith(prefix)),
  started: async () => {
    afterstate.expect()
    const problem = await new Promise((done) => afterstate.network(fs.readFileSync(network), done))
    if (problem) afterstate.failed(problem)
    require('readline').createInterface({ input: process.stdin }).on('line', (line) => afterstate.receive(line)).on('close', () => {})
  },
}
globalThis.afterstate = afterstate

const go = new Go()
WebAssembly.instantiate(fs.readFileSync(engine), go.importObject).then(({ instance }) => go.run(instance))
