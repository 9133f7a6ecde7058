import { writeSync } from 'node:fs'
import { threadOurs } from '../fork.js'
import type { CompileOrder, CompileResult, CompilerMessage, CompileTerms } from './compiler.js'

/**
 * The process that compiles. Solidity blocks its thread, so it runs in a separate one. The main thread detects the end of the
 * parent, or too much memory, and ends the process at once.
 */
const terms = JSON.parse(process.argv[2] ?? '') as CompileTerms
const thread = threadOurs(new URL('./solidity.js', import.meta.url), {
  workerData: terms,
  resourceLimits: { maxOldGenerationSizeMb: terms.megabytes },
})

process.on('disconnect', end)
process.on('message', (order: CompileOrder) => thread.postMessage(order.source))
thread.on(
  'message',
  (message: Extract<CompilerMessage, { kind: 'ready' | 'unable' }> | CompileResult) => {
    if (message.kind === 'ready' || message.kind === 'unable') tell(message)
    else tell({ kind: 'answer', answer: message, megabytes: megabytes() })
  },
)
thread.on('error', (error: Error & { code?: string }) => {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') breach()
  else {
    // The parent reports what is printed last; `end` would not wait for a stream.
    writeSync(process.stderr.fd, `${error.message}\n`)
    end()
  }
})

const watch = setInterval(() => {
  if (megabytes() > terms.megabytes) breach()
}, 50)

function breach(): void {
  clearInterval(watch)
  tell({ kind: 'breach' }, end)
  // The process must not stay alive if its parent does not read.
  setTimeout(end, 200)
}

function tell(report: CompilerMessage, then: () => void = () => {}): void {
  if (process.connected) process.send?.(report, then)
  else end()
}

function megabytes(): number {
  return process.memoryUsage.rss() / 2 ** 20
}

/** Not `process.exit`, which waits for the thread. */
function end(): void {
  process.kill(process.pid, 'SIGKILL')
}
