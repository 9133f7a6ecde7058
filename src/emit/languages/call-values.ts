import type { Operation, RpcOperation } from '../../model/api.js'
import { isObject } from '../../model/json.js'
import {
  type SampleParams,
  type SampleRequest,
  sampleParams,
  sampleRequest,
} from '../../model/sample-request.js'
import { concreteOf } from '../../runtime/wire/content.js'
import { isAlwaysMarked } from '../../schema/places.js'
import type { Sampler } from '../../schema/readable.js'
import type { Schema, Schemas } from '../../schema/schema.js'

/**
 * The values of a sample call: `path.id`, `query.limit`, `body`, and `contentType` where the client does not choose it itself. The
 * params of a method are by position: `0`.
 */
export type CallValues = ReadonlyMap<string, unknown>

/** A file in a form. */
export const SAMPLE_FILE = Symbol('file')

/** The text of `SAMPLE_FILE` in code. */
export const FILE_TEXT = 'YOUR bytes'

/** The values of the first example of an operation, or made-up ones; undefined if there are none. */
export const callValuesOf = (
  operation: Operation,
  madeUp: Sampler,
  schemas: Schemas,
): CallValues | undefined => {
  if (operation.kind === 'http') return httpCallValues(sampleRequest(operation, madeUp), schemas)
  const shown = operation.examples.find(({ outcome }) => outcome.kind !== 'error')
  const params = shown ?? sampleParams(operation, madeUp)
  return params && rpcCallValues(operation, params)
}

/** The values that a request sends; undefined if one that is required has no sample. */
export const httpCallValues = (
  { operation, sent, files, lacksBody }: SampleRequest,
  schemas: Schemas,
): CallValues | undefined => {
  const values = new Map<string, unknown>()
  for (const { in: place, name, required, secret, examples } of operation.parameters) {
    if (secret || !(required || place === 'path')) continue
    const [example] = examples
    if (example === undefined) return undefined
    values.set(`${place}.${name}`, example.value)
  }
  if (lacksBody) return undefined
  if (sent === undefined) return values
  const { media, example } = sent
  const body = withoutReadOnly(example.value, media.schema, schemas)
  values.set('body', withFiles(body, files))
  const contents = operation.body?.content ?? []
  const usual = contents.find(({ codec }) => codec === 'json') ?? contents[0]
  if (media.type !== usual?.type || media.type.includes('*'))
    values.set('contentType', concreteOf(media.type, example.value) ?? media.type)
  return values
}

/** A value without the members that types of requests do not have: an example may be one of both directions. */
const withoutReadOnly = (
  value: unknown,
  schema: Schema,
  schemas: Schemas,
  path: readonly (string | number)[] = [],
): unknown => {
  if (Array.isArray(value))
    return value.map((item, at) => withoutReadOnly(item, schema, schemas, [...path, at]))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      const at = [...path, key]
      const isOmitted = isAlwaysMarked(schema, at, 'readOnly', schemas)
      return isOmitted ? [] : [[key, withoutReadOnly(member, schema, schemas, at)]]
    }),
  )
}

const withFiles = (body: unknown, files: readonly string[]): unknown =>
  files.length === 0 || !isObject(body)
    ? body
    : Object.fromEntries(
        Object.entries(body).map(([name, value]) => {
          if (!files.includes(name)) return [name, value]
          return [name, Array.isArray(value) ? value.map(() => SAMPLE_FILE) : SAMPLE_FILE]
        }),
      )

export const rpcCallValues = (
  operation: RpcOperation,
  { params, namedParams }: SampleParams,
): CallValues =>
  new Map(
    operation.params.flatMap(({ name }, at) => {
      const value = params.length > 0 ? params[at] : namedParams[name]
      return value === undefined ? [] : [[String(at), value] as const]
    }),
  )

/** A call as code, and what it returns; READMEs show no call that returns a stream. */
export type ShownCall = { readonly text: string; readonly returns: string }

/** The call with the fewest arguments; one that reads, if there is any. */
export const firstCall = <Call extends ShownCall>(
  operations: readonly Operation[],
  callOf: (operation: Operation, values: CallValues) => Call | undefined,
  makeUp: Sampler,
  schemas: Schemas,
): Call | undefined =>
  operations
    .flatMap((operation) => {
      const isUnfit = operation.access === 'key' || operation.deprecated
      const values = isUnfit ? undefined : callValuesOf(operation, makeUp, schemas)
      const call = values && callOf(operation, values)
      if (call === undefined || call.returns === 'stream') return []
      const isRead = operation.kind === 'http' ? operation.method === 'GET' : operation.idempotent
      return [{ call, rank: (isRead ? 0 : 10_000) + call.text.length - call.text.indexOf('(') }]
    })
    .sort((a, b) => a.rank - b.rank)[0]?.call
