import type { CallError, HttpError, RpcError } from '../errors.js'
import type { settle } from './call.js'
import type { writeParams } from './params.js'
import type { deliver, exchange } from './post.js'

/**
 * What a page has loaded before the rest, as far as the rest needs it, handed over when it arrives: a module that both
 * import would be a file of its own, loaded first, and the client by a sixth larger.
 */
export let loaded: Loaded

export const handOver = (...given: Given): void => {
  const [CallError, HttpError, RpcError, deliver, exchange, settle, writeParams] = given
  loaded = { CallError, HttpError, RpcError, deliver, exchange, settle, writeParams }
}

/** By place, as names would be part of what a page loads first. */
export type Given = [
  CallError: Loaded['CallError'],
  HttpError: Loaded['HttpError'],
  RpcError: Loaded['RpcError'],
  deliver: Loaded['deliver'],
  exchange: Loaded['exchange'],
  settle: Loaded['settle'],
  writeParams: Loaded['writeParams'],
]

export type Loaded = {
  readonly CallError: typeof CallError
  readonly HttpError: typeof HttpError
  readonly RpcError: typeof RpcError
  readonly deliver: typeof deliver
  readonly exchange: typeof exchange
  readonly settle: typeof settle
  readonly writeParams: typeof writeParams
}
