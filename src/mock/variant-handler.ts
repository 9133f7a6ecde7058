import { isDeepStrictEqual } from 'node:util'
import type { Api, Example, HttpOperation, Variant } from '../model/api.js'
import type { Refusal } from '../runtime/server/request.js'
import { createRoutes, decodePercent } from '../runtime/server/routes.js'
import { isJson } from '../runtime/shared/media-type.js'
import type { Checker } from '../schema/check.js'
import { rejectAsDocumented } from './documented-error.js'
import {
  type Answer,
  type Ask,
  type Door,
  type Exchange,
  jsonAnswer,
  pathOf,
  preferring,
  type Wanted,
} from './exchange.js'
import { readJson } from './read-json.js'

/**
 * Stands in front of a Prism that serves the HTTP document, and asks it for the example that belongs
 * to the request: the one of the same name where the request is a documented example, else one that
 * answers the request's variant (`x-variants`). A caller's own `Prefer` goes through as it is. What Prism refuses in
 * words of its own, or takes though it is no JSON, is refused here, as the document shows it.
 */
export const createVariantHandler = (api: Api, { named }: Checker, ask: Ask): Door => {
  const fits: Fits = (name, value) => named(name).check(value)
  const routes = routesOf(api)
  return async (exchange) => {
    const match = routes(exchange.method, pathOf(exchange))
    if (match.kind === 'unknown') return jsonAnswer(404, { error: 'there is nothing here' })
    if (match.kind === 'wrong-method') {
      if (exchange.headers['access-control-request-method'] !== undefined) return ask(exchange)
      const headers = { allow: match.allow.join(', ') }
      const refusal = { status: 405, message: 'the path has other methods', headers }
      return rejectAsDocumented(match.target, refusal, ask)
    }
    const found = { operation: match.target, path: match.path }
    const { method } = found.operation
    const refusal = refusalOf(api, found.operation, exchange)
    if (refusal) return rejectAsDocumented(found.operation, refusal, ask)
    // HEAD is answered like GET, and the listener leaves out the body.
    const asked = { ...exchange, method }
    if (exchange.headers.prefer !== undefined) return ask(asked)
    const wanted = wantedExample(found.operation, requestValues(found, exchange), fits)
    if (!wanted) return ask(asked)
    const answer = await ask(preferring(asked, wanted))
    if (!isUnknownExample(answer)) return answer
    // Prism has names of its own for an `example` without one, and looks among its refusals too, when it refuses.
    return ask(preferring(asked, { code: wanted.code }))
  }
}

/** Whether a value fits a named schema of the Api. */
type Fits = (schemaName: string, value: unknown) => boolean

/** A path that is declared twice belongs to whoever came first. */
const routesOf = (api: Api) => {
  const seen = new Set<string>()
  const entries = api.operations.flatMap((operation) => {
    if (operation.kind !== 'http') return []
    const { method, path } = operation
    const shape = `${method} ${path.replace(/\{[^{}]*\}/g, '{}')}`
    const isTaken = seen.has(shape)
    seen.add(shape)
    return isTaken ? [] : [{ method, path, target: operation }]
  })
  return createRoutes<HttpOperation>(entries)
}

type Found = { readonly operation: HttpOperation; readonly path: Readonly<Record<string, string>> }

/** What is wrong with a request before Prism compares it with its schemas. */
const refusalOf = (
  api: Api,
  { limits, body: declared, responses }: HttpOperation,
  { body, headers, refusal }: Exchange,
): Refusal | undefined => {
  if (refusal) return refusal
  const unreadable = unreadableHeader(headers)
  if (unreadable) return { status: 400, message: unreadable }
  const limit = limits.payloadBytes ?? api.http?.limits.payloadBytes ?? Number.POSITIVE_INFINITY
  if (body.length > limit) return { status: 413, message: `the body is larger than ${limit} bytes` }
  const type = String(headers['content-type'] ?? '')
  const isRead = isJson(type) && declared?.content.some((one) => isJson(one.type))
  if (!isRead || body.length === 0 || readJson(body)) return undefined
  const status = [400, 422].find((code) => responses.some((one) => one.status === String(code)))
  return { status: status ?? 400, message: 'the body is no JSON' }
}

/** A media type that Prism cannot read makes it fail, or answer 500. */
const unreadableHeader = (headers: Exchange['headers']): string | undefined => {
  const type = String(headers['content-type'] ?? '')
  if (type !== '' && !MEDIA_TYPE.test(type))
    return `the header Content-Type is ${JSON.stringify(type)}: it must be one media type, for example application/json`
  const accepted = String(headers.accept ?? '')
  if (accepted.trim() === '' || accepted.split(',').every((one) => MEDIA_TYPE.test(one.trim())))
    return undefined
  return `the header Accept is ${JSON.stringify(accepted)}: it must list media types, for example application/json or */*`
}

/** RFC 9110, 5.6.2; `*` is part of it. */
const TOKEN = "[!#$%&'*+.^_`|~\\w-]+"

/** RFC 9110, 8.3.1. Of a quoted value with a comma Prism reads half, so it is rejected in `Accept`. */
const MEDIA_TYPE = new RegExp(
  `^${TOKEN}/${TOKEN}(?:\\s*;\\s*${TOKEN}=(?:${TOKEN}|"(?:[^"\\\\]|\\\\.)*"))*$`,
)

type RequestValues = {
  readonly body: unknown
  readonly parameters: ReadonlyMap<string, string>
}

const requestValues = ({ path }: Found, exchange: Exchange): RequestValues => {
  const query = new URLSearchParams(exchange.target.split('?')[1] ?? '')
  return {
    body: readJson(exchange.body)?.value,
    parameters: new Map([
      ...Object.entries(path).map(
        ([name, value]) => [`path.${name}`, decodePercent(value) ?? value] as const,
      ),
      ...[...query].map(([name, value]) => [`query.${name}`, value] as const),
    ]),
  }
}

const wantedExample = (
  operation: HttpOperation,
  { body, parameters }: RequestValues,
  fits: Fits,
): Wanted | undefined => {
  const requests = (operation.body?.content ?? []).flatMap(({ examples }) => examples)
  const names = [
    ...requests.filter(({ value }) => isDeepStrictEqual(value, body)),
    ...operation.parameters.flatMap(({ in: where, name, examples }) =>
      examples.filter(({ value }) => String(value) === parameters.get(`${where}.${name}`)),
    ),
  ].map(({ name }) => name)
  const answers = responseExamples(operation)
  for (const name of names) {
    const answer = answers.find(({ example }) => example.name === name)
    if (answer) return { code: answer.status, example: name }
  }
  if (body === undefined) return undefined
  const variant = operation.variants.find(({ request }) => fits(request, body))
  return variant && variantExample(variant, answers, fits)
}

const variantExample = (
  variant: Variant,
  answers: readonly Answered[],
  fits: Fits,
): Wanted | undefined => {
  const fitting = answers.filter(
    ({ status, example }) =>
      /^2/.test(status) && variant.responses.some((name) => fits(name, example.value)),
  )
  const answer = fitting.find(({ example }) => example.name === variant.example) ?? fitting[0]
  return answer && { code: answer.status, example: answer.example.name }
}

type Answered = { readonly status: string; readonly example: Example }

/** Every example of a response, successes first. */
const responseExamples = ({ responses }: HttpOperation): readonly Answered[] =>
  responses
    .flatMap(({ status, content }) =>
      content.flatMap(({ examples }) => examples.map((example) => ({ status, example }))),
    )
    .sort((a, b) => Number(b.status.startsWith('2')) - Number(a.status.startsWith('2')))

const isUnknownExample = ({ status, body }: Answer): boolean =>
  (status === 404 || status === 500) && UNKNOWN_EXAMPLE.test(body.toString('utf8'))

/** The second is said where a status is asked for besides. */
const UNKNOWN_EXAMPLE = /exampleKey: .* does not exist|We tried default response, but we got/
