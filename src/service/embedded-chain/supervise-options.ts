import type { RunOptions } from './run-anvil.js'

export type SuperviseOptions = RunOptions & {
  readonly signal: AbortSignal
  readonly log: Tell
  /** Called at every start. */
  readonly onReady: (url: string, port: number) => void
  /** Milliseconds between two states saved; 1,000 where absent. */
  readonly savePause?: number
  /** Is given how many times its memory anvil took at most while its state was saved. */
  readonly onSaveCost?: (times: number) => void
}

export type Tell = (
  level: 'debug' | 'info' | 'warn' | 'error',
  message: string,
  details?: object,
) => void
