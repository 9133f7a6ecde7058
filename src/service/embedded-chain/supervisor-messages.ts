import type { AnvilRunOptions } from './run-anvil.js'

/** The input of a supervisor. */
export type SupervisorOptions = Pick<
  SuperviseOptions,
  'chainId' | 'folder' | 'port' | 'savePause'
> & {
  /** Milliseconds to wait for a folder that another supervisor has locked; 15,000 by default. */
  readonly patience?: number | undefined
  /** The maximum bytes of anvil's memory; by default as in `memory-limit.ts`. */
  readonly mostMemory?: number | undefined
  /** The folder is removed with the chain. */
  readonly isTemporary: boolean
}

/** The messages of a supervisor to the gateway. The gateway sends `{ kind: 'close' }`. */
export type SupervisorMessage =
  | { readonly kind: 'ready'; readonly url: string; readonly port: number }
  | { readonly kind: 'failed'; readonly message: string }
  /** The bytes that anvil would need to save its state, estimated from its memory now and the cost of the last save. */
  | { readonly kind: 'memory'; readonly bytes: number }
  | {
      readonly kind: 'log'
      readonly level: 'debug' | 'info' | 'warn' | 'error'
      readonly message: string
      readonly details: object
    }

export type SuperviseOptions = AnvilRunOptions & {
  readonly signal: AbortSignal
  readonly log: WriteLog
  /** Called at every start. */
  readonly onReady: (url: string, port: number) => void
  /** Milliseconds between two saves; 1,000 by default. */
  readonly savePause?: number | undefined
  /** Receives the factor by which anvil's memory grew at most while its state was saved. */
  readonly onSaveCost?: (times: number) => void
}

export type WriteLog = (
  level: 'debug' | 'info' | 'warn' | 'error',
  message: string,
  details?: object,
) => void
