import type { RpcExample, RpcParam } from '../model/api.js'
import type { Holder } from '../model/http-content.js'
import { isObject } from '../model/json.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import { nearest } from '../text/nearest.js'
import { objects, type ReadContext, text } from './reading.js'

/** The examples of an OpenRPC method: pairings of params and a result. */
export function readRpcExamples(
  method: JsonObject,
  params: readonly RpcParam[],
  reading: ReadContext,
): readonly RpcExample[] {
  return objects(method.examples).flatMap((entry) => {
    const pairing = reading.resolve(entry)
    if (!pairing) return []
    const shown = paramsIn(pairing, params, reading)
    if (method.paramStructure === 'by-name') reportMistyped(shown, params, reading)
    return readExample(pairing, shown, params, reading)
  })
}

function readExample(
  pairing: JsonObject,
  shown: readonly Written[],
  params: readonly RpcParam[],
  reading: ReadContext,
): RpcExample {
  const named = Object.fromEntries(
    shown.map(({ name, value }, index) => [nameIn(params, name, index), value]),
  )
  const result = writtenAt(pairing, 'result', reading)
  return {
    name: text(pairing.name) ?? 'example',
    summary: text(pairing.summary) ?? text(pairing.description),
    params: shown.map(({ value }) => value),
    holders: shown.map(({ holder }) => holder),
    places: {
      params: shown.map((one) => sourceOf(one, reading)),
      result: result ? sourceOf(result, reading) : reading.source(pairing),
    },
    namedParams: named,
    outcome: outcomeOf(pairing, result),
    source: reading.source(pairing),
  }
}

/** A value of an example, and the object or list that contains it. */
type Written = {
  readonly name: string | undefined
  readonly value: unknown
  readonly holder: Holder
  /** The Example Object, or what was written in its place. */
  readonly node: object
}

/** The values of a pairing in the order of the params; some documents write them by name. */
function paramsIn(
  { params: written }: JsonObject,
  params: readonly RpcParam[],
  reading: ReadContext,
): readonly Written[] {
  if (Array.isArray(written))
    return written.flatMap((_, index) => writtenAt(written, String(index), reading) ?? [])
  if (!isObject(written)) return []
  const names = params.map(({ name }) => name).filter((name) => Object.hasOwn(written, name))
  return names.flatMap((name) => {
    const one = writtenAt(written, name, reading)
    return one ? { ...one, name } : []
  })
}

/** A value in an Example Object, or written without one: `result: 5` instead of `result: { name: five, value: 5 }`. */
function writtenAt(node: object, key: string, reading: ReadContext): Written | undefined {
  const value: unknown = (node as JsonObject)[key]
  if (value === undefined) return undefined
  if (!isObject(value)) return { name: undefined, value, holder: [node, key], node }
  const example = reading.resolve(value)
  if (!example) return undefined
  if (!isOpenrpcExample(example)) return { name: undefined, value, holder: [node, key], node }
  const name = text(example.name)
  return { name, value: example.value, holder: [example, 'value'], node: example }
}

/** OpenRPC, Example Object: a name and a value, or nothing but fields of one. A transaction, too, has a `value`. */
export const isOpenrpcExample = (node: JsonObject): boolean =>
  ('name' in node && 'value' in node) || Object.keys(node).every((key) => FIELDS.test(key))

const FIELDS = /^(name|summary|description|value|externalValue|x-.*)$/

/** Whether there is a value: an Example Object may have none. */
const isWritten = ({ holder: [within, key] }: Written): boolean => key in within

const sourceOf = (written: Written, reading: ReadContext) =>
  isWritten(written) ? reading.source(...written.holder) : reading.source(written.node)

/** Reports names in an example that resemble a param's name: callers by name copy them. A very different name is a title. */
function reportMistyped(
  shown: readonly Written[],
  params: readonly RpcParam[],
  reading: ReadContext,
): void {
  const names = params.map(({ name }) => name)
  for (const { name = '', node } of shown) {
    const close = name.length < 3 || names.includes(name) ? undefined : nearest(name, names)
    if (close === undefined) continue
    reading.report({
      rule: 'example-param-is-unknown',
      level: 'warning',
      location: reading.source(node, 'name').locate(),
      message: `the method has no param ${name}, and its params are sent by name: did you mean ${close}?`,
    })
  }
}

/** The param of a pairing: the one with its name, else the one at its position, since any other name is a title. */
function nameIn(params: readonly RpcParam[], shown: string | undefined, index: number): string {
  const isParam = shown !== undefined && params.some(({ name }) => name === shown)
  return (isParam ? shown : params[index]?.name) ?? shown ?? String(index)
}

function outcomeOf(pairing: JsonObject, result: Written | undefined): RpcExample['outcome'] {
  const error = pairing['x-error']
  if (isObject(error) && typeof error.code === 'number') {
    const { code, message, data } = error
    return {
      kind: 'error',
      error: { code, message: text(message) ?? '', ...(data !== undefined && { data }) },
    }
  }
  if (!result || !isWritten(result)) return { kind: 'none' }
  return { kind: 'result', value: result.value, holder: result.holder }
}
