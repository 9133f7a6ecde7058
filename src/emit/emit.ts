import type { Api } from '../model/api.js'
import { type Memory, noMemory } from '../model/memory.js'
import { divide } from './divided/divide.js'
import { emitExplanations } from './explanations.js'
import { type File, jsonFile } from './file.js'
import { emitHttpClient } from './http-client.js'
import { emitHttpTypes } from './openapi-types.js'
import { driveOpenRpcGenerator } from './openrpc-generator.js'
import { emitOperations } from './operations.js'
import { emitReference } from './reference.js'
import { emitSchemas } from './schemas.js'
import { emitServer } from './server.js'
import { emitValidators } from './validators.js'

/** Every file that the documents of an Api call for, sorted by name. Pure but for the generator it drives. */
export async function emitAll(api: Api, remember: Memory = noMemory): Promise<readonly File[]> {
  const http = api.http
    ? [
        jsonFile('http.openapi.json', api.http.bundled),
        emitHttpTypes(api, remember),
        emitHttpClient(api),
      ]
    : []
  const rpc = api.rpc ? await driveOpenRpcGenerator(api, remember) : []
  const checked = () => whatIsChecked(api)
  const shared = [
    emitSchemas(api),
    remember('validators.ts', checked, () => emitValidators(api)),
    remember('explanations.ts', checked, () => emitExplanations(api)),
    emitOperations(api),
    emitServer(api),
    emitReference(api),
  ]
  const files = divide([...http, ...rpc, ...shared], api)
  return [...files].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** All that checks and their explanations are made from: what is said of an operation is none of it. */
const whatIsChecked = ({ schemas, operations, http, rpc }: Api): string =>
  JSON.stringify([
    http === undefined,
    rpc === undefined,
    [...schemas.values()],
    operations.map(({ summary, description, ...promised }) => promised),
  ])
