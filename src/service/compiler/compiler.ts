import type { Abi, Hex } from 'viem'

/** The Solidity compiler in child processes with limits of time and memory. */
export type Compiler = {
  /**
   * Rejects with a CompilationError for an error in the source, a CompilerLimit if it exceeds a limit, and NoTurn if too many
   * sources wait. An aborted signal rejects with its reason. Without a compiler, it rejects with a plain Error.
   */
  readonly compile: (source: string, options?: CompileOptions) => Promise<CompiledContract>
  readonly close: () => Promise<void>
}

export type CompileOptions = {
  /** Drops a waiting source, or ends the process that compiles it. */
  readonly signal?: AbortSignal
  /** The name of the caller: callers take turns, and none may fill the queue alone. */
  readonly caller?: string
  /** Callers with a key are served first, and have their own queue. */
  readonly isKeyed?: boolean
}

export type CompiledContract = {
  /** The last contract of the source that can be deployed. */
  readonly contract: string
  readonly abi: Abi
  readonly bytecode: Hex
}

/** The source does not compile, or contains no contract to deploy. */
export class CompilationError extends Error {
  override readonly name = 'CompilationError'
}

/** The source needs more time or memory than the operator allows; it may still be valid. */
export class CompilerLimit extends Error {
  override readonly name = 'CompilerLimit'
}

/**
 * The number of processes that may compile for callers without a key at a time: all but one. So callers with a key do not wait
 * for them. A single process serves both.
 */
export const processesWithoutKey = (processes: number): number => Math.max(1, processes - 1)

/** The maximum number of waiting sources, with a key and without one, each. Above it, `compile` rejects with NoTurn. */
export const MOST_WAITING = 32

/** The argument of a compiling process, as JSON. */
export type CompileTerms = {
  /** The limit of the whole process, including about 200 for the compiler. */
  readonly megabytes: number
  readonly evmVersion: string | undefined
}

export type CompileOrder = { readonly kind: 'compile'; readonly source: string }

/** The messages of a compiling process; messages without such a `kind` are from tsx. */
export type CompilerMessage =
  /** It has compiled a small source. */
  | { readonly kind: 'ready' }
  /** It cannot compile anything with these terms. */
  | { readonly kind: 'unable'; readonly message: string }
  | { readonly kind: 'answer'; readonly answer: CompileResult; readonly megabytes: number }
  /** It ends because of its memory. */
  | { readonly kind: 'breach' }

export type CompileResult =
  | {
      readonly kind: 'compiled'
      readonly contract: string
      readonly abi: Abi
      readonly bytecode: Hex
    }
  | { readonly kind: 'rejected'; readonly message: string }
  /** Rejected too, and the compiler may now be broken, for example after a stack overflow. */
  | { readonly kind: 'broken'; readonly message: string }
