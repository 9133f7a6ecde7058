import { join } from 'node:path'
import type { Bench, Row } from '../bench.js'
import { bundleOf, bytesOf, GENERATED } from './bundle.js'

/** What users carry: bytes of bundles, minified and compressed. */
export const weighingBenches: readonly Bench[] = [
  { name: 'sizes-checks', run: sizesOfChecks },
  { name: 'sizes-clients', run: sizesOfClients },
]

async function sizesOfChecks(): Promise<readonly Row[]> {
  return [
    await weighed('checks of eth_chainId', exporting('ethChainId'), 500),
    await weighed('checks of eth_getBlockByNumber', exporting('ethGetBlockByNumber'), 2000),
    await weighed('checks of all methods', exporting('rpcValidators'), 8000),
  ]
}

const exporting = (name: string): string => `export { ${name} } from '${GENERATED}/validators.ts'`

async function sizesOfClients(): Promise<readonly Row[]> {
  const method = `export { createRpcConnection, ethChainId } from '${GENERATED}/rpc.methods.ts'`
  return [
    await weighed('one-method RPC client', method, 13_000),
    await weighed('one-operation HTTP client', oneOperation('getZktTransaction'), 18_000),
  ]
}

/**
 * As a user writes it who wants one operation and nothing else: its descriptor, its checks, the runtime. What loads only
 * when a call needs it is weighed by itself.
 */
function oneOperation(id: string): string {
  return `
    import { createHttp } from 'twinspec/runtime/http'
    import { ${id} as operation } from '${GENERATED}/operations.ts'
    import { ${id} } from '${GENERATED}/validators.ts'
    const service = { servers: [], path: '', operations: { ${id}: operation } }
    export const client = (server) => createHttp(service, { ${id} }, { server })`
}

/** The file of the validators that can explain. */
export const validatorsIn = (folder: string): string => join(folder, 'explanations.ts')

async function weighed(name: string, contents: string, limit: number): Promise<Row> {
  const bundle = await bundleOf(contents)
  const first = bytesOf(bundle.filter(({ isFirst }) => isFirst))
  const later = bytesOf(bundle) - first
  const beside = later > 0 ? `${name} (and ${later} B later)` : name
  const against = { name: 'limit', bytes: limit }
  return { what: 'bundle, gzip', measured: { name: beside, bytes: first }, against, atMost: 1 }
}
