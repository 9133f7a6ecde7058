import type { Api } from '../model/api.js'
import { emitClient } from './client.js'
import { inOneFile } from './declaration.js'
import { emitExplanations } from './explanations.js'
import { type File, jsonFile } from './file.js'
import { emitHttpClient } from './http-client.js'
import { emitOperations } from './operations.js'
import { PLUGINS, type PluginName } from './plugins.js'
import { projectRpc } from './projection.js'
import { emitReference } from './reference.js'
import { emitRpcClient, emitRpcSingleMethods } from './rpc-client.js'
import { emitSchemas } from './schemas.js'
import { emitServer } from './server.js'
import { divideClient } from './split-by-tag/client.js'
import { divisionOf, filesOf } from './split-by-tag/division.js'
import { divideValues } from './split-by-tag/values.js'
import { divideTypes, emitHttpTypes, emitRpcTypes } from './types.js'
import { emitValidators } from './validators.js'

/** Every file that is generated from the documents of an Api, with the files of the named plugins, sorted by name. */
export function emitAll(api: Api, extras: readonly PluginName[] = []): readonly File[] {
  const division = divisionOf(api)
  const modules = [emitValidators(api), emitExplanations(api), emitOperations(api)]
  const files = [
    ...(division
      ? filesOf([
          ...divideTypes(api, division),
          ...divideClient(api, division),
          ...modules.flatMap((one) => divideValues(one, division)),
        ])
      : modules.map(inOneFile)),
    ...(api.http ? [jsonFile('http.openapi.json', api.http.bundled)] : []),
    ...(api.http && !division ? [emitHttpTypes(api), emitHttpClient(api)] : []),
    ...(api.rpc
      ? [
          jsonFile('rpc.openrpc.json', api.rpc.bundled),
          jsonFile('rpc.openapi.json', projectRpc(api)),
          emitRpcTypes(api),
          emitRpcClient(api),
          emitRpcSingleMethods(api),
        ]
      : []),
    emitSchemas(api),
    emitClient(api),
    emitServer(api),
    emitReference(api),
    ...[...new Set(extras)].map((name) => PLUGINS[name].emit(api)),
  ]
  return files.sort((a, b) => (a.name < b.name ? -1 : 1))
}
