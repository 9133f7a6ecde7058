import { CallError, HttpError, RpcError } from '../errors.js'
import { settle } from './call.js'
import { writeParams } from './params.js'
import { deliver, exchange } from './post.js'
import type { createRest } from './rest.js'

/**
 * What loads what a call does without as long as all is well: one module, for the first call that does not. What could not
 * be loaded now may be later, so the next call tries again.
 */
export const createLoadRest = (): LoadRest => {
  let loading: Promise<Rest> | undefined
  return () => {
    loading ??= import('./rest.js').then(
      ({ createRest }) =>
        createRest(CallError, HttpError, RpcError, deliver, exchange, settle, writeParams),
      (error) => {
        loading = undefined
        throw error
      },
    )
    return loading
  }
}

export type LoadRest = () => Promise<Rest>

export type Rest = ReturnType<typeof createRest>
