import type { Api } from '../model/api.js'
import { emitClient } from './client.js'
import { emitExplanations } from './explanations.js'
import { type File, jsonFile } from './file.js'
import { emitHttpClient } from './http-client.js'
import { nameOperations, nameSchemas } from './named-types.js'
import { emitHttpTypes } from './openapi-types.js'
import { emitOperations } from './operations.js'
import { PLUGINS, type PluginName } from './plugins.js'
import { emitReference } from './reference.js'
import { emitRpcArtefacts } from './rpc-artefacts.js'
import { emitSchemas } from './schemas.js'
import { emitServer } from './server.js'
import { divider } from './split-by-tag/divide.js'
import { mergeFiles } from './split-by-tag/merge-files.js'
import { emitValidators } from './validators.js'

/** Every file that is generated from the documents of an Api, with the files of the named plugins, sorted by name. */
export function emitAll(api: Api, extras: readonly PluginName[] = []): readonly File[] {
  const divided = divider(api) ?? undivided
  const files = [
    ...emitHttp(api).flatMap(divided),
    ...(api.rpc ? emitRpcArtefacts(api) : []),
    emitSchemas(api),
    ...divided(emitValidators(api)),
    ...divided(emitExplanations(api)),
    ...divided(emitOperations(api)),
    emitClient(api),
    emitServer(api),
    emitReference(api),
    ...[...new Set(extras)].map((name) => PLUGINS[name].emit(api)),
  ]
  return [...mergeFiles(files)].sort((a, b) => (a.name < b.name ? -1 : 1))
}

const emitHttp = (api: Api): readonly File[] =>
  api.http
    ? [jsonFile('http.openapi.json', api.http.bundled), emitHttpTypes(api), emitHttpClient(api)]
    : []

/** Of a divided document, each file has few types, and those of others by way of inheritance, which takes no names. */
const undivided = (whole: File): readonly File[] => [
  whole.name === 'http.types.ts' ? nameOperations(nameSchemas(whole)) : whole,
]
