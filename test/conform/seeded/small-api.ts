import { fileURLToPath } from 'node:url'
import type { Api } from '../../../src/model/api.js'
import { parseDocument } from '../../../src/read/document.js'
import { loadApi } from '../../../src/read/load.js'
import { SMALL_WORKFLOWS } from './small-workflows.js'

const spec = (name: string) => fileURLToPath(new URL(`../../../spec/${name}`, import.meta.url))

/** The documents whole, and without workflows: those ask for a chain behind the server. */
export const wholeApi: Api = await loadApi({
  openapi: spec('openapi.yaml'),
  openrpc: spec('openrpc.yaml'),
})

/** A method of each kind: without params, with some, with a list, that writes, and those that links lead to. */
export const FEW_METHODS: readonly string[] = [
  'chain_getSupportedTokens',
  'eth_chainId',
  'eth_blockNumber',
  'eth_getBlockByNumber',
  'eth_getTransactionReceipt',
  'eth_getBalance',
  'eth_getCode',
  'eth_sendRawTransaction',
  'net_version',
  'web3_sha3',
]

const text = (bundled: object, change: object = {}): string =>
  JSON.stringify({ ...bundled, ...change })

const { bundled = {} } = wholeApi.rpc ?? {}
const methods = (bundled as { readonly methods: readonly { readonly name: string }[] }).methods

/** As text, for those who read files. */
export const smallDocuments = {
  openapi: text(wholeApi.http?.bundled ?? {}),
  openrpc: text(bundled, { methods: methods.filter(({ name }) => FEW_METHODS.includes(name)) }),
}

/** A service that is as the whole one, of fewer methods, so that a defect is looked for in a second. */
export const smallApi: Api = await loadApi({
  openapi: parseDocument(smallDocuments.openapi, 'openapi.json'),
  openrpc: parseDocument(smallDocuments.openrpc, 'openrpc.json'),
  arazzo: parseDocument(SMALL_WORKFLOWS, 'workflows.arazzo.yaml'),
})
