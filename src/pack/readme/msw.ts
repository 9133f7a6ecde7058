import { string } from '../../emit/file.js'
import type { Api, HttpOperation } from '../../model/api.js'
import { isJson } from '../../runtime/shared/media-type.js'
import { type Checker, createChecker } from '../../schema/check.js'
import { bodyExamples, type Call, saying } from './calls.js'
import type { Chosen, ShownMethod } from './choose.js'
import { isAbsolute, neededAuth, usualServer } from './place.js'
import { importing, section, snippet } from './section.js'

/** Tests of a front end, without a server; with a call that the documents' examples answer, where there is one. */
export const msw = (api: Api, name: string, chosen: Chosen): readonly string[] => {
  const kinds = (['http', 'rpc'] as const).filter((kind) => api[kind])
  const protocols = kinds.map((kind) => (kind === 'http' ? 'HTTP' : 'JSON-RPC')).join(' and ')
  const called = answeredCall(api, chosen)
  const relative = kinds.filter((kind) => {
    const first = api[kind]?.servers[0]
    return first && !isAbsolute(first)
  })
  const places = relative.map((kind) => `${kind}: ${string(usualServer(api, kind))}`).join(', ')
  const handlers = `createHandlers(${places === '' ? '' : `{ server: { ${places} } }`})`
  const create = called?.kind === 'rpc' ? 'createRpcClient' : 'createHttpClient'
  return [
    section(
      'MSW',
      `Handlers for ${protocols}, which answer by the examples of the documents unless a test says otherwise, by ${'`overrides`'}; what has neither is answered with an error that says so.`,
      snippet(
        importing('createHandlers', `${name}/msw`),
        ...(called ? [importing(create, `${name}/${called.kind}`)] : []),
        importing('setupServer', 'msw/node'),
        '',
        `const mocked = setupServer(...${handlers})`,
        `mocked.listen({ onUnhandledRequest: 'error' })`,
        ...(called ? callOf(api, create, called) : ['// What your tests do.']),
        'mocked.close()',
      ),
    ),
  ]
}

type Called =
  | { readonly kind: 'rpc'; readonly call: ShownMethod }
  | { readonly kind: 'http'; readonly call: Call<HttpOperation> }

const callOf = (api: Api, create: string, { kind, call }: Called): readonly string[] => {
  const auth = neededAuth(api, kind, kind === 'http' ? [call.operation] : [])
  const server = string(usualServer(api, kind))
  return [
    `const client = ${create}({ server: ${server}${auth === undefined ? '' : `, auth: ${auth}`} })`,
    ...saying(call),
    `console.log(await client.${call.operation.id}(${call.args}))`,
  ]
}

const answeredCall = (api: Api, { methods, operations }: Chosen): Called | undefined => {
  const checker = createChecker(api.schemas)
  const method = methods.find(
    ({ operation, example }) =>
      example?.outcome.kind === 'result' &&
      checker.schema(operation.result.schema).check(example.outcome.value),
  )
  if (method) return { kind: 'rpc', call: method }
  const usual = api.http?.servers[0]?.url
  const operation = operations.find(
    (one) => one.operation.servers[0]?.url === usual && isAnswered(one.operation, checker),
  )
  return operation && { kind: 'http', call: operation }
}

/** Whether the handlers have an answer of success for it, whichever example they choose, and a client takes that. */
const isAnswered = (operation: HttpOperation, checker: Checker): boolean => {
  const answers = operation.responses.flatMap(({ status, headers, content }) =>
    content.flatMap(({ type, schema, examples }) =>
      examples.map(({ name, value }) => ({
        name,
        isSuccess: /^2/.test(status),
        isRight:
          isJson(type) &&
          !headers.some(({ required }) => required) &&
          checker.schema(schema).check(value),
      })),
    ),
  )
  const successes = answers.filter(({ isSuccess }) => isSuccess)
  const names = new Set(successes.map(({ name }) => name))
  // An example of a request is answered by the one of the same name.
  const asked = [
    ...bodyExamples(operation),
    ...operation.parameters.flatMap(({ examples }) => examples),
  ]
  const isRefused = asked.some(
    ({ name }) => !names.has(name) && answers.some((one) => one.name === name),
  )
  return successes.length > 0 && successes.every(({ isRight }) => isRight) && !isRefused
}
