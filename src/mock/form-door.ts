import { isDeepStrictEqual } from 'node:util'
import type { Api, Example, Form, HttpOperation } from '../model/api.js'
import {
  type Answer,
  type Ask,
  type Door,
  type Exchange,
  jsonAnswer,
  pathOf,
  preferring,
  templatePattern,
  type Wanted,
} from './exchange.js'

/**
 * Stands in front of a Prism that serves the HTTP document, and asks it for the example that belongs
 * to the request: the one of the same name where the request is a documented example, else one that
 * answers the request's form (`x-forms`). A caller's own `Prefer` goes through as it is.
 */
export const createFormDoor = (api: Api, fits: Fits, ask: Ask): Door => {
  const routes = routesOf(api)
  return async (exchange) => {
    const found = findRoute(routes, exchange)
    const limit = found?.operation.limits.payloadBytes ?? api.http?.limits.payloadBytes ?? Infinity
    if (exchange.body.length > limit) return tooLarge(exchange, found?.operation, limit, ask)
    if (!found || exchange.headers.prefer !== undefined) return ask(exchange)
    const wanted = wantedExample(found.operation, requestValues(found, exchange), fits)
    if (!wanted) return ask(exchange)
    const answer = await ask(preferring(exchange, wanted))
    // Prism looks for the example among its refusals too, when it refuses; there it has other names.
    return isUnknownExample(answer) ? ask(exchange) : answer
  }
}

/** Whether a value fits a named schema of the Api. */
type Fits = (schemaName: string, value: unknown) => boolean

type Route = {
  readonly operation: HttpOperation
  readonly pattern: RegExp
  readonly names: readonly string[]
}

/** Literal paths before templates: `/zoo/all` is not an animal called "all". */
const routesOf = (api: Api): readonly Route[] =>
  api.operations
    .filter((operation) => operation.kind === 'http')
    .map((operation) => ({
      operation,
      pattern: templatePattern(operation.path),
      names: [...operation.path.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name),
    }))
    .sort((a, b) => a.names.length - b.names.length)

type Found = { readonly operation: HttpOperation; readonly path: Readonly<Record<string, string>> }

const findRoute = (routes: readonly Route[], exchange: Exchange): Found | undefined => {
  for (const { operation, pattern, names } of routes) {
    if (operation.method !== exchange.method) continue
    const segments = pattern.exec(pathOf(exchange))?.slice(1)
    if (!segments) continue
    const path = names.map((name, index) => [name, decoded(segments[index] ?? '')])
    return { operation, path: Object.fromEntries(path) }
  }
  return undefined
}

type RequestValues = {
  readonly body: unknown
  readonly parameters: ReadonlyMap<string, string>
}

const requestValues = ({ path }: Found, exchange: Exchange): RequestValues => {
  const query = new URLSearchParams(exchange.target.split('?')[1] ?? '')
  return {
    body: parse(exchange.body),
    parameters: new Map([
      ...Object.entries(path).map(([name, value]) => [`path.${name}`, value] as const),
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
  const form = operation.forms.find(({ request }) => fits(request, body))
  return form && formExample(form, answers, fits)
}

const formExample = (form: Form, answers: readonly Answered[], fits: Fits): Wanted | undefined => {
  const fitting = answers.filter(
    ({ status, example }) =>
      /^2/.test(status) && form.responses.some((name) => fits(name, example.value)),
  )
  const answer = fitting.find(({ example }) => example.name === form.example) ?? fitting[0]
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

/** The documented 413, which Prism serves for a request that is small enough for it. */
const tooLarge = async (
  exchange: Exchange,
  operation: HttpOperation | undefined,
  limit: number,
  ask: Ask,
): Promise<Answer> => {
  const small = operation?.body?.content.flatMap(({ examples }) => examples)[0]
  if (operation?.responses.some(({ status }) => status === '413') && small) {
    const body = Buffer.from(JSON.stringify(small.value))
    return ask(preferring({ ...exchange, body }, { code: '413' }))
  }
  return jsonAnswer(413, { error: `the body is larger than ${limit} bytes` })
}

const isUnknownExample = ({ status, body }: Answer): boolean =>
  status === 404 && /exampleKey: .* does not exist/.test(body.toString('utf8'))

const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
