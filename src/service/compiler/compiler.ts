import type { Abi, Hex } from 'viem'

/** Solidity, compiled in child processes with limits of time and memory. */
export type Compiler = {
  /**
   * Rejects with a CompilationError for a fault of the source, with a CompilerLimit if it takes too much, and with
   * NoTurn if too many wait. An aborted signal rejects with its reason. Without a compiler it rejects with a plain
   * Error.
   */
  readonly compile: (source: string, options?: CompileOptions) => Promise<Compiled>
  readonly close: () => Promise<void>
}

export type CompileOptions = {
  /** Drops a source that waits, and ends the process that works on it. */
  readonly signal?: AbortSignal
  /** Who asks: callers take turns, and none may fill the queue alone. */
  readonly caller?: string
  /**
   * Callers with a key are served before those without one, and have a queue of their own.
   */
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

/**
 * How many processes may compile for callers without a key at a time: all but one, so that callers with a key do not
 * wait for them. A single process serves both.
 */
export const processesWithoutKey = (processes: number): number => Math.max(1, processes - 1)

/** How many sources may wait to be compiled, with a key and without one. Past that, `compile` rejects with NoTurn. */
export const MOST_WAITING = 32

/** What a compiling process gets at its start, as its one argument in JSON. */
export type Terms = {
  /** Of the whole process, its compiler of some 200 included. */
  readonly megabytes: number
  readonly evmVersion: string | undefined
}

export type Order = { readonly kind: 'compile'; readonly source: string }

/** What a compiling process says; whatever has no `kind` of these is not ours. */
export type Report =
  /** It has compiled something small. */
  | { readonly kind: 'ready' }
  /** It cannot compile anything under its terms. */
  | { readonly kind: 'unable'; readonly message: string }
  | { readonly kind: 'answer'; readonly answer: Answer; readonly megabytes: number }
  /** It ends itself for its memory. */
  | { readonly kind: 'breach' }

export type Answer =
  | {
      readonly kind: 'compiled'
      readonly contract: string
      readonly abi: Abi
      readonly bytecode: Hex
    }
  | { readonly kind: 'refused'; readonly message: string }
  /** Refused as well, and the compiler may be broken by it: a stack that ran out leaves it so. */
  | { readonly kind: 'broken'; readonly message: string }
