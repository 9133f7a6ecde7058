import { spawn } from 'node:child_process'
import { once as eventOf } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { connectStreams, type Framing } from '../../runtime/link/frames.js'
import type { LinkConnection, LinkEvents } from '../../runtime/link/link.js'
import { once } from '../../runtime/shared/cached.js'

/** A server that is a program: it reads messages from standard input, and writes them to standard output. */
export type StdioServer = {
  /** The program and its arguments. */
  readonly words: readonly string[]
  readonly framing: Framing
}

/**
 * The words of a command: blanks divide them, except between quotes. No shell reads them, so a backslash is a character as others
 * are, except before a double quote between double quotes. Undefined if a quote is not closed.
 */
export const commandWords = (command: string): readonly string[] | undefined => {
  const words: string[] = []
  let isWithin = false
  for (const [, blank, plain, double, end, single, last] of command.matchAll(PIECES)) {
    if (end === '' || last === '') return undefined
    if (blank === undefined) {
      const piece = plain ?? single ?? double?.replaceAll('\\"', '"') ?? ''
      words.push(isWithin ? `${words.pop() ?? ''}${piece}` : piece)
    }
    isWithin = blank === undefined
  }
  return words
}

/** Blanks, plain characters, and texts between quotes, of which the last may lack its end. */
const PIECES = /(\s+)|([^\s"']+)|"((?:[^"\\]|\\.)*)("?)|'([^']*)('?)/gs

/** Starts a program and connects to its standard streams. Rejects with the reason, and advice, if it cannot be started. */
export const startCommand = async (
  { words: [program = '', ...args], framing }: StdioServer,
  { text, closed }: LinkEvents,
): Promise<StartedCommand> => {
  const child = spawn(program, args, { windowsHide: true })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (more) => {
    log = (log + more).slice(-MOST_LOG)
  })
  let output = ''
  async function* input(): AsyncGenerator<Uint8Array> {
    for await (const chunk of child.stdout as AsyncIterable<Uint8Array>) {
      if (output.length < MOST_OUTPUT) output += new TextDecoder().decode(chunk)
      yield chunk
    }
  }
  try {
    await eventOf(child, 'spawn')
  } catch (error) {
    throw new Error(whyNotStarted(program, error), { cause: error })
  }
  child.on('error', () => undefined)
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      const why = signal
        ? `the program was ended by ${signal}`
        : `the program exited with code ${code}`
      // The rest of its log may still arrive.
      child.once('close', () => resolve(why))
      setTimeout(() => resolve(why), REST)
    })
  })
  const exitedIn = (milliseconds: number) =>
    Promise.race([exited, pause(milliseconds, undefined, { ref: false })])
  const own = connectStreams(
    { input: input(), output: child.stdin },
    {
      text,
      closed: (reason) =>
        void exitedIn(GRACE).then((why) =>
          closed(why ?? reason ?? 'the program closed its standard output'),
        ),
    },
    { framing },
  )
  const end = async (): Promise<void> => {
    await own.close()
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if ((await exitedIn(GRACE)) !== undefined) return
      child.kill(signal)
    }
    await exitedIn(GRACE)
  }
  return {
    send: own.send,
    close: once(end),
    output: () => output,
    log: () => log.trim(),
  }
}

export type StartedCommand = LinkConnection & {
  /** The beginning of what it wrote to standard output. */
  readonly output: () => string
  /** The end of what it wrote to standard error. */
  readonly log: () => string
}

const whyNotStarted = (program: string, error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT')
    return `there is no program ${program}: install it, or give its path; a command of a shell needs the shell, as in sh -c "…"`
  if (code === 'EACCES')
    return `${program} may not be executed: name the program that runs it, as in node ${program}, or run chmod +x`
  return `the program cannot be started: ${message}`
}

/** Characters. */
const MOST_LOG = 1_000
const MOST_OUTPUT = 1_000

/** Milliseconds for a program to exit when its standard input ends, and for the rest of its log after its end. */
const GRACE = 1_000
const REST = 200
