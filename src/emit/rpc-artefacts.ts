import type { Api } from '../model/api.js'
import { type File, jsonFile } from './file.js'
import { emitRpcTypes } from './openapi-types.js'
import { projectRpc } from './projection.js'
import { emitRpcClient } from './rpc-client.js'
import { emitRpcSingleMethods } from './rpc-single-methods.js'

/** The files that follow from the OpenRPC document alone, with or without another document beside it. */
export function emitRpcArtefacts(api: Api): readonly File[] {
  return [
    jsonFile('rpc.openrpc.json', api.rpc?.bundled),
    jsonFile('rpc.openapi.json', projectRpc(api)),
    emitRpcTypes(api),
    emitRpcClient(api),
    emitRpcSingleMethods(api),
  ]
}
