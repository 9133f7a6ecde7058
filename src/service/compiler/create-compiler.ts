import { setMaxListeners } from 'node:events'
import { createRequire } from 'node:module'
import type { Logger } from 'pino'
import { createTurns, NoTurn } from '../turns.js'
import {
  CompilationError,
  type CompiledContract,
  type Compiler,
  CompilerLimit,
  MOST_WAITING,
  processesWithoutKey,
} from './compiler.js'
import {
  type CompilingProcess,
  type ProcessEnd,
  startCompilingProcess,
} from './compiling-process.js'

/**
 * Compiles Solidity in at most `processes` processes, each with `megabytes` of memory and `seconds` for a source. They start on
 * demand; `ready()` starts the first one, so that the first source does not wait for it.
 */
export function createCompiler(options: CompilerOptions): StartedCompiler {
  const { processes, seconds, megabytes, evmVersion, waiting = MOST_WAITING, log } = options
  const places: Place[] = Array.from({ length: processes }, () => ({ isBusy: false }))
  const turns = createTurns({
    atOnce: processes,
    atOnceWithoutKey: processesWithoutKey(processes),
    waiting,
    share: Math.ceil(waiting / 4),
    milliseconds: LONGEST_WAIT,
  })
  const closing = new AbortController()
  // Each waiting source adds a listener.
  setMaxListeners(0, closing.signal)

  const start = (): CompilingProcess => startCompilingProcess({ seconds, megabytes, evmVersion })

  const run = async (
    source: string,
    isKeyed: boolean,
    signal: AbortSignal,
  ): Promise<CompiledContract> => {
    const place = places.find(({ isBusy }) => !isBusy)
    if (place === undefined) throw new Error('more sources have a turn than there are processes')
    place.isBusy = true
    const drop = (): void => void place.process?.end()
    signal.addEventListener('abort', drop)
    try {
      // A caller with a key may come next, and should not wait for a process to start.
      const spare = places.find(({ isBusy }) => !isBusy)
      if (!isKeyed && spare !== undefined) processOf(spare)
      let end = await attempt(place, source)
      // It was killed from outside, perhaps while it was idle or starting: retry once, in a new process.
      if (end.kind === 'ended' && !signal.aborted) end = await attempt(place, source)
      if (end.kind === 'compiled') {
        const { contract, abi, bytecode } = end
        return { contract, abi, bytecode }
      }
      if (end.kind !== 'rejected' && !signal.aborted) log.warn({ end }, 'a source was not compiled')
      throw errorOf(end, options)
    } finally {
      signal.removeEventListener('abort', drop)
      place.isBusy = false
    }
  }

  const attempt = async (place: Place, source: string): Promise<ProcessEnd> => {
    const running = processOf(place)
    const end = await running.compile(source)
    if (isOfStart(end)) leave(place, running)
    else if (running.isWorn()) renew(place, running)
    return end
  }

  const processOf = (place: Place): CompilingProcess => {
    if (place.process?.isWorn()) renew(place, place.process)
    place.process ??= start()
    return place.process
  }

  /** Two sources may wait for one process to start: the second finds a new one in its place, which stays. */
  const leave = (place: Place, old: CompilingProcess): void => {
    if (place.process === old) place.process = undefined
  }

  const renew = (place: Place, old: CompilingProcess): void => {
    void old.end()
    leave(place, old)
    if (!closing.signal.aborted) place.process ??= start()
  }

  return {
    ready: async () => {
      findSolc()
      const [place] = places
      const begin = async (): Promise<ProcessEnd> => {
        closing.signal.throwIfAborted()
        if (place === undefined) throw new Error('no process may compile')
        const starting = processOf(place)
        const end = await starting.ready
        if (end.kind !== 'ready') leave(place, starting)
        return end
      }
      let end = await begin()
      if (end.kind === 'ended' && !closing.signal.aborted) end = await begin()
      if (end.kind !== 'ready' && !closing.signal.aborted) throw errorOf(end, options)
    },

    compile: async (source, { signal: gone, caller = '', isKeyed = false } = {}) => {
      gone?.throwIfAborted()
      findSolc()
      checkSource(source)
      const signal = AbortSignal.any(gone ? [gone, closing.signal] : [closing.signal])
      return turns(() => run(source, isKeyed, signal), {
        caller: { name: caller, isKeyed },
        signal,
      })
    },

    close: async () => {
      closing.abort(new NoTurn('the compiler is stopping'))
      await Promise.all(places.map(({ process }) => process?.end()))
    },
  }
}

/** The maximum of a timer in milliseconds: a source waits until its turn comes or its caller leaves. */
const LONGEST_WAIT = 2 ** 31 - 1

export type CompilerOptions = {
  /** The number of concurrent compilations. Of several processes, one is never used for callers without a key. */
  readonly processes: number
  readonly seconds: number
  /** For each process, including about 200 for the compiler. */
  readonly megabytes: number
  /** A version that solc supports; its own default if undefined. */
  readonly evmVersion?: string | undefined
  /**
   * The maximum number of waiting sources, for callers with a key and for callers without one, each: MOST_WAITING by default.
   * One caller may have a quarter of them.
   */
  readonly waiting?: number
  readonly log: Logger
}

export type StartedCompiler = Compiler & {
  /** Starts the first process; rejects with an Error of one sentence if nothing can be compiled. */
  readonly ready: () => Promise<void>
}

type Place = { process?: CompilingProcess | undefined; isBusy: boolean }

/** The size of the largest submission. */
const LARGEST_SOURCE = 2 ** 20

function checkSource(source: string): void {
  if (Buffer.byteLength(source) > LARGEST_SOURCE) {
    throw new CompilationError(`the source is larger than ${LARGEST_SOURCE} bytes`)
  }
  if (/\p{Surrogate}/u.test(source)) {
    throw new CompilationError('the source is not Unicode text: it has half of a surrogate pair')
  }
}

/** Checked here, because a missing package would be a crash in the process. */
function findSolc(): void {
  try {
    createRequire(import.meta.url).resolve('solc')
  } catch (cause) {
    throw new Error('Solidity cannot be compiled: solc is not installed (npm install solc)', {
      cause,
    })
  }
}

/** The process did not start, so nothing was compiled. */
function isOfStart(end: ProcessEnd): boolean {
  return end.kind === 'unable' || (end.kind === 'ended' && end.during === 'start')
}

function errorOf(end: ProcessEnd, { seconds, megabytes }: CompilerOptions): Error {
  if (end.kind === 'rejected' || end.kind === 'broken') return new CompilationError(end.message)
  if (end.kind === 'unable') return new Error(end.message)
  if (end.kind === 'ended' && end.during === 'start') {
    return new Error(`the compiler does not start (${end.reason})`)
  }
  if (end.kind === 'spent') {
    const spent = end.limit === 'time' ? `${seconds} s` : `${megabytes} MB`
    return new CompilerLimit(
      `the source takes more than ${spent} to compile, which is all that a source is given here: make it smaller`,
    )
  }
  return new CompilationError('the compiler ended in the midst of this source')
}
