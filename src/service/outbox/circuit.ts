import type { Logger } from 'pino'
import type { Chain } from '../node/chain.js'
import { type Clock, pauseAfter } from './clock.js'

/** Whether the node answers. While it does not, everybody waits here, and one asks for its block number. */
export function createCircuit(options: CircuitOptions): Circuit {
  const { chain, clock, random, log, onReturn } = options
  let away: Promise<void> | undefined
  let comeBack: (() => void) | undefined
  let cancel: (() => void) | undefined
  let stopped = false

  const end = () => {
    comeBack?.()
    away = undefined
    comeBack = undefined
  }
  const ask = async (attempt: number) => {
    try {
      await chain.blockNumber()
    } catch {
      if (!stopped) later(attempt + 1)
      return
    }
    if (stopped) return
    log.info('the node answers again')
    onReturn()
    end()
  }
  const later = (attempt: number) => {
    const pause = Math.min(LONGEST_MILLISECONDS, pauseAfter(attempt, random))
    cancel = clock.after(pause, () => void ask(attempt))
  }

  return {
    answering: async () => {
      while (away) await away
    },
    isAway: () => away !== undefined,
    trip: () => {
      if (away || stopped) return
      log.warn('the node does not answer: nothing is sent until it does')
      away = new Promise((resolve) => {
        comeBack = resolve
      })
      later(1)
    },
    stop: () => {
      stopped = true
      cancel?.()
      end()
    },
  }
}

/** A node that is back is to be noticed soon; one small question each time does not wear it out. */
const LONGEST_MILLISECONDS = 5_000

export type CircuitOptions = {
  readonly chain: Chain
  readonly clock: Clock
  readonly random: () => number
  readonly log: Logger
  /** The node answers again: it may be a new one, with another pool. */
  readonly onReturn: () => void
}

export type Circuit = {
  /** Resolves at once, or when the node answers again. */
  readonly answering: () => Promise<void>
  readonly isAway: () => boolean
  /** A call came to no answer. */
  readonly trip: () => void
  readonly stop: () => void
}
