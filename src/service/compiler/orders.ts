import type { Abi, Hex } from 'viem'

/** What a compiling process is told at its start, as its one argument in JSON. */
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
