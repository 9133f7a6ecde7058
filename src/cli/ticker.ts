import { Worker } from 'node:worker_threads'
import { terminalLine } from '../model/escape.js'
import type { Progress } from './io.js'

/**
 * Shows on the terminal of the error stream what a command does and for how long, once a second has passed. A thread of its own
 * writes it: reading and generating occupy the main thread for seconds.
 */
export const startTicker = (): Progress => {
  const state = new Int32Array(new SharedArrayBuffer(8))
  const workerData = { state, columns: process.stderr.columns || 80 }
  // Without the loaders of this process, which a script without imports does not need.
  const worker = new Worker(SCRIPT, { eval: true, workerData, execArgv: [] })
  worker.unref()
  return {
    show: (words) => worker.postMessage(terminalLine(words)),
    end: () => {
      while (Atomics.compareExchange(state, 0, IDLE, ENDED) === WRITING);
      if (Atomics.exchange(state, SHOWN, 0) === 1) process.stderr.write('\r\u001b[K')
      void worker.terminate()
    },
  }
}

/** What `state` holds: at 0 one of these, so that nothing is written after the end; at `SHOWN` whether a line was written. */
const IDLE = 0
const WRITING = 1
const ENDED = 2
const SHOWN = 1

const SCRIPT = `
const { parentPort, workerData: { state, columns } } = require('node:worker_threads')
const { writeSync } = require('node:fs')
const began = Date.now()
let words = 'working …'
parentPort.on('message', (text) => { words = text })
setInterval(() => {
  if (Atomics.compareExchange(state, 0, ${IDLE}, ${WRITING}) !== ${IDLE}) return
  const line = words + ' (' + Math.round((Date.now() - began) / 1000) + ' s)'
  writeSync(2, '\\r\\u001b[K' + line.slice(0, columns - 1))
  Atomics.store(state, ${SHOWN}, 1)
  Atomics.store(state, 0, ${IDLE})
}, 1000)
`
