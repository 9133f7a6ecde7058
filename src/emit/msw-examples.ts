import type { Api, Operation } from '../model/api.js'
import { referredName, type Schema } from '../schema/schema.js'
import { camelCase, pascalCase } from '../text/names.js'
import { createAnswerSampler, documentedHttp, documentedRpc } from './documented.js'
import { code, type Fragment, join, literal } from './file.js'
import { shareValues, type ValuePath } from './shared-values.js'

/** The documents' examples by operation, as the handlers look them up. Values that several share are declared before them. */
export function exampleData(api: Api, used: Set<string>, type: Fragment): Fragment {
  const terms = { api, sampler: createAnswerSampler(api) }
  const shown = api.operations.flatMap((operation) => {
    const examples =
      operation.kind === 'http' ? documentedHttp(operation, terms) : documentedRpc(operation, terms)
    return examples === undefined ? [] : [{ operation, examples }]
  })
  const operations = shown.map(({ operation }): Operation => operation)
  const { shared, values } = shareValues(
    shown.map(({ examples }) => examples),
    exampleName(operations, api),
    used,
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
  return code`// Values that several examples share.

${join(named, '\n\n')}

${examples}`
}

/**
 * The name of a part of the examples: that of the example (`legacyTransaction`), or for a part within an example that of
 * its schema or property (`receipt`).
 */
const exampleName =
  (operations: readonly Operation[], api: Api) =>
  (path: ValuePath): string => {
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

/** `legacy` and `Transaction` become `legacyTransaction`. If one name contains the other, only the longer one is used. */
const joined = (example: string, what: string): string => {
  const one = camelCase(example)
  if (what === '') return one
  const other = camelCase(what)
  if (one.toLowerCase().includes(other.toLowerCase())) return one
  return other.toLowerCase().includes(one.toLowerCase()) ? other : one + pascalCase(other)
}

/** The schema of a whole example of a method. Examples of HTTP have too many schemas for a name. */
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

/** A schema, the schemas that it refers to, and their branches. */
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

/** The name of a schema; of a union, such as one with null, that of its first named branch. */
const schemaName = (schema: Schema): string | undefined => {
  if (typeof schema === 'boolean') return undefined
  const branches = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].map(referredName)
  return referredName(schema) ?? branches.find((name) => name !== undefined)
}
