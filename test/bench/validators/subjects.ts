import { projectRpc } from '../../../src/emit/projection.js'
import type { Api, HttpOperation } from '../../../src/model/api.js'
import { findDocuments, loadApi } from '../../../src/read/load.js'
import type { JsonObject } from '../../../src/runtime/validate/json-value.js'
import { refTo, type Schema } from '../../../src/schema/schema.js'
import { blockOf } from './block.js'
import { METHODS } from './methods.js'

/**
 * What validators are measured on: four values, each made of the documents' own examples and so the same in every run, and the
 * schemas that describe them. Everybody who takes part is made from these schemas.
 */
export async function readSubjects(): Promise<Subjects> {
  const api = await loadApi(findDocuments(SPEC))
  const projected = projectRpc(api)
  const requests = METHODS.map((method) => requestOf(projected, method))
  const [request] = requests
  if (request === undefined) throw new Error('no request is measured')
  const schemas = Object.fromEntries([...api.schemas].map(([name, { schema }]) => [name, schema]))
  const items: Schema = { oneOf: requests.map(({ method }) => ({ $ref: refTo(nameOf(method)) })) }
  const own = Object.fromEntries(requests.map(({ method, schema }) => [nameOf(method), schema]))
  const batch = Array.from({ length: BATCH }, (_, index) => {
    const { value } = requests[index % requests.length] ?? request
    return { ...value, id: index + 1 }
  })
  return {
    definitions: {
      ...schemas,
      ...own,
      RequestBatch: { type: 'array', minItems: 1, maxItems: BATCH, items },
    },
    list: [
      subject('ZKT body', 'ZktSubmission', zktBody(api)),
      subject('request', nameOf(request.method), request.value),
      subject(`batch of ${BATCH}`, 'RequestBatch', batch),
      subject('block, 200 transactions', 'Block', blockOf(projected)),
    ],
  }
}

export type Subjects = {
  /** Schemas by name, which refer to each other as an `Api` has it. */
  readonly definitions: Readonly<Record<string, Schema>>
  readonly list: readonly Subject[]
}

export type Subject = {
  readonly name: string
  /** The name of its schema among the definitions. */
  readonly schema: string
  /** The value as JSON. */
  readonly text: string
}

const BATCH = 40

const SPEC = new URL('../../../spec', import.meta.url).pathname

const subject = (name: string, schema: string, value: unknown): Subject => ({
  name,
  schema,
  text: JSON.stringify(value),
})

/** `eth_getBalance` -> `EthGetBalanceRequest`. */
const nameOf = (method: string): string => {
  const [family = '', name = ''] = method.split('_')
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
  return `${capital(family)}${capital(name)}Request`
}

/** The schema of a method's whole request, as the projection has it, and its first example. */
function requestOf(projected: JsonObject, method: string) {
  const { paths } = projected as { readonly paths: Readonly<Record<string, ProjectedPath>> }
  const body = paths[`/${method}`]?.post.requestBody.content['application/json']
  const [example] = Object.values(body?.examples ?? {})
  if (body === undefined || example === undefined) throw new Error(`${method} has no example`)
  return { method, schema: body.schema, value: example.value as object }
}

type ProjectedPath = {
  readonly post: {
    readonly requestBody: {
      readonly content: Readonly<
        Record<
          string,
          {
            readonly schema: Schema
            readonly examples: Readonly<Record<string, { readonly value: unknown }>>
          }
        >
      >
    }
  }
}

/** A contract call, the widest of the three forms of a submission. */
function zktBody(api: Api): unknown {
  const operation = api.operations.find(
    (one): one is HttpOperation => one.kind === 'http' && one.id === 'tryZkt',
  )
  const example = operation?.body?.content
    .flatMap(({ examples }) => examples)
    .find(({ name }) => name === 'callWrite')
  if (example === undefined) throw new Error('tryZkt shows no contract call')
  return example.value
}
