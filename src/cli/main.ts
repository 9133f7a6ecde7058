#!/usr/bin/env node
import type { Io } from './io.js'
import { run } from './run.js'

const io: Io = {
  stdout: process.stdout,
  stderr: process.stderr,
  now: () => performance.now(),
  interrupted: () => {
    const ending = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
    return ending.signal
  },
}

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // `twinspec … | head` closes the pipe early; the work itself goes on to its end.
    if (error.code !== 'EPIPE') throw error
  })
}

// Set, not called: what is still on its way to a pipe must arrive.
process.exitCode = await run(process.argv.slice(2), io)
