import { describe, expect, it } from 'vitest'
import type { Server } from '../../src/runtime/operation.js'
import { api, http, httpOperations, methods } from './documents.js'

/** As the networks publish them. */
const CHAIN_IDS = { testnet: 20180427, mainnet: 101010 }

const SERVERS: Readonly<Record<string, readonly Server[]>> = {
  'the HTTP document': api.http?.servers ?? [],
  'the OpenRPC document': api.rpc?.servers ?? [],
  'the status lookup': http('getZktTransaction').servers,
}

describe.each(Object.entries(SERVERS))('the networks of %s', (_, servers) => {
  it('are two, by name and chain id', () => {
    const ids = servers.map(({ name, chainId }) => [name, chainId])
    expect(Object.fromEntries(ids)).toEqual(CHAIN_IDS)
  })

  it('have a host each, which is a variable', () => {
    const hosts = servers.map(({ url, variables }) => {
      const variable = /^https:\/\/\{(\w+)\}/.exec(url)?.[1] ?? 'none'
      return variables[variable]?.default
    })
    expect(new Set(hosts).size).toBe(2)
    // Nothing may be reached before somebody has set the host (RFC 2606).
    for (const host of hosts) expect(host).toMatch(/\.example$/)
  })
})

describe('the addresses', () => {
  it('submissions and JSON-RPC share a host, the status lookup has its own', () => {
    const hostsOf = (servers: readonly Server[]) => servers.map(({ variables }) => variables)
    const submission = hostsOf(http('submitZkt').servers).map(({ rpcHost }) => rpcHost?.default)
    const rpc = hostsOf(api.rpc?.servers ?? []).map(({ rpcHost }) => rpcHost?.default)
    const status = hostsOf(http('getZktTransaction').servers).map(({ apiHost }) => apiHost?.default)
    expect(submission).toEqual(rpc)
    expect(status.filter((host) => submission.includes(host))).toEqual([])
    expect(status).toHaveLength(2)
  })

  it('are the four of the service', () => {
    const paths = httpOperations.map(({ method, path }) => `${method} ${path}`)
    expect([...paths, `POST ${api.rpc?.path}`]).toEqual([
      'POST /zkt/try-it-out',
      'POST /zkt/{apiKey}',
      'GET /gtn/v1/zkt/transaction/{queueId}',
      'POST /zgt/{apiKey}',
    ])
  })

  it('keep the key secret wherever it stands in one', () => {
    const parameters = httpOperations.flatMap(({ parameters: own }) => own)
    expect(parameters.map(({ name, secret }) => [name, secret])).toEqual([
      ['apiKey', true],
      ['queueId', undefined],
    ])
    for (const { variables } of api.rpc?.servers ?? []) {
      expect(variables.apiKey).toEqual({ default: 'try-it-out', secret: true })
    }
  })
})

describe('the limits', () => {
  it('are data', () => {
    expect(api.http?.limits).toEqual({ payloadBytes: 1_048_576 })
    expect(api.rpc?.limits).toEqual({
      requestsPerMinute: 200,
      batchSize: 40,
      payloadBytes: 1_048_576,
    })
  })

  it('are promised of no single operation: SERVICE shows no number there', () => {
    const limited = [...httpOperations, ...methods].filter(
      ({ limits }) => limits.requestsPerMinute !== undefined || limits.batchSize !== undefined,
    )
    expect(limited.map(({ id }) => id)).toEqual([])
  })
})
