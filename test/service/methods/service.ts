import { createServer, notOffered } from '../../../generated/server.js'
import type { RpcOperation } from '../../../src/runtime/operation.js'
import type { ServerOptions } from '../../../src/runtime/server.js'
import type { MethodParts } from '../../../src/service/methods/method-parts.js'
import { createMethods } from '../../../src/service/methods/methods.js'
import { type ChainNode, createNode } from '../../../src/service/node/node.js'

/** The handlers behind the core server: what a caller of one method, or of a batch, is answered. */
export function startMethods(options: Options): Service {
  const { url = 'http://node.test', fetch, timeout = 10_000, lacking, settings, ...rest } = options
  const { chainId = 20180427 } = options
  const isOurs = settings !== undefined && 'upstream' in settings && settings.upstream === undefined
  const node = createNode({
    ...{ url, chainId, timeout },
    ...(fetch && { fetch }),
    ...(isOurs && { mostEstimated: 100_000_000 }),
  })
  const methods = createMethods({
    node,
    lacking: new Set(lacking ?? []),
    settings: {
      upstream: url,
      notOffered: [],
      tokens: [],
      validators: [],
      activeValidators: [],
      waitSeconds: 60,
      ...settings,
    },
    ...(rest.onError && { onError: rest.onError }),
  })
  const unexpected: unknown[] = []
  const server = createServer(
    { ...notOffered, ...methods },
    {
      validateOutput: true,
      onError: (error) => unexpected.push(error),
      ...rest.server,
    },
  )
  const post = async (body: unknown, signal?: AbortSignal): Promise<unknown> => {
    const reply = await server.handle({
      method: 'POST',
      url: '/zgt/key',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    })
    return JSON.parse(String(reply.body ?? 'null'))
  }
  return {
    node,
    server,
    unexpected,
    post,
    call: async (method, params = [], signal) => {
      const answer = await post({ jsonrpc: '2.0', id: 1, method, params }, signal)
      const { jsonrpc, id, ...said } = answer as Answer & { jsonrpc: string; id: number }
      return said
    },
  }
}

export type Answer = {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

export type Service = {
  readonly node: ChainNode
  readonly server: ReturnType<typeof createServer>
  /** Errors that no caller saw: a result that does not fit the document is one. */
  readonly unexpected: readonly unknown[]
  readonly post: (body: unknown, signal?: AbortSignal) => Promise<unknown>
  readonly call: (
    method: string,
    params?: readonly unknown[],
    signal?: AbortSignal,
  ) => Promise<Answer>
}

type Options = {
  readonly url?: string
  readonly chainId?: number
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  readonly timeout?: number
  readonly lacking?: readonly string[]
  readonly settings?: Partial<MethodParts['settings']>
  readonly onError?: MethodParts['onError']
  readonly server?: ServerOptions
}

/** A node that answers each call as it is set, alone or as a member of a batch; `calls` is what it was asked. */
export function scriptNode(answer: (call: Call) => Answer | Promise<Answer>): ScriptedNode {
  const calls: Call[] = []
  return {
    calls,
    fetch: async (_url, { body }) => {
      const sent = JSON.parse(String(body)) as (Call & { id: number }) | (Call & { id: number })[]
      const one = async ({ id, method, params }: Call & { id: number }) => {
        calls.push({ method, params })
        return { jsonrpc: '2.0', id, ...(await answer({ method, params })) }
      }
      return Response.json(Array.isArray(sent) ? await Promise.all(sent.map(one)) : await one(sent))
    },
  }
}

export type Call = { readonly method: string; readonly params: readonly unknown[] }
export type ScriptedNode = {
  readonly calls: readonly Call[]
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
}

/** The codes that a method may answer with: its own, and those that any may. */
export const codesOf = ({ errors }: RpcOperation): readonly number[] => [
  ...errors.map(({ code }) => code),
  ...[-32700, -32600, -32601, -32602, -32603, -32005],
]
