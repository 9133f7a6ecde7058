import type { RunOptions } from './run-anvil.js'

/** What a supervisor is started with. */
export type SupervisorOptions = Pick<
  SuperviseOptions,
  'chainId' | 'folder' | 'port' | 'savePause'
> & {
  /** Milliseconds to wait for a folder that another supervisor has; 15,000 where absent. */
  readonly patience?: number | undefined
  /** Bytes that anvil may have in memory; as `memory.ts` has it where absent. */
  readonly mostMemory?: number | undefined
  /** The folder goes when the chain does. */
  readonly isTemporary: boolean
}

/** What a supervisor tells the gateway. The gateway tells it `{ kind: 'close' }`. */
export type SupervisorMessage =
  | { readonly kind: 'ready'; readonly url: string; readonly port: number }
  | { readonly kind: 'failed'; readonly message: string }
  /** What anvil would take while its state is saved, by its memory now and what the last save took. */
  | { readonly kind: 'memory'; readonly bytes: number }
  | {
      readonly kind: 'log'
      readonly level: 'debug' | 'info' | 'warn' | 'error'
      readonly message: string
      readonly details: object
    }

export type SuperviseOptions = RunOptions & {
  readonly signal: AbortSignal
  readonly log: WriteLog
  /** Called at every start. */
  readonly onReady: (url: string, port: number) => void
  /** Milliseconds between two states saved; 1,000 where absent. */
  readonly savePause?: number | undefined
  /** Is given how many times its memory anvil took at most while its state was saved. */
  readonly onSaveCost?: (times: number) => void
}

export type WriteLog = (
  level: 'debug' | 'info' | 'warn' | 'error',
  message: string,
  details?: object,
) => void
