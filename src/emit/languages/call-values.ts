import type { Operation, RpcOperation } from '../../model/api.js'
import { isObject } from '../../model/json.js'
import {
  type SampleParams,
  type SampleRequest,
  sampleParams,
  sampleRequest,
} from '../../model/sample-request.js'
import { concreteOf } from '../../runtime/wire/content.js'
import type { Sampler } from '../../schema/readable.js'

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
export const callValuesOf = (operation: Operation, madeUp: Sampler): CallValues | undefined => {
  if (operation.kind === 'http') return httpCallValues(sampleRequest(operation, madeUp))
  const shown = operation.examples.find(({ outcome }) => outcome.kind !== 'error')
  const params = shown ?? sampleParams(operation, madeUp)
  return params && rpcCallValues(operation, params)
}

/** The values that a request sends; undefined if one that is required has no sample. */
export const httpCallValues = ({
  operation,
  sent,
  files,
  lacksBody,
}: SampleRequest): CallValues | undefined => {
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
  values.set('body', withFiles(example.value, files))
  const contents = operation.body?.content ?? []
  const usual = contents.find(({ codec }) => codec === 'json') ?? contents[0]
  if (media.type !== usual?.type || media.type.includes('*'))
    values.set('contentType', concreteOf(media.type, example.value) ?? media.type)
  return values
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
