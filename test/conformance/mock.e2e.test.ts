import { describe, expect, it } from 'vitest'
import { createHttpClient } from '../../generated/http.client.js'
import { createRpcClient } from '../../generated/rpc.client.js'
import { type Mock, startMock } from '../../src/mock/mock.js'
import { startPrismBackend } from '../../src/mock/prism-backend.js'
import { describeContract, type Host } from './contract.js'
import { api, httpOperations, requestsOf, rpcOperations } from './documents.js'
import { httpCall, outcomeOf, rpcCall } from './traffic.js'

const hostOf = ({ httpUrl, rpcUrl, stop }: Mock): Host => {
  if (httpUrl === undefined || rpcUrl === undefined) throw new Error('half a mock')
  return { httpUrl, rpcUrl, stop }
}

describeContract('the clients against the mock', async () => hostOf(await startMock(api)))

describeContract('the clients against Prism', async () => {
  const backend = await startPrismBackend(api)
  return hostOf(await startMock(api, { backend }))
})

describe('a network is chosen by its name', () => {
  const record = async (server: 'testnet' | 'mainnet', variables: Record<string, string> = {}) => {
    const hosts = new Map<string, string>()
    const refuse = (url: string, id: string) => {
      const { protocol, host } = new URL(url)
      hosts.set(id, `${protocol}//${host}`)
      return Promise.reject(new Error('nothing is sent'))
    }
    const retry = { attempts: 1 }
    for (const { id, ...operation } of httpOperations) {
      const fetch = (url: string) => refuse(url, id)
      const client = createHttpClient({ server, variables, fetch, retry, auth: { apiKey: 'k' } })
      const { path, body } = requestsOf({ id, ...operation })[0] ?? { path: {}, body: undefined }
      await outcomeOf(httpCall(client, id)({ path, body }))
    }
    for (const { id, examples } of rpcOperations) {
      const { rpcHost } = variables
      const client = createRpcClient({
        server,
        variables: { rpcHost },
        fetch: (url) => refuse(url, id),
        retry,
      })
      await outcomeOf(rpcCall(client, id)(...(examples[0]?.params ?? [])))
    }
    const { getZktTransaction, tryZkt, submitZkt, ...methods } = Object.fromEntries(hosts)
    const rpcHosts = Object.values(methods)
    expect(rpcHosts).toHaveLength(rpcOperations.length)
    return { submission: [tryZkt, submitZkt], status: getZktTransaction, rpc: new Set(rpcHosts) }
  }

  it.each(['testnet', 'mainnet'] as const)(
    '%s has the hosts that the documents give it',
    async (network) => {
      const submission = `https://rpc.${network}.example`
      expect(await record(network)).toEqual({
        submission: [submission, submission],
        status: `https://api.${network}.example`,
        rpc: new Set([submission]),
      })
    },
  )

  it('or the hosts that its caller gives it', async () => {
    const variables = { rpcHost: 'node.internal:8545', apiHost: 'queue.internal' }
    expect(await record('mainnet', variables)).toEqual({
      submission: ['https://node.internal:8545', 'https://node.internal:8545'],
      status: 'https://queue.internal',
      rpc: new Set(['https://node.internal:8545']),
    })
  })

  it('and the documents name no other', () => {
    const names = [
      ...httpOperations.map(({ servers }) => servers),
      api.http?.servers,
      api.rpc?.servers,
    ]
    for (const servers of names) {
      expect(servers?.map(({ name }) => name)).toEqual(['testnet', 'mainnet'])
      expect(servers?.map(({ chainId }) => chainId)).toEqual([20180427, 101010])
    }
  })
})
