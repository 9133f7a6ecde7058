import { string } from '../../emit/file.js'
import type { Api, HttpOperation } from '../../model/api.js'
import { markdownCode } from '../../model/escape.js'
import type { Call } from './calls.js'
import { rpcArgs, saying } from './calls.js'
import { type Chosen, refusalOf, type ShownMethod } from './choose.js'
import { optionsOf, ownAddress, VARIABLES } from './place.js'
import { importing, section, snippet } from './section.js'

/** The first calls by each client, and what they throw. */
export const firstCalls = (api: Api, name: string, chosen: Chosen): readonly string[] => {
  const [method] = chosen.methods
  const [operation] = chosen.operations
  const parts = [
    ...(method ? [firstMethod(api, name, method)] : []),
    ...(operation ? [firstOperation(api, name, operation)] : []),
  ]
  if (parts.length === 0) return []
  const kinds = (['http', 'rpc'] as const).filter((kind) => (kind === 'rpc' ? method : operation))
  return [section('A first call', ...parts, ownAddresses(api, kinds))]
}

const ownAddresses = (api: Api, kinds: readonly ('http' | 'rpc')[]): string => {
  const given = kinds.map((kind) => `${VARIABLES[kind]}=${ownAddress(api, kind)}`)
  const holes = new Set(given.flatMap((one) => one.match(/\{[^{}]+\}/g) ?? []))
  const filled = [...holes].map((hole) => ` Put your own value in place of ${markdownCode(hole)}.`)
  return `An address of your own goes into the variable of the environment that the code names, with its path, or is written there:
${given.map(markdownCode).join(', ')}.${filled.join('')} What cannot be
right is not sent, and an answer that breaks its schema is a \`CallError\` that says every fault of it.`
}

const firstMethod = (api: Api, name: string, method: ShownMethod): string =>
  snippet(
    importing('createRpcClient', `${name}/rpc`),
    '',
    `const rpc = createRpcClient(${optionsOf(api, 'rpc')})`,
    ...saying(method),
    `console.log(await rpc.${method.operation.id}(${method.args}))`,
  )

const firstOperation = (api: Api, name: string, shown: Call<HttpOperation>): string => {
  const { operation, args } = shown
  const status = refusedWith(operation)
  const client = `const http = createHttpClient(${optionsOf(api, 'http', [operation])})`
  const call = `console.log(await http.${operation.id}(${args}))`
  if (status === undefined) {
    return snippet(
      importing('createHttpClient', `${name}/http`),
      '',
      client,
      ...saying(shown),
      call,
    )
  }
  return snippet(
    importing('createHttpClient, isHttpError', `${name}/http`),
    '',
    client,
    ...saying(shown),
    'try {',
    indented(call),
    '} catch (error) {',
    `  if (isHttpError(error, ${string(operation.id)}, ${status})) console.error(error.body)`,
    '  else throw error',
    '}',
  )
}

/** The refusal that a caller is likeliest to meet: 404, then the first that has a body of JSON. */
const refusedWith = ({ responses }: HttpOperation): string | undefined => {
  const refusals = responses.filter(
    ({ status, content }) =>
      /^4\d\d$/.test(status) && content.some(({ type }) => /^application\/json\b/i.test(type)),
  )
  return (refusals.find(({ status }) => status === '404') ?? refusals[0])?.status
}

/** What a method is refused with, by its code. */
export const rpcRefusals = (api: Api, name: string, { refusal }: Chosen): readonly string[] => {
  const example = refusal && refusalOf(refusal.operation)
  if (!refusal || example?.outcome.kind !== 'error') return []
  const { operation } = refusal
  const { code: number } = example.outcome.error
  return [
    section(
      'Refusals by their code',
      `What a service refuses is an error with its code, its message and its data: here what ${markdownCode(operation.method)} may be refused with.`,
      snippet(
        importing('createRpcClient, isRpcError', `${name}/rpc`),
        '',
        `const rpc = createRpcClient(${optionsOf(api, 'rpc')})`,
        'try {',
        indented(`console.log(await rpc.${operation.id}(${rpcArgs(operation, example)}))`),
        '} catch (error) {',
        `  if (isRpcError(error, ${number})) console.error(error.message, error.data)`,
        '  else throw error',
        '}',
      ),
    ),
  ]
}

/** Several methods in one request. */
export const batches = (api: Api, name: string, { methods }: Chosen): readonly string[] => {
  const [first, ...others] = methods.filter(({ operation }) => operation.idempotent)
  if (!first) return []
  // What is made up is beside nothing that is shown.
  const like = others.filter(({ isMadeUp }) => isMadeUp === first.isMadeUp)
  const reads = [first, ...like].slice(0, MOST_IN_BATCH)
  const calls = (reads.length > 1 ? reads : [first, first]).map(
    ({ operation, args }) => `b.${operation.id}(${args})`,
  )
  const limit = api.rpc?.limits.batchSize
  const split = limit === undefined ? '' : ` More than ${limit} are sent in several requests.`
  return [
    section(
      'Batches',
      `One request on the wire; each promise settles by itself, and no caller is given the answer of another.${split} \`batch: 'auto'\` sends what is called in one turn together.`,
      snippet(
        importing('createRpcClient', `${name}/rpc`),
        '',
        `const rpc = createRpcClient(${optionsOf(api, 'rpc')})`,
        ...saying(first),
        `console.log(`,
        `  await rpc.batch((b) =>`,
        `    Promise.all([`,
        ...calls.map((call) => `${indented(indented(indented(call)))},`),
        `    ]),`,
        `  ),`,
        `)`,
      ),
    ),
  ]
}

const MOST_IN_BATCH = 3

/** A method by itself, and nothing else of the client. */
export const oneMethod = (api: Api, name: string, { methods }: Chosen): readonly string[] => {
  const [method] = methods
  if (!method) return []
  const { id } = method.operation
  return [
    section(
      'One method alone',
      'A bundle contains the methods that are imported, and no other.',
      snippet(
        importing(`createRpcConnection, ${id}`, `${name}/rpc/methods`),
        '',
        `const rpc = createRpcConnection(${optionsOf(api, 'rpc')})`,
        ...saying(method),
        `console.log(await ${id}(${['rpc', method.args].filter(Boolean).join(', ')}))`,
      ),
    ),
  ]
}

export const indented = (text: string): string => text.replace(/^(?=.)/gm, '  ')
