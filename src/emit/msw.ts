import type { Api, HttpOperation, RpcDeclaredError, RpcOperation } from '../model/api.js'
import { identifier, pascalCase, uniqueName } from '../text/names.js'
import { serverNames, serviceMembers } from './client.js'
import { documentedAnswers, pairings } from './documented.js'
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
  raw,
  string,
} from './file.js'
import { codecMembers } from './http-client.js'
import { exampleData } from './msw-examples.js'
import { type OperationNames, operationNames } from './operation-names.js'
import { methodType } from './parts.js'

/** `msw.ts`: the types of overrides, the function that creates handlers for MSW, and the documents' examples as data. */
export function emitMsw(api: Api): File {
  const typeNames = operationNames(api)
  const used = new Set([...RESERVED, ...api.operations.map((one) => typeNames(one).variants)])
  const errors = errorNames(api, used)
  const overrides = api.operations.map(
    (operation) =>
      code`readonly ${operation.id}?: ${overrideType(operation, typeNames(operation), errors)}`,
  )
  const services = [
    ...serviceMembers(api).map((one) => code`${one},`),
    code`validators: ${importedNamespace('explanations', './explanations.js')},`,
    ...codecMembers(api),
    ...errorMembers(api),
  ]
  const servers = [...(api.http?.servers ?? []), ...(api.rpc?.servers ?? [])]
  const names = serverNames(servers, 'never')
  const body = code`/**
 * What an operation returns instead of its example: a response, a function of the request, or a
 * list of both, one for each request.
 */
export type Overrides = {
  ${join(overrides)}
}

${doc(
  `Creates request handlers for MSW's \`setupServer\` and \`setupWorker\`. They return the documents' examples over both protocols, unless an operation has an override.`,
)}
export const createHandlers = (
  options: ${importedType('MockOptions', RUNTIME)}<Overrides, ${names}> = {},
): ${importedType('HttpHandler', 'msw')}[] =>
  ${imported('createMockHandlers', RUNTIME)}(
    {
      ${join(services)}
    },
    examples,
    options,
  )

${errorTypes(errors)}

${exampleData(api, used, importedType('Documented', RUNTIME))}`
  return file('msw.ts', body)
}

const RUNTIME = 'twinspec/runtime/msw'

function overrideType(
  operation: HttpOperation | RpcOperation,
  names: OperationNames,
  errors: ErrorNames,
): Fragment {
  if (operation.kind === 'rpc') {
    const shown = union(pairings(operation).map(({ name }) => string(name)))
    const declared = union(
      operation.errors.map((error) => errors.get(errorUnion(error)) ?? errorUnion(error)),
    )
    return spread(importedType('RpcOverride', RUNTIME), [
      methodType(operation),
      raw(shown),
      raw(declared),
    ])
  }
  const entry = code`${importedType('operations', './http.types.js')}[${string(operation.id)}]`
  const shown = raw(union(documentedAnswers(operation).map(({ name }) => string(name))))
  if (operation.variants.length === 0)
    return spread(importedType('HttpOverride', RUNTIME), [entry, shown])
  const variants = importedType(names.variants, './http.types.js')
  return spread(importedType('VariantOverride', RUNTIME), [entry, variants, shown])
}

/** A type with its arguments on one line, or on one line each. */
function spread(type: Fragment, members: readonly Fragment[]): Fragment {
  const flat = code`${type}<${join(members, ', ')}>`
  return flat.text.length <= 75 && !flat.text.includes('\n')
    ? flat
    : code`${type}<\n  ${join(members, ',\n')}\n>`
}

/** A union with several members per line, because there may be dozens. */
function union(members: readonly string[]): string {
  const different = [...new Set(members)]
  const flat = different.join(' | ') || 'never'
  if (flat.length <= 75) return flat
  const lines: string[] = []
  for (const member of different) {
    const longer = `${lines.at(-1) ?? ''} | ${member}`
    if (lines.length === 0 || longer.length > 90) lines.push(`| ${member}`)
    else lines[lines.length - 1] = longer
  }
  return lines.length === 1 ? lines.join().slice(2) : lines.join('\n')
}

/** An error that several methods declare -> its name. */
type ErrorNames = ReadonlyMap<string, string>

const errorUnion = ({ code, message }: RpcDeclaredError): string => `${code} | ${string(message)}`

function errorNames({ operations }: Api, used: Set<string>): ErrorNames {
  const counts = new Map<string, { readonly message: string; count: number }>()
  for (const operation of operations) {
    if (operation.kind === 'http') continue
    for (const [text, { message }] of new Map(
      operation.errors.map((one) => [errorUnion(one), one]),
    )) {
      const row = counts.get(text) ?? { message, count: 0 }
      row.count += 1
      counts.set(text, row)
    }
  }
  return new Map(
    [...counts].flatMap(([text, { message, count }]) => {
      const name = pascalCase(message)
      const isName = name !== '' && name.length <= 40
      return count > 1 && isName ? [[text, uniqueName(identifier(name, pascalCase), used)]] : []
    }),
  )
}

/** The names that the file always imports or declares. */
const RESERVED =
  `Documented VariantOverride HttpHandler HttpOverride MockOptions Overrides RpcMethods RpcOverride
  createHandlers createMockHandlers examples explanations httpService operations rpcService`.split(
    /\s+/,
  )

function errorTypes(errors: ErrorNames): Fragment {
  if (errors.size === 0) return raw('')
  const rows = [...errors].map(([text, name]) => `type ${name} = ${text}`)
  return code`/** Errors that several methods declare, by code or by message. */\n${join(rows)}`
}
