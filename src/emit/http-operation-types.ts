import type { Api, HttpOperation } from '../model/api.js'
import { isItem } from '../model/streams.js'
import { keyText } from '../text/escape.js'
import { code, type Fragment, importedBeside, join, raw, string } from './file.js'
import type { OperationNames } from './operation-names.js'

/** What the types of an operation refer to. */
export type TypeScope = {
  /** The entry of the operation in openapi-typescript's `operations`. */
  readonly entry: string
  readonly names: OperationNames
  /** The declaration of its result, if it does not refer to the entry. */
  readonly result?: string | undefined
  /** The type of a named schema. */
  readonly refer: (name: string) => string
  /** Whether the file has a declaration of that name. */
  readonly declared: Pick<ReadonlySet<string>, 'has'>
}

/** The types of an HTTP operation that users and the client call by name: input, result, errors and variants. */
export function httpOperationTypes(
  operation: HttpOperation,
  scope: TypeScope,
  schemas: Api['schemas'],
): Fragment {
  const { entry, names, declared } = scope
  const from = (name: string) => importedBeside(declared, name, 'twinspec/runtime/http', 'type')
  const rows =
    operation.variants.length === 0
      ? [
          inputType(operation, scope, from),
          scope.result ?? code`export type ${names.result} = ${from('ResultOf')}<${entry}>`,
          code`export type ${names.error} = ${from('ErrorOf')}<${entry}>`,
        ]
      : [
          inputType(operation, scope, from),
          code`/** Request variant -> the types of its input, its result and its errors. */
export type ${names.variants} = ${variantsType(operation, scope, schemas, from('WithBody'))}`,
          code`export type ${names.result} = ${from('VariantResultOf')}<${names.variants}>`,
          code`export type ${names.error} = ${from('ErrorOf')}<${entry}, ${names.variants}[keyof ${names.variants}]['error']>`,
        ]
  return join(rows)
}

/** Written out, so that editors and errors show its name: they do not know the name of a type that others compute. */
function inputType(
  { parameters, body, idempotencyKey }: HttpOperation,
  { entry, names }: TypeScope,
  from: (name: string) => Fragment,
): Fragment {
  const places = (['path', 'query', 'header', 'cookie'] as const).flatMap((place) => {
    const own = parameters.filter((one) => one.in === place)
    if (own.length === 0) return []
    // A call may omit them, because the client has their values or creates them.
    const omitted = own.filter(
      (one) => one.secret || (place === 'header' && one.name === idempotencyKey),
    )
    const isOptional = own.every((one) => !isNeeded(one) || omitted.includes(one))
    const secrets = omitted.map(({ name }) => string(name))
    const of = [entry, string(place), ...(secrets.length > 0 ? [secrets.join(' | ')] : [])]
    return code`readonly ${place}${isOptional ? '?' : ''}: ${from('ParametersOf')}<${of.join(', ')}>`
  })
  const [media, another] = body?.content ?? []
  const isSingle = media !== undefined && another === undefined
  const optional = body?.required === true ? '' : '?'
  const type = media?.type.includes('*') ? 'string' : string(media?.type ?? '')
  const members = [
    ...places,
    ...(isSingle
      ? [
          code`readonly body${optional}: ${from('BodyOf')}<${entry}>`,
          code`readonly contentType?: ${type}`,
        ]
      : []),
  ]
  const parts = [
    ...(members.length > 0 ? [code`{\n  ${join(members)}\n}`] : []),
    ...(another === undefined ? [] : [code`${from('ContentOf')}<${entry}>`]),
  ]
  const whole = parts.length === 0 ? raw('Readonly<Record<never, never>>') : join(parts, ' & ')
  return code`export type ${names.input} = ${whole}`
}

/** openapi-typescript prints a path parameter as required, whatever the document says. */
const isNeeded = ({ in: place, required }: HttpOperation['parameters'][number]): boolean =>
  place === 'path' || required

/** The names of those types that an operation has. */
export const exportedTypes = (
  operation: HttpOperation,
  names: (operation: HttpOperation) => OperationNames,
): readonly string[] => {
  const { input, result, error, variants } = names(operation)
  return [input, result, error, ...(operation.variants.length > 0 ? [variants] : [])]
}

function variantsType(
  operation: HttpOperation,
  { names, refer }: TypeScope,
  schemas: Api['schemas'],
  withBody: Fragment,
): Fragment {
  const types = (named: readonly string[]): Fragment => {
    const members = named.map(refer)
    const flat = members.join(' | ')
    if (members.length === 0) return raw('never')
    return flat.length <= 75 ? raw(flat) : code`\n  | ${join(members, '\n| ')}`
  }
  const media = operation.responses.flatMap(({ content }) => content)
  const isOf = (name: string, isStream: boolean) =>
    media.some(
      ({ schema, stream }) => (stream !== undefined) === isStream && isItem(schema, name, schemas),
    )
  const rows = operation.variants.map(({ name, request, responses, errors }) => {
    const items = responses.filter((one) => isOf(one, true))
    const results = responses.filter((one) => !items.includes(one) || isOf(one, false))
    const item = items.length === 0 ? '' : code`\n  item: ${types(items)}`
    return code`${keyText(name)}: {
  input: ${withBody}<${names.input}, ${types([request])}>
  result: ${types(results)}${item}
  error: ${types(errors)}
}`
  })
  return code`{\n  ${join(rows)}\n}`
}
