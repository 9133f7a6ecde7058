import { appendFileSync, readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

// Preloaded into the service. Appends a line to the file HOLDS for each time that the event loop did not turn: how many
// milliseconds the processor worked on the main thread meanwhile. Unlike the clock, they do not count other processes.
const file = process.env.HOLDS
const SHORTEST = 2

const worked = () => Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6

if (isMainThread && file !== undefined) {
  let before = worked()
  const look = () => {
    const now = worked()
    if (now - before >= SHORTEST) appendFileSync(file, `${(now - before).toFixed(1)}\n`)
    // What this took is not the service's.
    before = worked()
  }
  setInterval(look, 1).unref()
}
