import {
  accessSync,
  constants,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Day } from '../model/day.js'
import type { DocumentError, Finding } from '../model/finding.js'
import { messageOf } from '../runtime/shared/message-of.js'
import { terminalLine } from '../text/escape.js'
import { linkOutOf, projectOf, wayOutOf } from './inside.js'

/** The environment of a command; tests pass their own. */
export type Io = {
  readonly stdout: Sink
  readonly stderr: Sink
  /** The bytes of standard input, read if a document is named `-`. */
  readonly stdin?: () => AsyncIterable<Uint8Array>
  readonly env: Readonly<Record<string, string | undefined>>
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number
  /** The current date; by default, that of the system clock. */
  readonly today?: () => Date
  /** Defined if the error stream is a terminal. */
  readonly startProgress?: () => Progress
  /**
   * The signal to end a waiting command, requested once; it is aborted by the first interrupt. A second interrupt ends the
   * process at once.
   */
  readonly interrupted: () => AbortSignal
}

export const todayIn = ({ today }: Pick<Io, 'today'>): Date => today?.() ?? new Date()

/** `2030-01-31`. */
export const dayIn = (io: Pick<Io, 'today'>): Day => todayIn(io).toISOString().slice(0, 10)

/** The part of a stream that commands use; `process.stdout` is one. */
export type Sink = {
  readonly write: (text: string) => unknown
  readonly isTTY?: boolean
  /** Whether text for it is coloured. FORCE_COLOR colours text for a pipe too. */
  readonly hasColors?: () => boolean
}

/** The command cannot run as called: one line per error, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly lines: readonly string[]

  constructor(message: string | readonly string[], options?: ErrorOptions) {
    const lines = [message].flat()
    super(lines.join('\n'), options)
    this.lines = lines
  }
}

/** 0 clean, 1 findings, 2 could not run. */
export type ExitCode = 0 | 1 | 2

export const isColoured = (sink: Sink): boolean => sink.hasColors?.() ?? false

/** Writes one line. Names in it may come from a document or a server: control characters and line ends are replaced. */
export const writeLine = (sink: Sink, line: string): void => {
  writeStyled(sink, terminalLine(line))
}

/** Writes a line with our styles; other control characters must already be replaced. */
export const writeStyled = (sink: Sink, line: string): void => {
  sink.write(`${line}\n`)
}

/**
 * Whether an error is reported in one sentence, because the user can fix it. Checked by name: the generator library loads our
 * modules a second time, so there are two copies of the classes.
 */
export const isExpected = (error: unknown): error is DocumentError | UsageError =>
  error instanceof Error && (error.name === 'DocumentError' || error.name === 'UsageError')

/** The findings that prevented documents, or parts of them, from being read. */
export const errorsIn = ({ findings }: Pick<DocumentError, 'findings'>): readonly Finding[] =>
  findings.filter(({ level }) => level === 'error')

/** Waits until the user ends the command: resolves when `interrupted` is aborted. */
export const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Throws UsageError if a file cannot be written, so that this is reported before the work and not after it. */
export const assertWritable = (path: string): void => {
  inASentence(path, () => {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
      throw new UsageError(`${path} is a folder: name a file in it`)
    accessSync(dirname(path), constants.W_OK)
  })
}

/**
 * Replaces a file atomically, and keeps its mode; missing folders between `folder` and the file are created. `folder` is the
 * folder that the user named, by default that of the file. Throws UsageError if the file cannot be written, or if a symbolic
 * link below the folder leads out of it.
 */
export const writeWhole = (
  path: string,
  text: string | Uint8Array,
  folder = dirname(path),
): void => {
  inASentence(path, () => {
    assertInside(folder, path)
    if (dirname(path) !== folder) mkdirSync(dirname(path), { recursive: true })
    const before = statSync(path, { throwIfNoEntry: false })
    // For a symbolic link, its target is replaced.
    const target = before ? realpathSync(path) : path
    const next = join(dirname(target), `.${basename(target)}.twinspec-${process.pid}.new`)
    try {
      // Whatever has this name, even a link, is not written through.
      rmSync(next, { force: true })
      writeFileSync(next, text, { flag: 'wx', flush: true, ...(before && { mode: before.mode }) })
      renameSync(next, target)
    } finally {
      rmSync(next, { force: true })
    }
  })
}

/** Throws UsageError if a symbolic link below `folder` leads out of it, on the way to a file that is to be written. */
export const assertInside = (folder: string, path: string): void => {
  const out = linkOutOf(folder, path)
  if (out === undefined) return
  throw new UsageError(
    `${path} is not written: ${out.link} is a symbolic link to ${out.target}, which is outside of ${resolve(folder)}; remove the link, or name the folder that it leads to`,
  )
}

/**
 * Throws UsageError if a path to write, or to compare with what would be written, leads out of the project, although nobody named it on the command line: a configuration or
 * a default did, and a checkout may contain both a configuration and links.
 */
export const assertInProject = (
  path: string,
  { config, by, instead, use = 'written' }: Unnamed,
): void => {
  inASentence(path, () => {
    const project = projectOf(config === undefined ? '.' : dirname(config))
    const out = wayOutOf(project, path)
    if (out === undefined) return
    const [what, remedy] =
      out.link === undefined
        ? [`${by} leads to ${out.target}`, 'name a place in the project']
        : [`${out.link} is a symbolic link to ${out.target}`, 'remove the link']
    throw new UsageError(
      `${path} is not ${use}: ${what}, which is outside of the project ${project}; ${remedy}, or ${instead}`,
    )
  })
}

type Unnamed = {
  /** The path of the configuration; undefined if there is none. */
  readonly config: string | undefined
  /** What named the path, for messages. */
  readonly by: string
  /** How a user names it, for messages. */
  readonly instead: string
  /** By default `written`. */
  readonly use?: 'written' | 'compared'
}

const inASentence = (path: string, work: () => void): void => {
  try {
    work()
  } catch (cause) {
    if (cause instanceof UsageError) throw cause
    throw new UsageError(`${path} cannot be written: ${messageOf(cause)}`, { cause })
  }
}

/** Creates the progress line of a terminal; it is silent elsewhere, and for work of less than a second. */
export const createProgress = ({ startProgress }: Io): Progress =>
  startProgress?.() ?? { show: () => undefined, end: () => undefined }

/** Runs work whose phases `show` displays, and always removes the progress line at the end. */
export const withProgress = async <T>(
  io: Io,
  work: (show: Progress['show']) => T | Promise<T>,
): Promise<T> => {
  const { show, end } = createProgress(io)
  try {
    return await work(show)
  } finally {
    end()
  }
}

export type Progress = {
  readonly show: (words: string) => void
  /** Removes the line. Can be called repeatedly. */
  readonly end: () => void
}
