import type { Api, HttpOperation, Operation, RpcOperation } from '../model/api.js'
import { camelCase, pascalCase } from '../model/names.js'
import { itemsOfExample } from '../model/streams.js'
import type { DocumentedAnswer, DocumentedHttp, Pairing } from '../runtime/examples/documented.js'
import { isJson } from '../runtime/shared/media-type.js'
import { referredName, type Schema } from '../schema/schema.js'
import { code, type Fragment, join, literal } from './file.js'
import { type Path, shareValues } from './shared-values.js'

/** The documents' examples by operation, as the handlers look them up; what several share comes before them, by a name. */
export function exampleData(api: Api, taken: Set<string>, type: Fragment): Fragment {
  const shown = api.operations.flatMap((operation) => {
    const examples = operation.kind === 'http' ? httpExamples(operation) : rpcExamples(operation)
    return examples === undefined ? [] : [{ operation, examples }]
  })
  const operations = shown.map(({ operation }): Operation => operation)
  const { shared, values } = shareValues(
    shown.map(({ examples }) => examples),
    exampleName(operations, api),
    taken,
  )
  const named = shared.map(
    ({ name, value }) => code`const ${name} = ${literal(value, name.length + 9)}`,
  )
  const rows = operations.map(
    ({ id }, at) => code`${id}: ${literal(values[at], id.length + 5, 2)},`,
  )
  const examples = code`const examples: ${type} = {
  ${join(rows)}
}`
  if (named.length === 0) return examples
  return code`// What several examples hold.

${join(named, '\n\n')}

${examples}`
}

/** The examples of an HTTP operation; `answers` are those of its responses. */
export function httpExamples(
  operation: HttpOperation,
  shown: readonly DocumentedAnswer[] = answers(operation),
): DocumentedHttp | undefined {
  const requests = (operation.body?.content ?? []).flatMap(({ examples }) => examples.map(named))
  const parameters = operation.parameters.flatMap(({ in: where, name, examples }) =>
    examples.length > 0 ? [[`${where}.${name}`, examples.map(named)] as const] : [],
  )
  const variants = operation.variants.flatMap(({ name, example }) =>
    example === undefined ? [] : [[name, example] as const],
  )
  if (requests.length + parameters.length + shown.length === 0) return undefined
  return {
    ...(requests.length > 0 && { requests }),
    ...(parameters.length > 0 && { parameters: Object.fromEntries(parameters) }),
    answers: shown,
    ...(variants.length > 0 && { variants: Object.fromEntries(variants) }),
  }
}

export const answers = ({ responses }: HttpOperation): readonly DocumentedAnswer[] =>
  responses.flatMap(({ status, content }) =>
    content.flatMap((media) =>
      media.examples.map(({ name, value }) => {
        const items = itemsOfExample(media, value)
        return {
          status,
          name,
          ...(!isJson(media.type) && { type: media.type }),
          ...(items === undefined ? { value } : { value: items, isItems: true as const }),
        }
      }),
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

export const pairings = ({ examples, paramStructure }: RpcOperation): readonly Pairing[] =>
  examples.flatMap(({ name, params, namedParams, outcome }): readonly Pairing[] => {
    const asked = { name, params: paramStructure === 'by-name' ? namedParams : params }
    if (outcome.kind === 'none') return []
    return outcome.kind === 'error'
      ? [{ ...asked, error: outcome.error }]
      : [{ ...asked, result: outcome.value }]
  })

/**
 * What a part of the examples is called: after the example that it is (`legacyTransaction`), or after what it is within one
 * (`receipt`), which is the name of its schema or of its property.
 */
const exampleName =
  (operations: readonly Operation[], api: Api) =>
  (path: Path): string => {
    const [operation, list] = [operations[Number(path[0]?.key)], path[1]?.key ?? 'examples']
    const start = path.findIndex(({ value }) => isExample(value))
    const inside = path.slice(start + 1)
    const [part, ...deeper] = inside
    if (start === -1) return camelCase(`${operation?.id} ${pascalCase(list)}`)
    const example = nameOf(path[start]?.value)
    if (part === undefined) return joined(example, ENTRIES[list] ?? '')
    const keys = inside.map(({ key }) => key)
    const property = keys.filter((key) => !/^\d+$/.test(key)).at(-1) ?? ''
    const schema = operation && schemaBelow(rootSchema(operation), keys, api)
    const isText = typeof path.at(-1)?.value === 'string' && property !== 'result'
    const known = isText || schema === undefined ? undefined : schemaName(schema)
    const what = known ?? (property === 'value' ? 'body' : property)
    return deeper.length === 0 ? joined(example, what) : camelCase(what)
  }

const ENTRIES: Readonly<Record<string, string>> = { requests: 'request', answers: 'answer' }

const isExample = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  ('value' in value || 'params' in value)

const nameOf = (example: unknown): string => String((example as { readonly name: unknown }).name)

/** `legacy` and `Transaction` are a `legacyTransaction`; a word that both say is said once. */
const joined = (example: string, what: string): string => {
  const one = camelCase(example)
  if (what === '') return one
  const other = camelCase(what)
  if (one.toLowerCase().includes(other.toLowerCase())) return one
  return other.toLowerCase().includes(one.toLowerCase()) ? other : one + pascalCase(other)
}

/** The schema of all that an example of a method holds; what HTTP carries has too many at once to be named after one. */
const rootSchema = (operation: Operation): Schema => {
  if (operation.kind === 'http') return true
  const { params, result } = operation
  return {
    properties: {
      params: {
        prefixItems: params.map(({ schema }) => schema),
        properties: Object.fromEntries(params.map(({ name, schema }) => [name, schema])),
      },
      result: result.schema,
    },
  }
}

const schemaBelow = (from: Schema, keys: readonly string[], api: Api): Schema | undefined =>
  keys.reduce<Schema | undefined>((schema, key) => {
    for (const one of schema === undefined ? [] : branches(schema, api)) {
      if (typeof one === 'boolean') continue
      const { properties, prefixItems, items, additionalProperties } = one
      const found = /^\d+$/.test(key) ? (prefixItems?.[Number(key)] ?? items) : properties?.[key]
      if (found !== undefined) return found
      if (typeof additionalProperties === 'object') return additionalProperties
    }
    return undefined
  }, from)

/** A schema, what it refers to, and what that is made of. */
const branches = (schema: Schema, api: Api): ReadonlySet<Schema> => {
  const found = new Set([schema])
  for (const one of found) {
    if (typeof one === 'boolean') continue
    const name = referredName(one)
    const named = name === undefined ? undefined : api.schemas.get(name)?.schema
    const parts = [one.allOf, one.oneOf, one.anyOf].flat()
    for (const part of [named, ...parts]) if (part !== undefined) found.add(part)
  }
  return found
}

/** Of a union with null the other is meant. */
const schemaName = (schema: Schema): string | undefined => {
  if (typeof schema === 'boolean') return undefined
  const branches = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].map(referredName)
  return referredName(schema) ?? branches.find((name) => name !== undefined)
}
