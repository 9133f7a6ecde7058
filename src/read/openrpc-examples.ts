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
    const shown = objects(pairing.params).flatMap((one) => readValue(one, reading) ?? [])
    if (method.paramStructure === 'by-name') reportMistyped(shown, params, reading)
    const { paramStructure } = method
    const hasOneForm = paramStructure === 'by-position' || paramStructure === 'by-name'
    const listed = hasOneForm ? shown : inPosition(shown, params, pairing)
    return readExample(pairing, { shown, listed }, params, reading)
  })
}

function readExample(
  pairing: JsonObject,
  { shown, listed }: { readonly shown: readonly Written[]; readonly listed: readonly Written[] },
  params: readonly RpcParam[],
  reading: ReadContext,
): RpcExample {
  const named = Object.fromEntries(
    shown.map(({ name, value }, index) => [nameIn(params, name, index), value]),
  )
  const result = isObject(pairing.result) ? readValue(pairing.result, reading) : undefined
  return {
    name: text(pairing.name) ?? 'example',
    summary: text(pairing.summary) ?? text(pairing.description),
    params: listed.map(({ value }) => value),
    holders: listed.map(({ holder }) => holder),
    places: {
      params: listed.map((one) => sourceOf(one, reading)),
      result: result ? sourceOf(result, reading) : reading.source(pairing),
    },
    namedParams: named,
    outcome: outcomeOf(pairing, result),
    source: reading.source(pairing),
  }
}

/** A value of an example, and the object that contains it. */
type Written = {
  readonly name: string | undefined
  readonly value: unknown
  readonly holder: Holder
  /** The Example Object. */
  readonly node: object
}

/** The value of an Example Object, or of a reference to one. */
function readValue(node: JsonObject, reading: ReadContext): Written | undefined {
  const example = reading.resolve(node)
  if (!example) return undefined
  const name = text(example.name)
  return { name, value: example.value, holder: [example, 'value'], node: example }
}

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

/**
 * The values of a pairing in the order of the params, if each has the name of another one: a call by name may omit any optional
 * param, and one by position has null in its place. Else the values as written.
 */
function inPosition(
  shown: readonly Written[],
  params: readonly RpcParam[],
  pairing: JsonObject,
): readonly Written[] {
  const byName = new Map(shown.map((one) => [one.name, one]))
  const last = params.findLastIndex(({ name }) => byName.has(name))
  const all = params.slice(0, last + 1)
  const isNamed =
    byName.size === shown.length &&
    shown.length === all.filter(({ name }) => byName.has(name)).length
  if (!isNamed || all.some(({ name, required }) => required && !byName.has(name))) return shown
  return all.map(
    ({ name }) => byName.get(name) ?? { name, value: null, holder: [{}, 'value'], node: pairing },
  )
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
