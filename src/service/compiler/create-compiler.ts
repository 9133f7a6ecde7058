import { createRequire } from 'node:module'
import type { Logger } from 'pino'
import {
  CompilationError,
  type Compiled,
  type CompileOptions,
  type Compiler,
  CompilerBusy,
  CompilerLimit,
  MOST_WAITING,
  processesWithoutKey,
} from './compiler.js'
import { type CompilingProcess, type End, startCompilingProcess } from './compiling-process.js'

/**
 * Solidity, compiled in at most `processes` processes, each with `megabytes` of its own and `seconds` for a source. They start
 * when they are needed; `ready()` starts the first, so that the first source does not wait for it.
 */
export function createCompiler(options: CompilerOptions): StartedCompiler {
  const { processes, seconds, megabytes, evmVersion, waiting = MOST_WAITING, log } = options
  const places: Place[] = Array.from({ length: processes }, () => ({}))
  const placesWithoutKey = processesWithoutKey(processes)
  let queue: readonly Job[] = []
  /** Callers, who was served last at the end. */
  let served: readonly string[] = []
  let closed = false

  const start = (): CompilingProcess => startCompilingProcess({ seconds, megabytes, evmVersion })

  const next = (): void => {
    const place = places.find(({ job }) => job === undefined)
    if (place === undefined) return
    const running = places.flatMap(({ job }) => job ?? [])
    const callers = running.map(({ caller }) => caller)
    const turnOf = ({ caller }: Job): number =>
      callers.includes(caller) ? served.length : served.indexOf(caller)
    const isFullWithoutKey = running.filter(({ isKeyed }) => !isKeyed).length >= placesWithoutKey
    const mayBegin = ({ isKeyed, caller }: Job): boolean =>
      isKeyed || !(isFullWithoutKey || callers.includes(caller))
    const [job] = queue
      .filter(mayBegin)
      .toSorted((a, b) => Number(b.isKeyed) - Number(a.isKeyed) || turnOf(a) - turnOf(b))
    if (job === undefined) return
    queue = queue.filter((other) => other !== job)
    served = [...served.filter((caller) => caller !== job.caller), job.caller].slice(-REMEMBERED)
    place.job = job
    // A process that cannot even be made rejects its job.
    void run(place, job)
      .catch(job.reject)
      .finally(() => {
        place.job = undefined
        next()
      })
    next()
  }

  const run = async (place: Place, job: Job): Promise<void> => {
    const isDropped = (): boolean => closed || job.signal?.aborted === true
    // A caller with a key may come next, and does not wait for a process to start.
    const spare = places.find((other) => other.job === undefined)
    if (!job.isKeyed && spare !== undefined) processOf(spare)
    let end = await attempt(place, job)
    // Killed from outside, while it was idle or starting perhaps: once more, in a new one.
    if (end.kind === 'ended' && !isDropped()) end = await attempt(place, job)
    if (end.kind === 'compiled') {
      const { contract, abi, bytecode } = end
      return job.resolve({ contract, abi, bytecode })
    }
    if (end.kind !== 'refused' && !isDropped()) log.warn({ end }, 'a source was not compiled')
    job.reject(closed ? stopping() : errorOf(end, options))
  }

  const attempt = async (place: Place, job: Job): Promise<End> => {
    const running = processOf(place)
    const end = await running.compile(job.source)
    if (isOfStart(end)) leave(place, running)
    else if (running.isWorn()) renew(place, running)
    return end
  }

  const processOf = (place: Place): CompilingProcess => {
    if (place.process?.isWorn()) renew(place, place.process)
    place.process ??= start()
    return place.process
  }

  /** Two may wait for one process to start: who comes second finds another in its place, and leaves that alone. */
  const leave = (place: Place, old: CompilingProcess): void => {
    if (place.process === old) place.process = undefined
  }

  const renew = (place: Place, old: CompilingProcess): void => {
    void old.end()
    leave(place, old)
    if (!closed) place.process ??= start()
  }

  return {
    ready: async () => {
      findSolc()
      const [place] = places
      if (place === undefined) throw stopping()
      const begin = async (): Promise<End> => {
        if (closed) throw stopping()
        const starting = processOf(place)
        const end = await starting.ready
        if (end.kind !== 'ready') leave(place, starting)
        return end
      }
      let end = await begin()
      if (end.kind === 'ended' && !closed) end = await begin()
      if (end.kind !== 'ready' && !closed) throw errorOf(end, options)
    },

    compile: async (source, { signal, caller = '', isKeyed = false }: CompileOptions = {}) => {
      signal?.throwIfAborted()
      findSolc()
      checkSource(source)
      if (closed) throw stopping()
      const share = queue.filter((job) => job.caller === caller).length
      const group = queue.filter((job) => job.isKeyed === isKeyed).length
      if (group >= waiting || share >= Math.ceil(waiting / 4)) {
        throw new CompilerBusy('too many sources wait to be compiled: try again later')
      }
      const stop = new AbortController()
      try {
        return await new Promise<Compiled>((resolve, reject) => {
          const job: Job = { source, caller, isKeyed, signal, resolve, reject }
          const drop = (): void => {
            queue = queue.filter((other) => other !== job)
            void places.find((place) => place.job === job)?.process?.end()
            reject(signal?.reason)
          }
          signal?.addEventListener('abort', drop, { signal: stop.signal })
          queue = [...queue, job]
          next()
        })
      } finally {
        stop.abort()
      }
    },

    close: async () => {
      closed = true
      for (const job of queue) job.reject(stopping())
      queue = []
      await Promise.all(places.map(({ process }) => process?.end()))
    },
  }
}

export type CompilerOptions = {
  /** How many compile at a time. Of several, one is never used for callers without a key. */
  readonly processes: number
  readonly seconds: number
  /** Of each process, its compiler of some 200 included. */
  readonly megabytes: number
  /** Of those that solc knows; its own default where absent. */
  readonly evmVersion?: string | undefined
  /**
   * How many sources of callers with a key may wait, and how many of callers without one: MOST_WAITING where absent. One
   * caller may have a quarter of them.
   */
  readonly waiting?: number
  readonly log: Logger
}

export type StartedCompiler = Compiler & {
  /** Starts the first process; rejects with an Error of one sentence where nothing can be compiled at all. */
  readonly ready: () => Promise<void>
}

type Place = { process?: CompilingProcess | undefined; job?: Job | undefined }

type Job = {
  readonly source: string
  readonly caller: string
  readonly isKeyed: boolean
  readonly signal: AbortSignal | undefined
  readonly resolve: (compiled: Compiled) => void
  readonly reject: (reason: unknown) => void
}

/** Callers: more than can wait, so that who has just been served does not pass for a new one. */
const REMEMBERED = 1000

/** As large as the largest submission. */
const LARGEST_SOURCE = 2 ** 20

function checkSource(source: string): void {
  if (Buffer.byteLength(source) > LARGEST_SOURCE) {
    throw new CompilationError(`the source is larger than ${LARGEST_SOURCE} bytes`)
  }
  if (/\p{Surrogate}/u.test(source)) {
    throw new CompilationError('the source is not Unicode text: it has half of a surrogate pair')
  }
}

/** Looked for here, where a missing package has a name; in the process it would be a crash. */
function findSolc(): void {
  try {
    createRequire(import.meta.url).resolve('solc')
  } catch (cause) {
    throw new Error('Solidity cannot be compiled: solc is not installed (npm install solc)', {
      cause,
    })
  }
}

/** Nothing was compiled: the process did not come so far. */
function isOfStart(end: End): boolean {
  return end.kind === 'unable' || (end.kind === 'ended' && end.during === 'start')
}

function errorOf(end: End, { seconds, megabytes }: CompilerOptions): Error {
  if (end.kind === 'refused' || end.kind === 'broken') return new CompilationError(end.message)
  if (end.kind === 'unable') return new Error(end.message)
  if (isOfStart(end)) return new Error('the compiler does not start')
  if (end.kind === 'spent') {
    const spent = end.limit === 'time' ? `${seconds} s` : `${megabytes} MB`
    return new CompilerLimit(
      `the source takes more than ${spent} to compile, which is all that a source is given here: make it smaller`,
    )
  }
  return new CompilationError('the compiler ended in the midst of this source')
}

function stopping(): Error {
  return new CompilerBusy('the compiler is stopping')
}
