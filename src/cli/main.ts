#!/usr/bin/env node
import { WriteStream } from 'node:tty'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { terminalLine } from '../text/escape.js'
import type { Io, Progress, Sink } from './io.js'
import { run } from './run.js'

const ECHO_MILLISECONDS = 500

/** A sink with Node's colour rules: FORCE_COLOR and NO_COLOR first, else whether the stream is a terminal with colours. */
const sinkOf = (stream: NodeJS.WriteStream): Sink => ({
  write: (text) => stream.write(text),
  isTTY: stream.isTTY,
  hasColors: () =>
    process.env.FORCE_COLOR === undefined
      ? stream.isTTY && stream.hasColors()
      : WriteStream.prototype.getColorDepth() > 2,
})

/**
 * Shows on the terminal of the error stream what a command does and for how long, after the first second. A separate thread
 * writes it, because reading and generating block the main thread for seconds.
 */
const startTicker = (): Progress => {
  const state = new Int32Array(new SharedArrayBuffer(8))
  const workerData = { state, columns: process.stderr.columns || 80 }
  // Without this process's loaders, which a script without imports does not need.
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

/**
 * The content of `state`: index 0 has one of these, so that nothing is written after the end; index `SHOWN` is 1 if a line was
 * written.
 */
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

const io: Io = {
  stdout: sinkOf(process.stdout),
  stderr: sinkOf(process.stderr),
  stdin: () => process.stdin,
  env: process.env,
  now: () => performance.now(),
  ...(process.stderr.isTTY && { startProgress: startTicker }),
  interrupted: () => {
    const ending = new AbortController()
    const signals = ['SIGINT', 'SIGTERM'] as const
    let first: number | undefined
    const end = (signal: NodeJS.Signals) => {
      // With npm or tsx in between, one Ctrl-C arrives twice: for the whole process group, and forwarded by them.
      if (first !== undefined && performance.now() - first > ECHO_MILLISECONDS)
        process.exit(128 + (signal === 'SIGINT' ? 2 : 15))
      first ??= performance.now()
      ending.abort()
    }
    for (const signal of signals) process.on(signal, end)
    return ending.signal
  },
}

/** Output was lost, so that the exit code of the command means nothing. */
let isLost = false
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // `twinspec … | head` closes the pipe early; the work itself continues to its end.
    if (error.code === 'EPIPE' || isLost) return
    isLost = true
    process.exitCode = 2
    process.stderr.write(`twinspec: the output cannot be written: ${terminalLine(error.message)}\n`)
  })
}

// A comparison takes only seconds: by default, V8 spends a third of the processor time on optimising functions that run no longer
// than that. With a higher budget, only long-running functions are optimised. Later versions of Node lack the flag.
if (process.argv[2] === 'diff' && process.version.startsWith('v20.'))
  setFlagsFromString('--interrupt-budget=1000000')

// Sets the exit code instead of exiting, so that buffered output still reaches a pipe.
const code = await run(process.argv.slice(2), io)
process.exitCode = isLost ? 2 : code
