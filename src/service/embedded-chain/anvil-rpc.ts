import { createKeptFetch } from '../node/kept-fetch.js'

/**
 * Calls the methods of anvil that the document does not have: for mining, its pool and its state. Rejects with an Error if anvil
 * refuses one of the calls or does not answer, and with ResponseTooLarge past the bound of a response.
 */
export function createAnvilRpc(url: string, { mostBytes = MOST_BYTES }: RpcOptions = {}): AnvilRpc {
  const read = createKeptFetch({ mostBytes })
  const readState = createKeptFetch({ mostBytes: MOST_STATE_BYTES })
  const batch = async (calls: readonly AnvilCall[], timeout = 30_000) => {
    const body = JSON.stringify(
      calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params })),
    )
    const headers = { 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(timeout)
    const fetch = calls.some(([method]) => method === 'anvil_dumpState') ? readState : read
    const response = await fetch(url, { method: 'POST', headers, body, signal }).catch(
      (error: unknown) => {
        // A timeout within the response is an error of its socket.
        throw signal.aborted ? signal.reason : error
      },
    )
    const answers: readonly Answer[] = JSON.parse(await response.text())
    const byId = new Map(answers.map((answer) => [answer.id, answer]))
    return calls.map(([method], id) => {
      const answer = byId.get(id)
      if (answer?.error) throw new Error(`anvil refuses ${method}: ${answer.error.message}`)
      return answer?.result
    })
  }
  return {
    batch,
    call: async (method, ...params) => (await batch([[method, ...params]], 60_000))[0],
  }
}

export type RpcOptions = {
  /** Bytes that a response may have, other than the state. */
  readonly mostBytes?: number
}

/** A batch of 100 transactions of the pool, of 2 MB each as text, is the largest other response. */
const MOST_BYTES = 256_000_000

/** V8 makes no longer strings: 2^29 - 24 characters. */
const MOST_STATE_BYTES = 2 ** 29 - 24

export type AnvilRpc = {
  readonly call: (method: string, ...params: unknown[]) => Promise<unknown>
  /** Results in the order of the calls; `timeout` in milliseconds. */
  readonly batch: (calls: readonly AnvilCall[], timeout?: number) => Promise<readonly unknown[]>
}

export type AnvilCall = readonly [method: string, ...params: unknown[]]

type Answer = {
  readonly id: number
  readonly result?: unknown
  readonly error?: { readonly message: string }
}
