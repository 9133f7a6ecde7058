import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import type { Api, HttpOperation, RpcExample, RpcOperation, Variant } from '../../src/model/api.js'
import { loadApi } from '../../src/read/load.js'
import { createChecker } from '../../src/schema/check.js'

const spec = (name: string) => fileURLToPath(new URL(`../../spec/${name}`, import.meta.url))

export const api: Api = await loadApi({
  openapi: spec('openapi.yaml'),
  openrpc: spec('openrpc.yaml'),
  arazzo: spec('workflows.arazzo.yaml'),
})

export const httpOperations: readonly HttpOperation[] = api.operations.filter(
  (operation) => operation.kind === 'http',
)
export const rpcOperations: readonly RpcOperation[] = api.operations.filter(
  (operation) => operation.kind === 'rpc',
)

const checker = createChecker(api.schemas)
const fits = (names: readonly string[], value: unknown): boolean =>
  names.some((name) => checker.named(name).check(value))

/** A documented request: its body and what stands in its path, from the examples. */
export type DocumentedRequest = {
  readonly examples: readonly string[]
  readonly path: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** Every example of a request occurs at least once: bodies and parameters side by side, the shorter list starting again. */
export const requestsOf = (operation: HttpOperation): readonly DocumentedRequest[] => {
  const bodies = operation.body?.content.flatMap(({ examples }) => examples) ?? []
  const parameters = operation.parameters.map(({ name, examples }) => ({ name, examples }))
  const count = Math.max(1, bodies.length, ...parameters.map(({ examples }) => examples.length))
  return Array.from({ length: count }, (_, index) => {
    const body = bodies[index % bodies.length]
    const values = parameters.flatMap(({ name, examples }) => {
      const example = examples[index % examples.length]
      return example ? [{ name, example }] : []
    })
    return {
      examples: [
        ...(body ? [`body ${body.name}`] : []),
        ...values.map(({ name, example }) => `${name} ${example.name}`),
      ],
      path: Object.fromEntries(values.map(({ name, example }) => [name, example.value])),
      body: body?.value,
    }
  })
}

/** A documented answer, and a request that may be answered so: one whose form allows it. */
export type DocumentedAnswer = {
  readonly name: string
  readonly status: number
  readonly value: unknown
  /** Whether a client throws it: a status outside 2xx, or an error of its form. */
  readonly refuses: boolean
  readonly request: DocumentedRequest
}

export const answersOf = (operation: HttpOperation): readonly DocumentedAnswer[] => {
  const requests = requestsOf(operation)
  return operation.responses.flatMap(({ status, content }) =>
    content.flatMap(({ examples }) =>
      examples.map(({ name, value }) => {
        const success = status.startsWith('2')
        const allowed = requests.filter(({ body }) => {
          const form = formOf(operation, body)
          return !success || !form || fits([...form.responses, ...form.errors], value)
        })
        const named = allowed.find(({ examples }) => examples.includes(`body ${name}`))
        const request = named ?? allowed[0]
        if (!request) throw new Error(`${operation.id}: no request is answered by ${name}`)
        const errors = operation.variants.flatMap((form) => form.errors)
        const refuses = !success || fits(errors, value)
        return { name, status: Number(status), value, refuses, request }
      }),
    ),
  )
}

export const formOf = (operation: HttpOperation, body: unknown): Variant | undefined =>
  operation.variants.find(({ request }) => fits([request], body))

/** What answers a documented request where nothing else is asked for: the answer of its name, else that of its form. */
export const answerTo = (operation: HttpOperation, body: unknown): DocumentedAnswer => {
  const answers = answersOf(operation).filter(({ status }) => status < 300)
  const example = operation.body?.content
    .flatMap(({ examples }) => examples)
    .find(({ value }) => isDeepStrictEqual(value, body))
  const form = formOf(operation, body)
  const fitting = answers.filter(({ value }) => !form || fits(form.responses, value))
  const found =
    answers.find(({ name }) => name === example?.name) ??
    fitting.find(({ name }) => name === form?.example) ??
    fitting[0]
  if (!found) throw new Error(`${operation.id}: no example answers ${JSON.stringify(body)}`)
  return found
}

/** The pairing that answers these params: of several, the first that has a result; of none, the first result at all. */
export const pairingFor = (operation: RpcOperation, params: readonly unknown[]): RpcExample => {
  const results = (list: readonly RpcExample[]) =>
    list.find(({ outcome }) => outcome.kind === 'result')
  const same = operation.examples.filter((one) => isDeepStrictEqual(one.params, params))
  const found = results(same) ?? same[0] ?? results(operation.examples)
  if (!found) throw new Error(`${operation.method}: no example has a result`)
  return found
}

/** Every example of both documents, once: what a conformance test has to go through. */
export const shownExamples = (): readonly string[] => [
  ...httpOperations.flatMap((operation) => [
    ...(operation.body?.content ?? []).flatMap(({ examples }) =>
      examples.map(({ name }) => `${operation.id} request body ${name}`),
    ),
    ...operation.parameters.flatMap(({ name, examples }) =>
      examples.map((example) => `${operation.id} request ${name} ${example.name}`),
    ),
    ...operation.responses.flatMap(({ status, content }) =>
      content.flatMap(({ examples }) =>
        examples.map(({ name }) => `${operation.id} answer ${status} ${name}`),
      ),
    ),
  ]),
  ...rpcOperations.flatMap(({ method, examples }) =>
    examples.map(({ name }) => `${method} ${name}`),
  ),
]

/** Statuses and codes that are declared, and shown by no example: a client could not be seen to meet them. */
export const unshownRefusals = (): readonly string[] => [
  ...httpOperations.flatMap(({ id, responses }) =>
    responses
      .filter(({ content }) => content.every(({ examples }) => examples.length === 0))
      .map(({ status }) => `${id} ${status}`),
  ),
  ...rpcOperations.flatMap(({ method, errors, examples }) =>
    errors
      .filter(
        ({ code }) =>
          !examples.some(({ outcome }) => outcome.kind === 'error' && outcome.error.code === code),
      )
      .map(({ code }) => `${method} ${code}`),
  ),
]
