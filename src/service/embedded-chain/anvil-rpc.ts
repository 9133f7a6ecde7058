/**
 * Asks anvil for what the document does not have: mining, its pool, its state. Rejects with an Error where anvil refuses one
 * of the calls or does not answer.
 */
export function createAnvilRpc(url: string): AnvilRpc {
  const batch = async (calls: readonly AnvilCall[], timeout = 30_000) => {
    const body = JSON.stringify(
      calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params })),
    )
    const headers = { 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(timeout)
    const response = await fetch(url, { method: 'POST', headers, body, signal })
    const answers = (await response.json()) as readonly Answer[]
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
