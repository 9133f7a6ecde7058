import type { Api, HttpOperation, Operation, RpcOperation } from '../model/api.js'
import { httpCurl, rpcCurl } from '../model/curl.js'
import { withExactExamples } from '../model/exact-examples.js'
import { hasJsonValue, type MediaType } from '../model/http-content.js'
import { sentParametersSchema } from '../model/params.js'
import { type ChosenExample, sampleParams, sampleRequest } from '../model/sample-request.js'
import { holdsFields } from '../runtime/shared/codecs.js'
import { writeJson } from '../runtime/shared/json.js'
import { basePaths } from '../runtime/wire/routes.js'
import { createChecker } from '../schema/check.js'
import { createSampler, type Sampler } from '../schema/readable.js'
import { referredName, type Schema } from '../schema/schema.js'
import { shellText } from '../text/escape.js'
import { wrongExamples } from './examples.js'

/** A curl command for each operation that the mock server serves. */
export const curlLines = (api: Api, urls: MockUrls): readonly string[] => {
  const lineOf = createCurl(api, urls)
  return api.operations.flatMap((operation) => lineOf(operation) ?? [])
}

/**
 * Creates curl commands, with the first example of an operation that fits its schema, or with generated values. The
 * mock server accepts every secret, so each command works when pasted. Undefined for an operation of a document
 * that the mock server does not serve.
 */
export const createCurl = (
  api: Api,
  { httpUrl, rpcUrl }: MockUrls,
): ((operation: Operation) => string | undefined) => {
  const madeUp = createSampler(api.schemas, 'request')
  const checker = wrongExamples(api).length > 0 ? createChecker(api.schemas) : undefined
  const fits = (schema: Schema, value: unknown): boolean =>
    checker === undefined || checker.schema(schema).check(JSON.parse(writeJson(value)))
  const exact = new Map(withExactExamples(api).operations.map((one) => [one.id, one]))
  return ({ id }) => {
    const operation = exact.get(id)
    if (operation === undefined) return undefined
    if (operation.kind === 'http')
      return httpUrl && httpLine(httpUrl, fitting(operation, fits), api, madeUp)
    return rpcUrl && rpcLine(rpcUrl, operation, api, madeUp, fits)
  }
}

/** The URL of each document on the mock server; undefined for a missing document. */
export type MockUrls = {
  /** Without the path of a declared server. */
  readonly httpUrl: string | undefined
  /** With the path of the declared server, including its `{variables}`. */
  readonly rpcUrl: string | undefined
}

type Fits = (schema: Schema, value: unknown) => boolean

/** The operation without the examples of its request that do not fit their schemas. */
const fitting = (operation: HttpOperation, fits: Fits): HttpOperation => {
  const { parameters, body } = operation
  const right = <T extends Pick<MediaType, 'schema' | 'examples'>>(one: T): T => ({
    ...one,
    examples: one.examples.filter(({ value }) => fits(one.schema, value)),
  })
  const content = body?.content.map((media) => (hasJsonValue(media) ? right(media) : media)) ?? []
  return { ...operation, parameters: parameters.map(right), body: body && { ...body, content } }
}

const httpLine = (url: string, declared: HttpOperation, api: Api, madeUp: Sampler): string => {
  const media = declared.body?.content.find(({ examples }) => examples.length > 0)
  const example = media?.examples[0]
  const chosen = media && example && { media, example }
  const { schemas } = api
  const { operation, sent } = sampleRequest(declared, madeUp, chosen, schemas)
  const form = wholeForm(declared, sent, api, madeUp)
  const base = url + (basePaths(declared.servers)[0] ?? '')
  // The command must work when pasted, so its files must exist.
  const options = { unknown: () => 'made-up', fileAt: () => '/dev/null' }
  return httpCurl(base, operation, form, options).join(' ')
}

/** The body of an operation that requires a form: curl sends no form without at least one field. */
const wholeForm = (
  { body }: HttpOperation,
  sent: ChosenExample | undefined,
  { schemas }: Api,
  madeUp: Sampler,
): ChosenExample | undefined => {
  const media = sent?.media ?? body?.content[0]
  const isEmpty = sent === undefined || Object.keys(Object(sent.example.value)).length === 0
  if (!body?.required || media === undefined || !holdsFields(media.codec) || !isEmpty) return sent
  const { schema } = media
  const known = schemas.get(referredName(schema) ?? '')?.schema ?? schema
  const { properties = {}, required = [] } = typeof known === 'object' ? known : {}
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1)
  const fields = (names.length > 0 ? names : ['field']).map((name) => {
    const value = madeUp(properties[name] ?? true) ?? 'made-up'
    return [name, typeof value === 'object' ? JSON.stringify(value) : value] as const
  })
  const { source } = media
  const value = Object.fromEntries(fields)
  return { media, example: { name: 'made up', summary: undefined, value, source } }
}

const rpcLine = (
  url: string,
  operation: RpcOperation,
  { rpc }: Api,
  madeUp: Sampler,
  fits: Fits,
): string => {
  const { method, paramStructure, examples } = operation
  const isByName = paramStructure === 'by-name'
  const schema = sentParametersSchema(operation)
  const right = examples.filter((one) => fits(schema, isByName ? one.namedParams : one.params))
  const shown =
    right.find(({ outcome }) => outcome.kind === 'result') ??
    right[0] ??
    sampleParams(operation, madeUp)
  const params = isByName ? shown?.namedParams : shown?.params
  const variables = rpc?.servers[0]?.variables
  const unknown = (name: string): string => {
    const { default: usual = '', secret } = variables?.[name] ?? {}
    return secret || usual === '' ? 'made-up' : shellText(usual)
  }
  return rpcCurl(url, { jsonrpc: '2.0', id: 1, method, params: params ?? [] }, { unknown }).join(
    ' ',
  )
}
