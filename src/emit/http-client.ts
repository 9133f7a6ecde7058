import type { Api, HttpOperation } from '../model/api.js'
import { importedCodecs } from '../model/http-content.js'
import { httpOperations } from '../model/operations.js'
import type { Pages } from '../runtime/operation.js'
import { segmentsOf } from '../runtime/shared/pointer.js'
import { keyText } from '../text/escape.js'
import { loaderDeclaration, optionsType, serverNames, serviceOf } from './client.js'
import {
  code,
  doc,
  type File,
  type Fragment,
  file,
  imported,
  importedType,
  join,
  raw,
  string,
  typeFrom,
} from './file.js'
import { type ClientGroups, clientGroups } from './groups.js'
import { operationComment } from './operation-comment.js'
import type { OperationNames } from './operation-names.js'
import { operationNames } from './operation-names.js'

/**
 * `http.client.ts`: the client's type, one documented member per operation, and the function that creates a client.
 */
export function emitHttpClient(api: Api): File {
  const operations = httpOperations(api)
  const groups = clientGroups('http', api)
  const name = groups?.operations ?? WHOLE.client
  const members = groups?.membersOf(groups.operations, () => true) ?? []
  const body = code`${clientType({ name, operations, comment: everyOf(titleOf(api)) }, operationNames(api))}

${groupedClient(groups, [code`{\n  ${join(members)}\n}`])}

${surroundings(api)}

${wholeClient(operations, groups)}
`
  return file('http.client.ts', body)
}

/** The title and version of the HTTP document. */
export const titleOf = (api: Api): string =>
  `${api.http?.title ?? api.title} ${api.http?.version ?? api.version}`.trim()

export const everyOf = (what: string): string => `Every operation of ${what}, as a function.`

/** The type of a client of some operations. */
export function clientType(
  client: {
    readonly name: string
    readonly operations: readonly HttpOperation[]
    /** The comment of the type. */
    readonly comment: string
  },
  names: (operation: HttpOperation) => OperationNames,
): Fragment {
  const members = client.operations.map(
    (operation) => code`${doc(...operationComment(operation))}
readonly ${operation.id}: ${CALL}<${typeFrom(TYPES, 'operations', MODULE)}[${string(operation.id)}], {
  ${callTypes(operation, names(operation))}
}>`,
  )
  return code`${doc(client.comment)}
export type ${client.name} = {
  ${join(members)}
}`
}

export const WHOLE = {
  client: 'HttpClient',
  create: 'createHttpClient',
  guard: 'isHttpError',
} as const

/** The type of a client with groups, and the names in these groups; empty without groups. */
export const groupedClient = (
  groups: ClientGroups | undefined,
  types: readonly Fragment[],
): Fragment => {
  if (groups === undefined) return raw('')
  const [only, ...others] = types
  const type =
    only && others.length === 0
      ? code`${groups.operations} & ${only}`
      : code`\n  ${join([groups.operations, ...types].map((one) => code`& ${one}`))}`
  return code`${groups.declaration}

/** The operations by their ids, and in groups. */
export type ${WHOLE.client} =${type.text.startsWith('\n') ? '' : ' '}${type}`
}

/** The types of servers and credentials, and what else all clients of a document share. */
export function surroundings(api: Api): Fragment {
  return code`/** The names of the servers in the document. */
export type HttpServer = ${serverNames(api.http?.servers)}

/** The credentials that a client can send. */
export type HttpAuth = ${authMembers(httpCredentials(httpOperations(api)), RUNTIME)}`
}

/** The function that creates the client of all operations, and the type guard of the errors that its calls throw. */
export function wholeClient(
  operations: readonly HttpOperation[],
  groups: ClientGroups | undefined,
): Fragment {
  const flat = groups?.operations ?? WHOLE.client
  const args = [
    ...[serviceOf('http'), imported('httpValidators', './validators.js')],
    ...[raw('options'), raw('explanations'), ...codecArguments(operations)],
  ]
  const made = code`${imported('createHttp', RUNTIME)}<${flat}>(${join(args, ', ')})`
  return code`/** Creates a client, which calls the first server unless \`server\` is set. */
export const ${WHOLE.create} = (options: ${optionsType('http')} = {}): ${WHOLE.client} =>
  ${groups ? code`${imported('groupOperations', RUNTIME)}<${WHOLE.client}>(\n  ${made},\n  groups,\n)` : made}

${loaderDeclaration('http')}

${errorGuard(WHOLE.guard, raw(flat))}`
}

/** The type guard of the errors of calls. */
export const errorGuard = (name: string, client: Fragment): Fragment =>
  code`${doc(`\`${name}(error, 'operation', 400)\` narrows the status and the body of a thrown error.`)}
export const ${name}: ${importedType('ErrorGuard', RUNTIME)}<${client}> = ${imported('guardHttpError', RUNTIME)}`

/** `{ openStream }`, if operations need more than what is built in. */
export const codecArguments = (operations: readonly HttpOperation[]): readonly Fragment[] => {
  const members = [
    ...(operations.some(isStreaming) ? [imported('openStream', 'twinspec/runtime/streams')] : []),
    ...codecImports(operations),
  ]
  return members.length === 0 ? [] : [code`{ ${join(members, ', ')} }`]
}

/** The codecs that are not built in, from the modules that have them. */
export const codecImports = (operations: readonly HttpOperation[]): readonly Fragment[] =>
  importedCodecs(operations).map((kind) => imported(kind, `twinspec/runtime/codecs/${kind}`))

/** `codecs: { cbor },` for servers, if operations need some. */
export const codecMembers = (api: Api): readonly Fragment[] => {
  const codecs = codecImports(httpOperations(api))
  return codecs.length === 0 ? [] : [code`codecs: { ${join(codecs, ', ')} },`]
}

const isStreaming = ({ responses }: HttpOperation): boolean =>
  responses.some(({ content }) => content.some(({ stream }) => stream))

const RUNTIME = 'twinspec/runtime/http'
const CALL = importedType('Call', RUNTIME)

const TYPES = 'types'
const MODULE = './http.types.js'

/** The types of a call, by name, and what the types of openapi-typescript do not have. */
function callTypes(operation: HttpOperation, names: OperationNames): Fragment {
  const type = (name: string) => typeFrom(TYPES, name, MODULE)
  return join([
    code`input: ${type(names.input)}`,
    code`result: ${type(names.result)}`,
    code`error: ${type(names.error)}`,
    ...(operation.variants.length > 0 ? [code`variants: ${type(names.variants)}`] : []),
    ...(operation.poll ? [raw('poll: true')] : []),
    ...(operation.pages ? [code`pages: ${itemKeys(operation.pages)}`] : []),
    ...(operation.streamDefault === undefined ? [] : [raw(`stream: ${operation.streamDefault}`)]),
  ])
}

/** The keys that lead to the items of a page, as a type. */
export const itemKeys = ({ items = '' }: Pages): Fragment =>
  code`readonly [${join(segmentsOf(items).map(string), ', ')}]`

/** Secret parameters and server variables by name, security schemes by scheme name -> the type of each. */
function httpCredentials(operations: readonly HttpOperation[]): ReadonlyMap<string, string> {
  const kinds = new Map<string, string>()
  for (const { parameters, schemes, servers } of operations) {
    for (const { name, secret } of parameters) if (secret) kinds.set(name, 'string')
    for (const { variables } of servers) {
      for (const [name, { secret }] of Object.entries(variables))
        if (secret) kinds.set(name, 'string')
    }
    for (const [name, { kind }] of Object.entries(schemes)) {
      if (kind === 'outside') continue
      kinds.set(
        name,
        kind === 'basic' ? '{ readonly username: string; readonly password: string }' : 'string',
      )
    }
  }
  return kinds
}

export function authMembers(kinds: ReadonlyMap<string, string>, runtime: string): Fragment {
  if (kinds.size === 0) return raw('Readonly<Record<never, never>>')
  const secret = importedType('Secret', runtime)
  const members = [...kinds].map(
    ([name, type]) => code`readonly ${keyText(name)}?: ${secret}<${type}> | undefined`,
  )
  return code`{\n  ${join(members)}\n}`
}
