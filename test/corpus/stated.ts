import { entriesOf, isObject } from '../../src/model/json.js'
import { operationsIn } from '../../src/model/path-item.js'
import { valueAt } from '../../src/read/document.js'

export { entriesOf }

export type Json = Readonly<Record<string, unknown>>

/** An operation, and each of its schemas with the path of its type in the generated code. */
export type Stated = {
  readonly key: string
  readonly schemas: readonly (readonly [path: readonly string[], schema: unknown])[]
}

/** Reads what the schemas and the operations of a bundled document state, with no interpretation of ours. */
export function statedIn(root: Json) {
  return { below, isTyped, isRemote, operations, methods }

  function resolve(value: unknown, depth = 0): Json {
    if (!isObject(value)) return {}
    const { $ref } = value
    if (typeof $ref !== 'string' || depth > MOST_DEPTH) return value
    const document = { value: root } as Parameters<typeof valueAt>[0]['document']
    return resolve(valueAt({ document, pointer: $ref.slice(1) }), depth + 1)
  }

  /** A schema and those that it is made of. */
  function all(schema: unknown, depth = 0): readonly Json[] {
    const one = resolve(schema)
    if (depth > MOST_DEPTH) return []
    const parts = [one.allOf, one.anyOf, one.oneOf].flatMap((list) =>
      Array.isArray(list) ? list : [],
    )
    const beside = isObject(schema) && schema.$ref !== undefined ? [schema] : []
    return [one, ...beside, ...parts.flatMap((part) => all(part, depth + 1))]
  }

  /** What is stated of a property, an item or further properties: any of what the parts of a schema say. */
  function below(schema: unknown, key: string): unknown {
    const [keyword = '', ...name] = key.split('/')
    const found = all(schema).flatMap((one) => {
      const value = one[keyword]
      const member = name.length > 0 && isObject(value) ? value[name.join('/')] : value
      return isObject(member) && (name.length > 0 || keyword !== 'properties') ? [member] : []
    })
    return found.length === 1 ? found[0] : { anyOf: found }
  }

  /** Whether a schema states a type, or values; one of several alternatives without a type leaves it open. */
  function isTyped(schema: unknown, depth = 0): boolean {
    const one = resolve(schema)
    if (depth > MOST_DEPTH) return false
    const has = (value: unknown) => [value].flat().some((name) => TYPES.has(String(name)))
    if (has(one.type) || one.enum !== undefined || one.const !== undefined) return true
    if (isObject(one.properties) && Object.keys(one.properties).length > 0) return true
    if (Array.isArray(one.allOf) && one.allOf.some((each) => isTyped(each, depth + 1))) return true
    return [one.anyOf, one.oneOf].some(
      (list) =>
        Array.isArray(list) &&
        list.some((each) => isTyped(each, depth + 1)) &&
        list.every((each) => isNull(each) || isTyped(each, depth + 1)),
    )
  }

  function isRemote(schema: unknown): boolean {
    return all(schema).some(({ $comment }) => String($comment).startsWith('not read: '))
  }

  function contentOf(holder: unknown, ...path: readonly string[]): Stated['schemas'] {
    return entriesOf(resolve(holder).content).map(([media, one]) => {
      const { schema, itemSchema } = resolve(one)
      // The text of a whole stream says nothing about its items.
      const isText = ITEMS.test(media) && resolve(schema).type === 'string'
      return [[...path, 'content', media], itemSchema ?? (isText ? {} : schema)]
    })
  }

  function operations(): readonly Stated[] {
    return entriesOf(root.paths).flatMap(([path, item]) =>
      operationsIn(item).map(({ method, node }) => {
        const own = [node.parameters, resolve(item).parameters].flatMap((list) =>
          Array.isArray(list) ? list : [],
        )
        const parameters = own
          .map(resolved)
          .map((one) => [['parameters', String(one.in), String(one.name)], one.schema] as const)
        const responses = entriesOf(node.responses).flatMap(([status, one]) =>
          contentOf(one, 'responses', status),
        )
        const body = contentOf(node.requestBody, 'requestBody')
        return { key: `${method} ${path}`, schemas: [...parameters, ...body, ...responses] }
      }),
    )
  }

  function methods(): readonly Stated[] {
    const list = Array.isArray(root.methods) ? root.methods.map(resolved) : []
    return list.map(({ name, params, result }) => {
      const own = (Array.isArray(params) ? params : []).map(
        (one, at) => [['params', String(at)], resolve(one).schema] as const,
      )
      return { key: String(name), schemas: [...own, [['result'], resolve(result).schema] as const] }
    })
  }

  function resolved(value: unknown): Json {
    return resolve(value)
  }
}

const ITEMS = /^application\/(x-ndjson|jsonl|json-seq)$/

const TYPES = new Set('string number integer boolean object array null'.split(' '))

/** `{ nullable: true }` beside other alternatives is how some generators write null. */
const isNull = (schema: unknown): boolean =>
  isObject(schema) && schema.nullable === true && Object.keys(schema).length === 1

const MOST_DEPTH = 8
