import type { Logger } from 'pino'
import type { Chain } from '../node/chain.js'
import { type OutboxClock, retryPause } from './clock.js'

/**
 * Whether the node responds. After a call without a response, one request for the block number is sent for all callers. If that
 * fails too, all callers wait until one succeeds.
 */
export function createCircuit(options: CircuitOptions): Circuit {
  const { chain, clock, random, log, onReturn } = options
  let away: Promise<void> | undefined
  let comeBack: (() => void) | undefined
  let cancel: (() => void) | undefined
  let asking: Promise<boolean> | undefined
  let stopped = false

  const end = () => {
    comeBack?.()
    away = undefined
    comeBack = undefined
  }
  /** Sent alone, because another call in its batch may be the reason that the node does not respond. */
  const answers = () =>
    chain.blockNumber({ alone: true, timeout: PATIENCE_MILLISECONDS }).then(
      () => true,
      () => false,
    )
  const ask = async (attempt: number) => {
    const answered = await answers()
    if (stopped) return
    if (!answered) return later(attempt + 1)
    log.info('the node answers again')
    onReturn()
    end()
  }
  const later = (attempt: number) => {
    const pause = Math.min(LONGEST_MILLISECONDS, retryPause(attempt, random))
    cancel = clock.after(pause, () => void ask(attempt))
  }

  const doubt = async () => {
    const answered = await answers()
    asking = undefined
    if (stopped) return false
    if (answered) {
      onReturn()
      return true
    }
    log.warn('the node does not answer: nothing is sent until it does')
    away = new Promise((resolve) => {
      comeBack = resolve
    })
    later(1)
    return false
  }

  return {
    answering: async () => {
      while (away) await away
    },
    isAway: () => away !== undefined,
    doubt: async () => {
      if (away || stopped) return false
      asking ??= doubt()
      return asking
    },
    stop: () => {
      stopped = true
      cancel?.()
      end()
    },
  }
}

/** A node that is back should be noticed soon; one small request at a time does not overload it. */
const LONGEST_MILLISECONDS = 5_000

/** A usable node returns its block number in less time. */
const PATIENCE_MILLISECONDS = 5_000

type CircuitOptions = {
  readonly chain: Chain
  readonly clock: OutboxClock
  readonly random: () => number
  readonly log: Logger
  /** The node responds again: it may be another node, with another pool. */
  readonly onReturn: () => void
}

export type Circuit = {
  /** Resolves immediately, or when the node responds again. */
  readonly answering: () => Promise<void>
  readonly isAway: () => boolean
  /** Call it after a call without a response: whether the node responds to other calls. */
  readonly doubt: () => Promise<boolean>
  readonly stop: () => void
}
