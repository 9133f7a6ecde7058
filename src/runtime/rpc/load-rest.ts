import { giveUp, type PendingCall } from './call.js'

/**
 * What a call does without as long as all is well: one module, loaded by the first that does not. What could not be
 * loaded now may be later, so it is tried again.
 */
export const loadRest = (): Promise<Rest> => {
  loading ??= import('./rest.js').catch((error) => {
    loading = undefined
    throw error
  })
  return loading
}

export type Rest = typeof import('./rest.js')

let loading: Promise<Rest> | undefined

/** Leaves calls to the rest; `said` is what they are told where it is out of reach, as it may be where the network is. */
export const leaveToRest = (
  calls: readonly PendingCall[],
  reason: 'network' | 'invalid-input',
  said: string,
  work: (rest: Rest) => unknown,
): void => {
  loadRest()
    .then(work)
    .catch((cause) => {
      // Nothing that was heard is repeated: what redacts it is of the part that is missing.
      const message = `${said}, and the part of the client that says why could not be loaded`
      for (const call of calls) giveUp(call, reason, message, cause)
    })
}
