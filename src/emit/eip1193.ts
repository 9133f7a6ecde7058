import type { Api } from '../model/api.js'
import { loaderDeclaration, optionsType, serviceOf } from './client.js'
import { code, doc, type File, file, imported, importedType } from './file.js'

/** `eip1193.ts`: the JSON-RPC methods with the interface of wallets. */
export function emitEip1193(api: Api): File {
  const { title, version } = api.rpc ?? api
  const methods = importedType('RpcMethods', './rpc.types.js')
  const validators = imported('rpcValidators', './validators.js')
  const body = code`${doc(
    `${title} ${version} as an EIP-1193 provider, for example for ethers: \`new BrowserProvider(createProvider({ auth }))\`.`,
  )}
export const createProvider = (
  options: ${optionsType('rpc')} = {},
): ${importedType('Eip1193Provider', RUNTIME)}<${methods}> =>
  ${imported('createEip1193Provider', RUNTIME)}<${methods}>(${serviceOf('rpc')}, ${validators}, options, explanations)

${loaderDeclaration('rpc')}

export { ProviderRpcError } from '${RUNTIME}'`
  return file('eip1193.ts', body)
}

/** The method that every wallet and library calls first. */
const FIRST_METHOD = 'eth_chainId'

export const whyNoEip1193 = ({ rpc, operations }: Api): string | undefined => {
  if (rpc === undefined) return 'there is no OpenRPC document'
  const isThere = operations.some((one) => one.kind === 'rpc' && one.method === FIRST_METHOD)
  return isThere
    ? undefined
    : `the OpenRPC document has no method ${FIRST_METHOD}, which every user of a provider calls first`
}

const RUNTIME = 'twinspec/runtime/eip1193'
