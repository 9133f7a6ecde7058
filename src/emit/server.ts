import type { Api, HttpOperation, RpcOperation } from '../model/api.js'
import { httpOperations, rpcOperations } from '../model/operations.js'
import type { SecurityScheme } from '../runtime/operation.js'
import { keyText } from '../text/escape.js'
import { serviceMembers } from './client.js'
import { errorMembers } from './error-samples.js'
import {
  code,
  doc,
  type File,
  type Fragment,
  file,
  imported,
  importedNamespace,
  importedType,
  join,
  string,
} from './file.js'
import { codecMembers } from './http-client.js'
import { operationComment } from './operation-comment.js'
import { operationNames } from './operation-names.js'
import { methodType } from './parts.js'

/** `server.ts`: the types of the handlers that a service implements, and the function that creates the server. */
export function emitServer(api: Api): File {
  const credentials = credentialTypes(api)
  const names = operationNames(api)
  const hasPeer = api.serverMethods.length > 0
  const { cancel, progress } = api.rpc ?? {}
  // The server core handles them.
  const handled = new Set([
    ...rpcOperations(api).map(({ subscription }) => subscription?.unsubscribe),
    cancel?.notification,
    progress?.notification,
  ])
  const context = progress
    ? code`${hasPeer ? '' : ', undefined'}, ${importedType('ProgressContext', 'twinspec/runtime/duplex')}<${PROGRESS}>`
    : ''
  const members = api.operations.map((operation) => {
    if (operation.kind === 'rpc') {
      const type = code`${importedType('RpcHandler', RUNTIME)}<${handledType(operation)}${hasPeer ? ', Peer' : ''}${context}>`
      const member =
        operation.isOptional || handled.has(operation.method)
          ? code`${operation.id}?: ${type} | undefined`
          : code`${operation.id}: ${type}`
      return code`${doc(...operationComment(operation))}\nreadonly ${member}`
    }
    const entry = code`${importedType('operations', './http.types.js')}[${string(operation.id)}]`
    const identity = credentials.size === 0 ? '' : code`, ${identityOf(operation)}`
    // Written out, so that the compiler's errors name the variants.
    const ofVariants = operation.variants.map(({ name }) => {
      const variant = code`${importedType(names(operation).variants, './http.types.js')}[${string(name)}]`
      return code`readonly ${keyText(name)}: ${importedType('VariantHandler', RUNTIME)}<${entry}, ${variant}${identity}>`
    })
    const type =
      ofVariants.length > 0
        ? code`{\n  ${join(ofVariants)}\n}`
        : code`${importedType('HttpHandler', RUNTIME)}<${entry}${identity}>`
    return code`${doc(...operationComment(operation))}\nreadonly ${operation.id}: ${type}`
  })
  const services = serviceMembers(api)
  const parts = [
    ...services.map((one) => code`${one},`),
    code`validators: ${importedNamespace('explanations', './explanations.js')},`,
    ...codecMembers(api),
    ...errorMembers(api),
    ...(api.rpc ? ['openrpc,'] : []),
  ]
  const hasSchemes = credentials.size > 0
  const generic = hasSchemes ? '<Identity = Readonly<Record<never, never>>>' : ''
  const bounded = hasSchemes
    ? '<Identity extends { readonly [Scheme in keyof Credentials]?: unknown } = Readonly<Record<never, never>>>'
    : ''
  // Without NoInfer, the handlers of `notOffered` would be inferred from, which know no identity.
  const applied = hasSchemes ? '<NoInfer<Identity>>' : ''
  const options = hasSchemes ? '<Credentials, Identity>' : ''
  const peer = hasPeer ? '<Peer>' : ''
  const body = code`${hasSchemes ? credentialsType(credentials) : ''}${hasPeer ? peerType(api) : ''}/** One handler per operation; the compiler reports those that are missing. */
export type Handlers${generic} = {
  ${join(members)}
}

/** A server without a socket: pass it to \`toNodeListener\` or \`toFetchHandler\`. */
export const createServer = ${bounded}(handlers: Handlers${applied}, options: ${importedType('ServerOptions', RUNTIME)}${options} = {}): ${importedType('ServerCore', RUNTIME)}${peer} =>
  ${imported('createServerCore', RUNTIME)}${peer}(
    {
      ${join(parts)}
    },
    handlers,
    options,
  )

/** For every operation, a handler that rejects the call. Spread it first while you write the others. */
export const notOffered: Handlers = ${imported('rejectAll', RUNTIME)}<Handlers>({ ${join(services, ', ')} })

export { toFetchHandler, toNodeListener } from '${RUNTIME}'`
  const made = file('server.ts', body)
  // Imports end at the first empty line.
  return api.rpc ? { ...made, text: made.text.replace('\n\n', `\n${DOCUMENT}\n\n`) } : made
}

/** The types of a method for its handler: one of a subscription returns the items, or the id of a subscription of its own. */
const handledType = (operation: RpcOperation): Fragment => {
  const type = methodType(operation)
  if (operation.subscription === undefined) return type
  const items = code`${importedType('RpcItems', './rpc.types.js')}[${string(operation.method)}]`
  return code`{ params: ${type}['params']; result: AsyncIterable<${items}> | ${type}['result'] }`
}

/** Security scheme -> the type of the credential that a request carries. */
const credentialTypes = (api: Api): ReadonlyMap<string, string> =>
  new Map(
    httpOperations(api).flatMap(({ schemes }) =>
      Object.entries(schemes).map(([name, { kind }]) => [name, CREDENTIALS[kind]] as const),
    ),
  )

const CREDENTIALS: Readonly<Record<SecurityScheme['kind'], string>> = {
  key: 'string',
  bearer: 'string',
  basic: '{ readonly username: string; readonly password: string }',
  outside: 'undefined',
}

const credentialsType = (credentials: ReadonlyMap<string, string>): Fragment => {
  const members = [...credentials].map(([name, type]) => code`readonly ${keyText(name)}: ${type}`)
  return code`/** Security scheme -> the credential that \`authenticate\` checks. */
export type Credentials = {
  ${join(members)}
}

`
}

/** What the server sends, by id. */
const peerType = ({ serverMethods, rpc }: Api): Fragment => {
  const callOptions = importedType('RpcCallOptions', 'twinspec/runtime/rpc')
  const options = rpc?.progress
    ? code`${callOptions} & ${importedType('ProgressOption', 'twinspec/runtime/duplex')}<${PROGRESS}>`
    : callOptions
  const membersOf = (isNotification: boolean): readonly Fragment[] =>
    serverMethods
      .filter((one) => (one.isNotification === true) === isNotification)
      .map(({ id, method }) => {
        const types = code`${importedType('RpcServerMethods', './rpc.types.js')}[${string(method)}]`
        const all = isNotification ? code`${types} & { result: undefined }` : types
        return code`readonly ${id}: ${importedType('Method', 'twinspec/runtime/rpc')}<${all}>`
      })
  const [notify, call] = [true, false].map((isNotification) => {
    const members = membersOf(isNotification)
    return members.length === 0 ? code`object` : code`{\n  ${join(members)}\n}`
  })
  return code`/** What the server sends to the caller over a link: \`context.peer\` of handlers, and \`peer\` of \`serveLink\`. */
export type Peer = {
  readonly notify: ${notify ?? ''}
  readonly call: ${call ?? ''}
  /** The same peer, with these options for every call. */
  readonly with: (options: ${options}) => Peer
}

`
}

/** Members for the schemes that every request of an operation satisfies; others are optional. */
const identityOf = ({ security }: HttpOperation): Fragment => {
  const [first = [], ...others] = security
  const always = first.filter((name) => others.every((names) => names.includes(name)))
  const names = always.length === 0 ? '' : code`, ${join(always.map(string), ' | ')}`
  return code`${importedType('Identified', RUNTIME)}<Identity${names}>`
}

const PROGRESS = importedType('RpcProgress', './rpc.types.js')
const RUNTIME = 'twinspec/runtime/server'
const DOCUMENT = "import openrpc from './rpc.openrpc.json' with { type: 'json' }"
