import type { Api, HttpDocument, RpcDocument } from '../model/api.js'
import { exactIn } from '../model/exact-examples.js'
import { httpOperations, withSentMethods } from '../model/operations.js'
import { isOnlySent, outgoingOperation } from '../model/outgoing.js'
import { emitClient } from './client.js'
import { inOneFile } from './declaration.js'
import { type EnumScope, emitEnums } from './enums.js'
import { emitExplanations } from './explanations.js'
import { type File, jsonFile } from './file.js'
import { divideClient } from './folders/client.js'
import { foldersOf, isLarge } from './folders/folders.js'
import { filesOf } from './folders/places.js'
import { divideValues } from './folders/values.js'
import { header, uncheckedHeader } from './header.js'
import { emitHttpCalls } from './http-calls.js'
import { emitHttpClient } from './http-client.js'
import { DEFAULT_KINDS, type Kind, withNeeded } from './kinds.js'
import { emitOauth2 } from './oauth2.js'
import { emitOperations } from './operations.js'
import { withCheckedSchemas } from './parts.js'
import { PLUGINS, type PluginName } from './plugins.js'
import { projectRpc } from './projection.js'
import { emitReference } from './reference.js'
import { emitRpcClient, emitRpcSingleMethods } from './rpc-client.js'
import { emitRpcTypes } from './rpc-types.js'
import { emitSchemas } from './schemas.js'
import { emitServer } from './server.js'
import { type TypeOption, withoutDeprecated } from './type-options.js'
import { divideTypes, emitHttpTypes } from './types.js'
import { emitValidators } from './validators.js'
import { emitWebhooks } from './webhooks.js'

/**
 * Generates the files of an Api, sorted by name: those of some kinds, those that they import, and those of the named
 * plugins. Validators of schemas that no operation uses are written if `validators` or plugins are asked for. Options of types
 * are for types without a client.
 */
export function emitAll(
  api: Api,
  extras: readonly PluginName[] = [],
  only: readonly Kind[] = DEFAULT_KINDS,
  typeOptions: readonly TypeOption[] = [],
  enumScope: EnumScope = 'named',
): readonly File[] {
  const kinds = withNeeded(extras.length > 0 ? [...only, 'client'] : only)
  const isCalled = !isOnlySent(api)
  const has = (kind: Kind) => kinds.has(kind) && (isCalled || !CALLING.has(kind))
  const ofClient = extras.includes('openapi-fetch') ? 'openapi-fetch' : 'client'
  const shape = has('client') ? ofClient : 'openapi-typescript'
  const chosen = new Set(typeOptions)
  const typed = chosen.has('exclude-deprecated') ? withoutDeprecated(api) : api
  const isAsked = only.includes('validators') || extras.length > 0
  const received = has('webhooks') ? api.outgoing.map(outgoingOperation) : []
  const called = withSentMethods(api)
  const checked = isAsked ? called : withCheckedSchemas(called, [...called.operations, ...received])
  const modules = has('validators') ? [emitValidators(checked), emitExplanations(checked)] : []
  const enums = has('types') ? emitEnums(api, enumScope) : undefined
  const oauth2 = has('client') ? emitOauth2(api) : undefined
  const whole = [
    ...(enums ? [enums] : []),
    ...(oauth2 ? [oauth2] : []),
    ...(has('client')
      ? [inOneFile(emitOperations(api), isLarge(api) ? uncheckedHeader() : header())]
      : []),
    ...(api.rpc && has('types') ? [emitRpcTypes(api)] : []),
    ...(api.rpc && has('client') ? [emitRpcClient(api), emitRpcSingleMethods(api)] : []),
    ...(has('client') ? [emitClient(api)] : []),
    ...(received.length > 0 ? [emitWebhooks(api)] : []),
    ...(has('server') ? [emitServer(api)] : []),
    ...(has('typebox') ? [emitSchemas(api)] : []),
    ...documentsOf(api, kinds),
    ...(has('reference') ? [emitReference(api)] : []),
    ...[...new Set(extras)].map((name) => PLUGINS[name].emit(api)),
  ]
  const perFolder = modules.length + (has('types') ? 1 : 0) + (has('client') ? 1 : 0)
  const folders = foldersOf(api, {
    // What folders have, the whole document has too, and the client.
    whole: whole.length + perFolder + (has('client') ? 1 : 0),
    group: perFolder,
    shared: perFolder,
    uncalled: isAsked ? perFolder : 1,
  })
  const divided = folders
    ? filesOf([
        ...(has('types') ? divideTypes(typed, folders, shape, chosen) : []),
        ...(has('client') ? divideClient(api, folders) : []),
        ...modules.flatMap((one) => divideValues(one, folders)),
      ])
    : [
        ...modules.map((one) => inOneFile(one)),
        ...(api.http && has('types') ? [emitHttpTypes(typed, shape, chosen)] : []),
        ...(api.http && has('client') ? [emitHttpClient(api)] : []),
        ...(httpOperations(api).length > 0 && has('client') ? [emitHttpCalls(api)] : []),
      ]
  const files = [...divided, ...whole]
  return files.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** What a document that only describes what its service sends does not need. */
const CALLING: ReadonlySet<Kind> = new Set<Kind>(['client', 'server'])

/** The documents as JSON. A server needs the OpenRPC document, which `rpc.discover` returns. */
function documentsOf(api: Api, kinds: ReadonlySet<Kind>): readonly File[] {
  const { http, rpc } = api
  const isAll = kinds.has('documents')
  return [
    ...(http && isAll ? [documentFile('http.openapi.json', http)] : []),
    ...(rpc && (isAll || kinds.has('server')) ? [documentFile('rpc.openrpc.json', rpc)] : []),
    ...(rpc && isAll ? [jsonFile('rpc.openapi.json', projectRpc(api))] : []),
  ]
}

/** A document as JSON. Integers keep all digits of the source. */
const documentFile = (name: string, document: HttpDocument | RpcDocument): File => {
  const rounded = jsonFile(name, document.bundled)
  const isExact = !/\d{16}/.test(rounded.text)
  return isExact ? rounded : jsonFile(name, exactIn(document)(document.bundled))
}
