import type { Api, Operation } from '../model/api.js'
import { type Memory, noCache } from '../model/cache.js'
import { contractText, together } from '../model/cache-key.js'
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
export function emitAll(
  api: Api,
  remember: Memory = noCache,
  extras: readonly PluginName[] = [],
): readonly File[] {
  const divided = divider(api) ?? undivided
  const http = remember(
    'files about HTTP',
    () => whatIsSaid(api, 'http'),
    () => emitHttp(api, remember),
  ).flatMap(divided)
  const rpc = remember(
    'files about JSON-RPC',
    () => whatIsSaid(api, 'rpc'),
    () => (api.rpc ? emitRpcArtefacts(api, remember) : []),
  )
  const checked = () => whatIsChecked(api)
  const files = [
    ...http,
    ...rpc,
    remember('schemas.ts', checked, () => emitSchemas(api)),
    ...divided(remember('validators.ts', checked, () => emitValidators(api))),
    ...divided(remember('explanations.ts', checked, () => emitExplanations(api))),
    ...divided(emitOperations(api)),
    emitClient(api),
    emitServer(api),
    emitReference(api),
    ...[...new Set(extras)].map((name) => PLUGINS[name].emit(api)),
  ]
  return [...mergeFiles(files)].sort((a, b) => (a.name < b.name ? -1 : 1))
}

const emitHttp = (api: Api, remember: Memory): readonly File[] =>
  api.http
    ? [
        jsonFile('http.openapi.json', api.http.bundled),
        emitHttpTypes(api, remember),
        emitHttpClient(api),
      ]
    : []

/** Of a divided document, each file has few types, and those of others by way of inheritance, which takes no names. */
const undivided = (whole: File): readonly File[] => [
  whole.name === 'http.types.ts' ? nameOperations(nameSchemas(whole)) : whole,
]

/** All that the files about one of the two documents are made from. */
const whatIsSaid = (api: Api, kind: Kind): string => {
  const { schemas, [kind]: promised } = contractText(api)
  const said = api.operations.flatMap(({ kind: its, summary, description }) =>
    its === kind ? [[summary, description]] : [],
  )
  return together(JSON.stringify([api.title, api.version, api[kind], said]), schemas, promised)
}

type Kind = Operation['kind']

/** All that checks, their explanations and schemas are made from. */
const whatIsChecked = (api: Api): string => {
  const { schemas, http, rpc } = contractText(api)
  return together(`${api.http === undefined} ${api.rpc === undefined}`, schemas, http, rpc)
}
