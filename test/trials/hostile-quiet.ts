import { setTimeout as pause } from 'node:timers/promises'

/** What a customer does with a key: a round reads, submits a message and polls it. Nothing is sent twice. */
export const keyedCaller = (url: string, key: string) => {
  const accepted = new Map<string, { readonly queueId: string; readonly hash: string }>()
  const round = async (name: string): Promise<Round> => {
    const milliseconds: number[] = []
    const errors: string[] = []
    const timed = async (what: string, path: string, body?: unknown): Promise<Body> => {
      const begun = performance.now()
      try {
        const init = { method: 'POST', headers: HEADERS, body: JSON.stringify(body) }
        const response = await fetch(url + path, body === undefined ? {} : init)
        const parsed: Body = await response.json()
        if (response.status !== 200 || parsed.error)
          errors.push(`${what}: ${response.status} ${JSON.stringify(parsed)}`)
        return parsed
      } catch (error) {
        errors.push(`${what}: ${error}`)
        return {}
      } finally {
        milliseconds.push(performance.now() - begun)
      }
    }
    const call = { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }
    await timed('read', `/zgt/${key}`, call)
    const { queueId, hash } = await timed('submit', `/zkt/${key}`, { arguments: name })
    if (queueId && hash) {
      accepted.set(name, { queueId, hash })
      await timed('poll', `/gtn/v1/zkt/transaction/${queueId}`)
    }
    // The limit of a key is 200 reads a minute.
    await pause(320)
    return { milliseconds, errors }
  }
  const lookUp = async (queueId: string): Promise<string | undefined> => {
    const response = await fetch(`${url}/gtn/v1/zkt/transaction/${queueId}`)
    return (await response.json()).status
  }
  return {
    round,
    /** Waits until every submission has come to its end, two minutes at most. */
    settled: async (): Promise<void> => {
      const end = Date.now() + 120_000
      for (const { queueId } of accepted.values())
        while (Date.now() < end && /pending|processing/.test((await lookUp(queueId)) ?? ''))
          await pause(250)
    },
    /** The names of submissions that were not mined exactly once, by what the chain says of their wallet. */
    minedOnce: async (): Promise<readonly string[]> => {
      const wrong: string[] = []
      const nonces = new Set<string>()
      for (const [name, { hash }] of accepted) {
        const response = await fetch(`${url}/zgt/try-it-out`, {
          method: 'POST',
          headers: HEADERS,
          body: JSON.stringify({
            jsonrpc: '2.0',
            id: 1,
            method: 'eth_getTransactionByHash',
            params: [hash],
          }),
        })
        const { result }: { result?: { blockNumber?: string; nonce?: string; input?: string } } =
          await response.json()
        const text = `0x${Buffer.from(name).toString('hex')}`
        const isMined =
          result?.blockNumber && result.input === text && !nonces.has(result.nonce ?? '')
        if (!isMined) wrong.push(name)
        nonces.add(result?.nonce ?? '')
      }
      const count = nonces.size
      return count === accepted.size
        ? wrong
        : [...wrong, `${accepted.size} accepted, ${count} nonces`]
    },
  }
}

export type Round = {
  readonly milliseconds: readonly number[]
  readonly errors: readonly string[]
}

type Body = { readonly error?: unknown; readonly queueId?: string; readonly hash?: string }

const HEADERS = { 'content-type': 'application/json' }
