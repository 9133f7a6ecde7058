import { Socket } from 'node:net'
import { parse } from 'node:path'
import { forkOurs } from '../fork.js'
import { lastWordsOf } from '../last-words.js'
import type { CompileOrder, CompileResult, CompilerMessage, CompileTerms } from './compiler.js'

/** Starts a process that compiles one source at a time; if it cannot start, the first `compile` reports it. */
export function startCompilingProcess(options: ProcessOptions): CompilingProcess {
  const { seconds, ...terms } = options
  const child = forkOurs(new URL('./compile.js', import.meta.url), {
    args: [JSON.stringify(terms)],
    // Relative paths in a source must not reach files of the service.
    cwd: parse(process.execPath).root,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  // It does not keep this process alive, and ends itself after this process.
  child.unref()
  child.channel?.unref()
  if (child.stderr instanceof Socket) child.stderr.unref()
  const lastWords = lastWordsOf(child.stderr)

  let onEnd: ((end: ProcessEnd) => void) | undefined
  let last: ProcessEnd | undefined
  let megabytes = 0
  let answered = 0
  const conclude = (end: ProcessEnd): void => {
    onEnd?.(end)
    onEnd = undefined
  }
  const gone = new Promise<void>((resolve) => {
    const ended = (how: string): void => {
      last ??= { kind: 'ended', during: 'work', reason: `${how}${after(lastWords())}` }
      conclude(last)
      resolve()
    }
    // Only at `close` is everything that it printed read.
    child.once('close', (code, signal) => ended(String(signal ?? code)))
    child.once('error', ({ message }) => ended(message))
  })
  child.on('message', (report: CompilerMessage) => {
    if (report.kind === 'unable') last = { kind: 'unable', message: report.message }
    else if (report.kind === 'breach') last = { kind: 'spent', limit: 'memory' }
    else if (report.kind === 'ready') conclude({ kind: 'ready' })
    else if (report.kind === 'answer') {
      megabytes = report.megabytes
      answered += 1
      if (report.answer.kind === 'broken')
        last = { kind: 'ended', during: 'work', reason: report.answer.message }
      conclude(report.answer)
    }
    if (last !== undefined) child.kill('SIGKILL')
  })

  const wait = async (limit: number): Promise<ProcessEnd> => {
    if (last !== undefined) return last
    const timer = setTimeout(() => {
      last = { kind: 'spent', limit: 'time' }
      conclude(last)
      child.kill('SIGKILL')
    }, limit * 1000)
    try {
      return await new Promise<ProcessEnd>((resolve) => {
        onEnd = resolve
      })
    } finally {
      clearTimeout(timer)
    }
  }
  const ready = wait(START_SECONDS).then((end) => startOf(end, terms))

  return {
    ready,
    compile: async (source) => {
      const start = await ready
      if (start.kind !== 'ready') return start
      if (last !== undefined) return last
      child.send({ kind: 'compile', source } satisfies CompileOrder, () => {})
      return wait(seconds)
    },
    isWorn: () => last !== undefined || answered >= ANSWERS || megabytes > terms.megabytes * SHARE,
    end: () => {
      last ??= { kind: 'ended', during: 'work', reason: 'stopped' }
      child.ref()
      child.kill('SIGKILL')
      return gone
    },
  }
}

const after = (words: string): string => (words === '' ? '' : `: ${words}`)

type ProcessOptions = CompileTerms & {
  /** For one source, without the start. */
  readonly seconds: number
}

export type CompilingProcess = {
  readonly ready: Promise<Start>
  readonly compile: (source: string) => Promise<ProcessEnd>
  /** Whether it should be replaced before the next source. */
  readonly isWorn: () => boolean
  /** Kills it, whatever it does, and resolves when it has ended. */
  readonly end: () => Promise<void>
}

type Start =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unable'; readonly message: string }
  | Ended

/** It ended without an answer: killed from outside, or crashed. */
type Ended = {
  readonly kind: 'ended'
  readonly during: 'start' | 'work'
  /** Its exit code or signal, and the last that it printed. */
  readonly reason: string
}

export type ProcessEnd =
  | CompileResult
  | Start
  | { readonly kind: 'spent'; readonly limit: 'time' | 'memory' }

function startOf(end: ProcessEnd, { megabytes }: CompileTerms): Start {
  if (end.kind === 'ready' || end.kind === 'unable') return end
  if (end.kind !== 'spent') {
    return { kind: 'ended', during: 'start', reason: end.kind === 'ended' ? end.reason : end.kind }
  }
  return {
    kind: 'unable',
    message:
      end.limit === 'memory'
        ? `the compiler itself takes more than ${megabytes} MB`
        : `the compiler does not start within ${START_SECONDS} seconds`,
  }
}

/** Enough even if many processes start at the same time on a slow machine. */
const START_SECONDS = 60

/** WebAssembly's memory never shrinks, so a process is replaced after this number of answers, */
const ANSWERS = 100

/** or when it still uses this share of its memory after an answer. */
const SHARE = 0.75
