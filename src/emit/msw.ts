import type { Api, HttpOperation, RpcOperation } from '../model/api.js'
import { isJson } from '../runtime/ground/media-type.js'
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
  literal,
  raw,
  string,
} from './file.js'
import { header } from './header.js'
import { formsName } from './http-client.js'

/** `msw.ts`: the documents' examples as data, the overrides as types, and the call that makes request handlers of MSW. */
export function emitMsw(api: Api): File {
  const overrides = api.operations.map(
    (operation) => code`readonly ${operation.id}?: ${overrideType(operation)}`,
  )
  const services = [
    ...(api.http ? [code`http: ${imported('httpService', './operations.js')},`] : []),
    ...(api.rpc ? [code`rpc: ${imported('rpcService', './operations.js')},`] : []),
    code`validators: ${importedNamespace('explanations', './explanations.js')},`,
  ]
  const examples = api.operations.flatMap((operation) => {
    const data = operation.kind === 'http' ? httpExamples(operation) : rpcExamples(operation)
    return data === undefined
      ? []
      : code`${operation.id}: ${literal(data, operation.id.length + 5, 2)},`
  })
  const servers = [...(api.http?.servers ?? []), ...(api.rpc?.servers ?? [])]
  const names = [...new Set(servers.map(({ name }) => string(name)))].join(' | ') || 'never'
  const body = code`/** What an operation answers in place of its example: an answer, a function of the request, or one for each request. */
export type Overrides = {
  ${join(overrides)}
}

${doc(
  `Request handlers for MSW's \`setupServer\` and \`setupWorker\`: the documents' examples over both protocols, unless an override says otherwise.`,
)}
export const createHandlers = (options: ${importedType('MockOptions', RUNTIME)}<Overrides, ${names}> = {}): ${importedType('HttpHandler', 'msw')}[] =>
  ${imported('createMockHandlers', RUNTIME)}(
    {
      ${join(services)}
    },
    examples,
    options,
  )

const examples: ${importedType('Documented', RUNTIME)} = {
  ${join(examples)}
}`
  return file('msw.ts', header(), body)
}

/** Handlers can be made of any documents. */
export const whyNoMsw = (): undefined => undefined

const RUNTIME = 'twinspec/runtime/msw'

function overrideType(operation: HttpOperation | RpcOperation): Fragment {
  if (operation.kind === 'rpc') {
    const { errors, method } = operation
    const shown = union(pairings(operation).map(({ name }) => string(name)))
    const declared = union(errors.flatMap(({ code, message }) => [String(code), string(message)]))
    return spread(importedType('RpcOverride', RUNTIME), [
      code`${importedType('RpcMethods', './rpc.client.js')}[${string(method)}]`,
      raw(shown),
      raw(declared),
    ])
  }
  const entry = code`${importedType('operations', './http.types.js')}[${string(operation.id)}]`
  const shown = raw(union(answers(operation).map(({ name }) => string(name))))
  if (operation.forms.length === 0)
    return spread(importedType('HttpOverride', RUNTIME), [entry, shown])
  const forms = importedType(formsName(operation), './http.client.js')
  return spread(importedType('FormOverride', RUNTIME), [entry, forms, shown])
}

/** The arguments of a type in a line, or in one each. */
function spread(type: Fragment, members: readonly Fragment[]): Fragment {
  const flat = code`${type}<${join(members, ', ')}>`
  return flat.text.length <= 75 && !flat.text.includes('\n')
    ? flat
    : code`${type}<\n  ${join(members, ',\n')}\n>`
}

function union(members: readonly string[]): string {
  const different = [...new Set(members)]
  const flat = different.join(' | ') || 'never'
  return flat.length <= 75 ? flat : `| ${different.join('\n| ')}`
}

function httpExamples(operation: HttpOperation) {
  const requests = (operation.body?.content ?? []).flatMap(({ examples }) => examples.map(named))
  const parameters = operation.parameters.flatMap(({ in: where, name, examples }) =>
    examples.length > 0 ? [[`${where}.${name}`, examples.map(named)] as const] : [],
  )
  const forms = operation.forms.flatMap(({ name, example }) =>
    example === undefined ? [] : [[name, example] as const],
  )
  const shown = answers(operation)
  if (requests.length + parameters.length + shown.length === 0) return undefined
  return {
    ...(requests.length > 0 && { requests }),
    ...(parameters.length > 0 && { parameters: Object.fromEntries(parameters) }),
    answers: shown,
    ...(forms.length > 0 && { forms: Object.fromEntries(forms) }),
  }
}

const answers = ({ responses }: HttpOperation) =>
  responses.flatMap(({ status, content }) =>
    content.flatMap(({ type, examples }) =>
      examples.map(({ name, value }) => ({
        status,
        name,
        ...(!isJson(type) && { type }),
        value,
      })),
    ),
  )

const named = ({ name, value }: { readonly name: string; readonly value: unknown }) => ({
  name,
  value,
})

function rpcExamples(operation: RpcOperation) {
  const shown = pairings(operation)
  return shown.length === 0 ? undefined : { pairings: shown }
}

type Shown = {
  readonly name: string
  readonly params: unknown
  readonly result?: unknown
  readonly error?: unknown
}

const pairings = ({ examples, paramStructure }: RpcOperation): readonly Shown[] =>
  examples.flatMap(({ name, params, namedParams, outcome }): readonly Shown[] => {
    const asked = { name, params: paramStructure === 'by-name' ? namedParams : params }
    if (outcome.kind === 'none') return []
    return outcome.kind === 'error'
      ? [{ ...asked, error: outcome.error }]
      : [{ ...asked, result: outcome.value }]
  })
