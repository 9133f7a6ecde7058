#!/usr/bin/env node
import { WriteStream } from 'node:tty'
import { setFlagsFromString } from 'node:v8'
import type { Io, Sink } from './io.js'
import { run } from './run.js'
import { startTicker } from './ticker.js'

const ECHO_MILLISECONDS = 500

/** Colours as Node decides: FORCE_COLOR and NO_COLOR first, else whether the stream is a terminal that has them. */
const sinkOf = (stream: NodeJS.WriteStream): Sink => ({
  write: (text) => stream.write(text),
  isTTY: stream.isTTY,
  hasColors: () =>
    process.env.FORCE_COLOR === undefined
      ? stream.isTTY && stream.hasColors()
      : WriteStream.prototype.getColorDepth() > 2,
})

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
      // One Ctrl-C comes twice where npm or tsx is between: to the whole group, and passed on by them.
      if (first !== undefined && performance.now() - first > ECHO_MILLISECONDS)
        process.exit(128 + (signal === 'SIGINT' ? 2 : 15))
      first ??= performance.now()
      ending.abort()
    }
    for (const signal of signals) process.on(signal, end)
    return ending.signal
  },
}

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // `twinspec … | head` closes the pipe early; the work itself goes on to its end.
    if (error.code !== 'EPIPE') throw error
  })
}

// A comparison is over in seconds: by default, V8 spends a third of the processor time on optimising functions that run no
// longer than that. With a higher budget, only those that go on running are optimised. Later versions of Node lack the flag.
if (process.argv[2] === 'diff' && process.version.startsWith('v20.'))
  setFlagsFromString('--interrupt-budget=1000000')

// Set, not called: what is still on its way to a pipe must arrive.
process.exitCode = await run(process.argv.slice(2), io)
