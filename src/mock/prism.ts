import { createRequire } from 'node:module'
import { setImmediate } from 'node:timers/promises'
import { isObject } from '../model/json.js'
import type { ServerReply } from '../runtime/server/request.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import type { HeaderRecord } from '../runtime/wire/headers.js'
import { MockError } from './mock.js'
import { documentForPrism, largeReferences } from './prism-document.js'

/**
 * Starts Prism's mock server for a document, in this process and at a free local port. Throws MockError if Prism is not
 * installed, or cannot compile a schema.
 */
export const startPrism = async (document: JsonObject): Promise<Prism> => {
  const load = findPrism()
  const whole = documentForPrism(document)
  const operations = await readOperations(whole, load.http)
  await assertCompiled(operations, load.http)
  const { configureExtensionsUserProvided: configure } = load.cli('./dist/extensions.js')
  await configure({ 'x-json-schema-faker': document['x-json-schema-faker'] }, {})
  const { createServer } = load.cli('@stoplight/prism-http-server')
  const mock = { dynamic: false, ignoreExamples: false }
  const checks = { validateRequest: true, validateResponse: true, checkSecurity: true }
  const server: PrismServer = createServer(operations, {
    cors: true,
    components: { logger: SILENT },
    config: { ...checks, errors: true, isProxy: false, mock },
  })
  guard(server, load.http('@stoplight/prism-http').ProblemJsonError)
  const address = await server.listen(0, '127.0.0.1')
  return { ask: (request) => ask(address, request), stop: () => server.close() }
}

export type Prism = {
  readonly ask: (request: PrismRequest) => Promise<ServerReply>
  readonly stop: () => Promise<void>
}

/** A request for Prism; `target` is its path and query. */
export type PrismRequest = {
  readonly method: string
  readonly target: string
  readonly headers: HeaderRecord
  readonly body: Uint8Array
}

type PrismServer = {
  readonly listen: (port: number, host: string) => Promise<string>
  readonly close: () => Promise<void>
  readonly prism: { request: (...args: readonly unknown[]) => () => Promise<unknown> }
}

type PrismOperation = {
  readonly method: string
  readonly path: string
  readonly request?: PrismRequestSchemas
  readonly responses: readonly PrismResponse[]
  readonly __bundled__?: unknown
}

type PrismRequestSchemas = {
  readonly body?: { readonly contents?: Contents }
  readonly path?: Contents
  readonly query?: Contents
  readonly headers?: Contents
  readonly cookie?: Contents
}

type PrismResponse = {
  readonly code: string
  readonly contents?: Contents
  readonly headers?: readonly { readonly name: string; readonly schema?: unknown }[]
}

type Contents = readonly { readonly schema?: unknown }[]

/** Prism is an optional peer dependency of `mock --prism` only. Its packages are resolved from its own location. */
const findPrism = () => {
  try {
    const cli = createRequire(
      createRequire(import.meta.url).resolve('@stoplight/prism-cli/package.json'),
    )
    return { cli, http: createRequire(cli.resolve('@stoplight/prism-http')) }
  } catch (cause) {
    throw new MockError(
      '--prism needs Prism, which is not installed: npm install --save-dev @stoplight/prism-cli@5.14.2',
      { cause },
    )
  }
}

/**
 * Reads a document like Prism, with three differences. A recursive schema stays a reference: Prism would replace it and search
 * for cycles, which takes half a minute for a large document. A schema that would become too large also stays a reference:
 * schemas that each refer to the next one twice double in size each time. Each operation is bundled from a copy, because Prism
 * cannot resolve what it wrote for another operation.
 */
const readOperations = async (
  document: JsonObject,
  load: NodeJS.Require,
): Promise<readonly PrismOperation[]> => {
  const RefParser = load('@stoplight/json-schema-ref-parser')
  const { transformOas3Operations } = load('@stoplight/http-spec/oas3/operation')
  const { bundleTarget } = load('@stoplight/json')
  const large = largeReferences(document)
  for (const { node } of large) delete node.$ref
  const options = { dereference: { circular: 'ignore' } }
  const unfolded: JsonObject = await new RefParser().dereference(document, options)
  for (const { node, $ref } of large) node.$ref = $ref
  const operations: readonly PrismOperation[] = transformOas3Operations(unfolded)
  return operations.map((operation) =>
    bundleTarget({
      document: { ...unfolded, __target__: withoutFraming(operation) },
      path: '#/__target__',
      cloneDocument: true,
    }),
  )
}

/** Recorded documents declare headers about the transfer of a body, which are wrong for Prism's bodies. */
const withoutFraming = (operation: PrismOperation): PrismOperation => ({
  ...operation,
  responses: operation.responses.map(({ headers = [], ...response }) => ({
    ...response,
    headers: headers.filter(({ name }) => !FRAMING.has(name.toLowerCase())),
  })),
})

const FRAMING = new Set([
  ...['transfer-encoding', 'content-length', 'content-encoding', 'connection'],
  ...['keep-alive', 'trailer', 'upgrade'],
])

/**
 * Prism's validator accepts every value for a schema that it cannot compile, so each schema is
 * compiled here, with the same options.
 */
const assertCompiled = async (
  operations: readonly PrismOperation[],
  load: NodeJS.Require,
): Promise<void> => {
  const checker = (module: string) => {
    const options = { allErrors: true, allowUnionTypes: true, allowMatchingProperties: true }
    // The compiled code is never run, so it needs no optimization.
    const code = { optimize: false }
    const ajv = new (load(module).default)({ ...options, strict: false, logger: false, code })
    load('ajv-formats').default(ajv)
    return ajv
  }
  const drafts: Readonly<Record<string, ReturnType<typeof checker>>> = {
    '2019-09': checker('ajv/dist/2019'),
    '2020-12': checker('ajv/dist/2020'),
  }
  const draft7 = checker('ajv')
  for (const operation of operations) {
    // Yields, so that progress is printed and the command can be interrupted.
    await setImmediate()
    for (const { place, schema } of schemasOf(operation)) {
      if (!isObject(schema)) continue
      const [, draft = ''] = /\/draft\/([\d-]+)\//.exec(String(schema.$schema)) ?? []
      try {
        const ajv = drafts[draft] ?? draft7
        ajv.compile({ ...schema, __bundled__: operation.__bundled__ })
      } catch (cause) {
        const where = `${operation.method.toUpperCase()} ${operation.path}, ${place}`
        const why = cause instanceof Error ? cause.message : String(cause)
        throw new MockError(
          `Prism cannot read a schema and would accept anything: ${where}: ${why}`,
          { cause },
        )
      }
    }
  }
}

const schemasOf = ({ request = {}, responses }: PrismOperation) => {
  const named = (place: string, contents: Contents = []) =>
    contents.map(({ schema }) => ({ place, schema }))
  return [
    ...named('request', request.body?.contents),
    ...(['path', 'query', 'headers', 'cookie'] as const).flatMap((place) =>
      named(place, request[place]),
    ),
    ...responses.flatMap(({ code, contents, headers }) => [
      ...named(code, contents),
      ...named(`headers of ${code}`, headers),
    ]),
  ]
}

type ProblemJsonError = {
  readonly fromTemplate: (template: object, detail: string) => Error
}

/** Returns errors as Left, which Prism sends as a response. An error that Prism throws for a request would not be caught. */
const guard = ({ prism }: PrismServer, problem: ProblemJsonError): void => {
  const { request } = prism
  prism.request =
    (...args) =>
    async () => {
      try {
        return await request(...args)()
      } catch (error) {
        const detail = `Prism cannot read the request: ${error instanceof Error ? error.message : error}`
        const title = 'The request cannot be read'
        const template = { type: 'UNREADABLE_REQUEST', title, status: 400 }
        return { _tag: 'Left', left: problem.fromTemplate(template, detail) }
      }
    }
}

const ignore = (): void => undefined

/** No log: Prism's violations are in the header `sl-violations`. */
const SILENT = {
  ...{ trace: ignore, debug: ignore, info: ignore, success: ignore },
  ...{ warn: ignore, error: ignore, fatal: ignore },
  child: () => SILENT,
}

const ask = async (
  address: string,
  { method, target, headers, body }: PrismRequest,
): Promise<ServerReply> => {
  const sent = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || HOP_BY_HOP.has(name) ? [] : [[name, String(value)]],
  )
  const response = await fetch(address + target, {
    method,
    headers: sent,
    redirect: 'manual',
    ...(body.length > 0 && method !== 'GET' && method !== 'HEAD' && { body: new Uint8Array(body) }),
  })
  const received = [...response.headers].filter(([name]) => !HOP_BY_HOP.has(name))
  const bytes = new Uint8Array(await response.arrayBuffer())
  return { status: response.status, headers: Object.fromEntries(received), body: bytes }
}

/** Hop-by-hop headers, and headers that are written again with the body. */
const HOP_BY_HOP = new Set([
  ...['connection', 'content-length', 'content-encoding', 'host', 'keep-alive'],
  ...['transfer-encoding', 'upgrade', 'expect'],
])
