import type { Abi, Hex } from 'viem'

/** Solidity, compiled in child processes with limits of time and memory. */
export type Compiler = {
  /**
   * Rejects with a CompilationError for what is wrong with the source, with a CompilerLimit where it takes too much, with
   * CompilerBusy where too many wait, with the signal's reason where it is aborted, and with a plain Error where there is no
   * compiler at all.
   */
  readonly compile: (source: string, options?: CompileOptions) => Promise<Compiled>
  readonly close: () => Promise<void>
}

export type CompileOptions = {
  /** Drops a source that waits, and ends the process that works on it. */
  readonly signal?: AbortSignal
  /** Who asks: callers take turns, and none may fill the queue alone. */
  readonly caller?: string
  /** Callers with a key are served before those without one, and have places of their own to wait in. */
  readonly isKeyed?: boolean
}

export type Compiled = {
  /** The last contract of the source that can be deployed. */
  readonly contract: string
  readonly abi: Abi
  readonly bytecode: Hex
}

/** The source does not compile, or has nothing to deploy. */
export class CompilationError extends Error {
  override readonly name = 'CompilationError'
}

/** The source takes more time or memory than the operator gives to one; it may be right all the same. */
export class CompilerLimit extends Error {
  override readonly name = 'CompilerLimit'
}

/** Too many sources wait already, or the compiler is stopping. */
export class CompilerBusy extends Error {
  override readonly name = 'CompilerBusy'
}

/** How many sources wait to be compiled; who comes then is told that the compiler is busy. */
export const MOST_WAITING = 32
