import type { Api } from '../model/api.js'
import { code, doc, type File, file, imported, importedType } from './file.js'

/** `eip1193.ts`: the JSON-RPC methods with the interface of wallets. */
export function emitEip1193(api: Api): File {
  const { title, version } = api.rpc ?? api
  const methods = importedType('RpcMethods', './rpc.client.js')
  const server = importedType('RpcServer', './rpc.client.js')
  const auth = importedType('RpcAuth', './rpc.client.js')
  const service = imported('rpcService', './operations.js')
  const validators = imported('rpcValidators', './validators.js')
  const body = code`${doc(
    `${title} ${version} as an EIP-1193 provider, for example for ethers: \`new BrowserProvider(createProvider({ auth }))\`.`,
  )}
export const createProvider = (
  options: ${importedType('RpcOptions', 'twinspec/runtime/rpc')}<${server}, ${auth}> = {},
): ${importedType('Eip1193Provider', RUNTIME)}<${methods}> =>
  ${imported('createEip1193Provider', RUNTIME)}<${methods}>(${service}, ${validators}, options, explanations)

/** Loaded when the first value is rejected, to report why. */
const explanations = () => import('./explanations.js').then(({ rpcValidators }) => rpcValidators)

export { ProviderRpcError } from '${RUNTIME}'`
  return file('eip1193.ts', body)
}

/** The method that every wallet and library calls first. */
const ASKED_FIRST = 'eth_chainId'

export const whyNoEip1193 = ({ rpc, operations }: Api): string | undefined => {
  if (rpc === undefined) return 'there is no OpenRPC document'
  const isThere = operations.some((one) => one.kind === 'rpc' && one.method === ASKED_FIRST)
  return isThere
    ? undefined
    : `the OpenRPC document has no method ${ASKED_FIRST}, which every user of a provider calls first`
}

const RUNTIME = 'twinspec/runtime/eip1193'
