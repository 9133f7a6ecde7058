import type { HttpClient } from '../../generated/http.client.js'
import type { RpcClient } from '../../generated/rpc.client.js'
import type { CallOptions } from '../../src/runtime/http.js'

/** `fetch` for both clients, which remembers what came back. */
export const watchTraffic = () => {
  const seen: Response[] = []
  const violations: string[] = []
  const look = (response: Response): Response => {
    seen.push(response)
    const violation = response.headers.get('sl-violations')
    if (violation !== null) violations.push(violation)
    return response
  }
  return {
    http: async (url: string, init: RequestInit) => look(await fetch(url, init)),
    rpc: async (url: string, init: RequestInit) => look(await fetch(url, init)),
    /** How many answers there have been. */
    count: () => seen.length,
    /** What Prism had to say against an answer or its request, since it was last asked. */
    takeViolations: () => violations.splice(0),
  }
}

export type Traffic = ReturnType<typeof watchTraffic>

/** An operation of a generated client, of which only its id is known. */
export const httpCall = (client: HttpClient, id: string): AnyHttpCall =>
  (client as unknown as Readonly<Record<string, AnyHttpCall>>)[id] as AnyHttpCall

export const rpcCall = (client: RpcClient, id: string): AnyRpcCall =>
  (client as unknown as Readonly<Record<string, AnyRpcCall>>)[id] as AnyRpcCall

type AnyHttpCall = (input: object, options?: CallOptions) => Promise<unknown>
type AnyRpcCall = (...params: readonly unknown[]) => Promise<unknown>

/** What a call came to: its answer, or what it threw. */
export const outcomeOf = async (call: Promise<unknown>): Promise<Outcome> => {
  try {
    return { answer: await call }
  } catch (error) {
    return { error }
  }
}

export type Outcome = { readonly answer?: unknown; readonly error?: unknown }
