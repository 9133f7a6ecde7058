import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { api, httpOperations, methods, sources } from './documents.js'

/** METHODS.md, by the first part of the name. */
const ETHEREUM = names({
  debug: `getBadBlocks getRawBlock getRawHeader getRawReceipts getRawTransaction storageRangeAt
    traceBlock traceBlockByHash traceBlockByNumber traceCall traceTransaction`,
  eth: `accounts baseFee blockNumber call capabilities chainId coinbase config createAccessList
    estimateGas feeHistory fillTransaction gasPrice getBalance getBlockAccessList getBlockByHash
    getBlockByNumber getBlockReceipts getBlockTransactionCountByHash
    getBlockTransactionCountByNumber getCode getFilterChanges getFilterLogs getHeaderByHash
    getHeaderByNumber getLogs getProof getRawTransactionByBlockHashAndIndex
    getRawTransactionByBlockNumberAndIndex getRawTransactionByHash getStorageAt getStorageValues
    getTransactionByBlockHashAndIndex getTransactionByBlockNumberAndIndex getTransactionByHash
    getTransactionCount getTransactionReceipt getUncleByBlockHashAndIndex
    getUncleByBlockNumberAndIndex getUncleCountByBlockHash getUncleCountByBlockNumber
    maxPriorityFeePerGas newBlockFilter newFilter newPendingTransactionFilter pendingTransactions
    resend sendRawTransaction sendRawTransactionSync sendTransaction sign signTransaction simulateV1
    syncing uninstallFilter`,
  net: 'listening peerCount version',
  rpc: 'modules',
  txpool: 'content contentFrom inspect status',
  web3: 'clientVersion sha3',
})

/** Methods that only this service has. */
const OWN = names({
  chain: 'getActiveValidatorList getSupportedTokens getValidatorList sendSponsoredTransaction',
})

const METHODS_MD = fileURLToPath(new URL('../../../shared/METHODS.md', import.meta.url))
const CLIENTS_MD = fileURLToPath(new URL('../../../shared/CLIENTS.md', import.meta.url))

describe('the methods', () => {
  it('are those of METHODS.md and the four of the network', () => {
    expect(methods.map(({ method }) => method).sort()).toEqual([...ETHEREUM, ...OWN].sort())
    expect(methods).toHaveLength(73 + 3 + 4)
  })

  const listed = existsSync(METHODS_MD)
  it.skipIf(!listed)(`have METHODS.md on their side${listed ? '' : ' (skipped: absent)'}`, () => {
    const rows = readFileSync(METHODS_MD, 'utf8').matchAll(/^\| ([a-z0-9]+_[A-Za-z0-9]+) \|/gm)
    expect([...rows].map(([, name]) => name).sort()).toEqual([...ETHEREUM].sort())
  })

  it('leave eth_blobBaseFee out, which is described in prose alone', () => {
    expect(methods.filter(({ method }) => /blobBaseFee/i.test(method))).toEqual([])
    const lines = [...sources].flatMap(([file, text]) =>
      text
        .split('\n')
        .flatMap((line) => (line.includes('eth_blobBaseFee') ? [{ file, line }] : [])),
    )
    expect(lines.filter(({ line }) => /^\s*(-\s*)?(\$ref|name|method|eth_)/.test(line))).toEqual([])
    expect(lines.map(({ file }) => file)).toContain('openrpc.yaml')
  })

  it('leave out what needs a socket, and what geth dropped', () => {
    const gone =
      /^(eth_(un)?subscribe|eth_protocolVersion|eth_mining|eth_hashrate|eth_(get|submit)Work|eth_submitHashrate|eth_compile|personal_)/
    expect(methods.filter(({ method }) => gone.test(method))).toEqual([])
  })

  it('take params by position, each of them', () => {
    expect(methods.filter(({ paramStructure }) => paramStructure !== 'by-position')).toEqual([])
    const said = [...sources.values()].join('\n').match(/^\s*paramStructure: by-position$/gm)
    expect(said).toHaveLength(methods.length)
  })

  it('put optional params at the end', () => {
    const mixed = methods.filter(({ params }) => {
      const first = params.findIndex(({ required }) => !required)
      return first >= 0 && params.slice(first).some(({ required }) => required)
    })
    expect(mixed.map(({ method }) => method)).toEqual([])
  })

  it('need a key only to send', () => {
    const keyed = methods.filter(({ access }) => access !== 'public')
    expect(keyed.map(({ method, access }) => [method, access])).toEqual([
      ['chain_sendSponsoredTransaction', 'key'],
      ['eth_sendRawTransaction', 'key'],
      ['eth_sendRawTransactionSync', 'key'],
    ])
  })

  it('are never sent again where they write', () => {
    const writing = /send|sign|resend|new\w*Filter|uninstall|getFilterChanges/i
    const repeated = methods.filter(({ method, idempotent }) => idempotent && writing.test(method))
    expect(repeated.map(({ method }) => method)).toEqual([])
    expect(httpOperations.filter(({ idempotent }) => idempotent).map(({ id }) => id)).toEqual([
      'getZktTransaction',
    ])
  })

  const clients = existsSync(CLIENTS_MD)
  it.skipIf(!clients)(
    `are offered where real clients call them${clients ? '' : ' (skipped: no CLIENTS.md)'}`,
    () => {
      const called = new Set(readFileSync(CLIENTS_MD, 'utf8').match(/\b(eth|net)_[A-Za-z]+/g))
      const unsure = methods.filter(
        ({ method, errors }) => called.has(method) && errors.some(({ code }) => code === -32601),
      )
      // It is refused, so that clients fall back.
      expect(unsure.map(({ method }) => method)).toEqual(['eth_fillTransaction'])
    },
  )
})

describe('stability', () => {
  it('is said of everything', () => {
    expect(api.operations.filter(({ stability }) => stability === undefined)).toEqual([])
  })

  it('is beta for ZKT, and experimental for two methods of the network', () => {
    expect(httpOperations.map(({ stability }) => stability)).toEqual(['beta', 'beta', 'beta'])
    const own = methods.filter(({ method }) => method.startsWith('chain_'))
    expect(Object.fromEntries(own.map(({ method, stability }) => [method, stability]))).toEqual({
      chain_getActiveValidatorList: 'stable',
      chain_getSupportedTokens: 'alpha',
      chain_getValidatorList: 'stable',
      chain_sendSponsoredTransaction: 'alpha',
    })
  })
})

describe('the documents as a whole', () => {
  it('leave nothing to find', () => {
    expect(api.findings).toEqual([])
  })

  it('have the versions that were asked for', () => {
    expect(api.http?.bundled.openapi).toBe('3.0.3')
    expect(String(api.rpc?.bundled.openrpc)).toMatch(/^1\.[3-9]\./)
  })
})

function names(families: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(families).flatMap(([family, list]) =>
    list.split(/\s+/).map((name) => `${family}_${name}`),
  )
}
