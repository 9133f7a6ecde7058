import type { Api, HttpOperation, Operation, RpcOperation } from '../../model/api.js'
import { httpOperations, rpcOperations } from '../../model/operations.js'
import { sampleParams, sampleRequest } from '../../model/sample-request.js'
import { createSampler, type Sampler } from '../../schema/readable.js'
import { markdownBlock, markdownCode, markdownText, pythonString } from '../../text/escape.js'
import type { File } from '../file.js'
import { type Argument, httpArguments, rpcArguments } from './arguments.js'
import { pythonNamesOf } from './clients.js'
import { PYTHON_HEADER, pythonIndented } from './layout.js'
import type { Types } from './types.js'

/** `README.md` of a package: how to install it, and a first call whose arguments are examples of the document. */
export const pythonReadmeFile = (
  api: Api,
  { name, module }: { readonly name: string; readonly module: string },
  types: Types,
): File => {
  const makeUp = createSampler(api.schemas)
  const calls = [
    callOf(httpOperations(api), types, (one) => httpValues(one, makeUp)),
    callOf(rpcOperations(api), types, (one) => rpcValues(one, makeUp)),
  ]
  const [http, rpc] = calls
  const sections = [
    `# ${markdownText(name)}`,
    `Clients of ${markdownText(api.title)}, ${markdownCode(api.version)}, for Python 3.11 and up.`,
    markdownBlock('sh', 'pip install .'),
    ...(http
      ? [firstCall(module, 'HttpClient', 'HttpError', 'error.status, error.body', http)]
      : []),
    ...(rpc ? [firstCall(module, 'RpcClient', 'RpcError', 'error.code, error.message', rpc)] : []),
    `Async clients have the same functions to await. Types of responses are in ${markdownCode(`${module}.types`)}, those of arguments in
${markdownCode(`${module}.inputs`)}, and the errors of each operation in ${markdownCode(`${module}.errors`)}. Secrets never appear in an error or a log.`,
    ...(rpc ? [batchSection(module, rpc)] : []),
  ]
  return {
    name: 'README.md',
    text: `<!-- ${PYTHON_HEADER.slice(2)} -->\n\n${sections.join('\n\n')}\n`,
  }
}

type Call = { readonly name: string; readonly args: string }

const firstCall = (
  module: string,
  client: string,
  error: string,
  shown: string,
  call: Call,
): string =>
  markdownBlock(
    'python',
    `from ${module} import CallError, ${error}, ${client}

with ${client}() as client:  # a name of a server, or an address
    try:
${pythonIndented(pythonIndented(`print(client.${call.name}(${call.args}))`))}
    except ${error} as error:  # the service responded with an error
        print(${shown})
    except CallError as error:  # there is no usable response
        print(error.reason, error.issues)`,
  )

const batchSection = (module: string, { name, args }: Call): string =>
  `Calls of JSON-RPC are sent together by a batch, and matched by id. Each has its own result or error:

${markdownBlock(
  'python',
  `from ${module} import RpcClient

with RpcClient() as client:
    with client.batch() as batch:
        first = batch.${name}(${args})
        second = batch.${name}(${args})
    print(first.result(), second.error())`,
)}`

/** A call of the operation with the fewest arguments that can be shown. */
const callOf = <One extends Operation>(
  operations: readonly One[],
  types: Types,
  valuesOf: (operation: One) => ReadonlyMap<string, unknown> | undefined,
): Call | undefined => {
  const names = pythonNamesOf(operations)
  const calls = operations.flatMap((operation) => {
    const values = operation.access === 'key' ? undefined : valuesOf(operation)
    const args = argumentsOf(operation, types)
    const isWhole = args.every(({ usual, slot }) => usual !== undefined || values?.has(slot))
    const isRead = operation.kind === 'http' ? operation.method === 'GET' : operation.idempotent
    if (values === undefined || !isWhole || operation.deprecated) return []
    const shown = args.filter(({ usual, slot }) => usual === undefined && values.has(slot))
    const texts = shown.map((one) => {
      const text = pythonValue(values.get(one.slot))
      return one.isPositional ? text : `${one.name}=${text}`
    })
    const call = { name: names.get(operation.id) ?? operation.id, args: texts.join(', ') }
    return [{ call, rank: (isRead ? 0 : 10_000) + call.args.length }]
  })
  return calls.sort((a, b) => a.rank - b.rank)[0]?.call
}

/** Positions of params are slots here. */
const argumentsOf = (operation: Operation, types: Types): readonly Argument[] =>
  operation.kind === 'http'
    ? httpArguments(operation, { types })
    : rpcArguments(operation, types).map((one, at) => ({ ...one, slot: String(at) }))

const httpValues = (
  called: HttpOperation,
  makeUp: Sampler,
): ReadonlyMap<string, unknown> | undefined => {
  if (called.variants.length > 0) return undefined
  const { operation, sent, files } = sampleRequest(called, makeUp)
  if (files.length > 0) return undefined
  const values = new Map<string, unknown>()
  for (const { in: place, name, examples } of operation.parameters)
    if (examples[0] !== undefined) values.set(`${place}.${name}`, examples[0].value)
  if (sent === undefined) return values
  values.set('body', sent.example.value)
  for (const [name, value] of Object.entries(Object(sent.example.value))) {
    values.set(`body.${name}`, value)
    values.set(`null.${name}`, value)
  }
  return values
}

const rpcValues = (
  operation: RpcOperation,
  makeUp: Sampler,
): ReadonlyMap<string, unknown> | undefined => {
  const shown = operation.examples.find(({ outcome }) => outcome.kind !== 'error')
  const chosen = shown ?? sampleParams(operation, makeUp)
  const { params = [], namedParams = {} } = chosen ?? {}
  const found = operation.params.flatMap(({ name }, at) => {
    const value = params.length > 0 ? params[at] : namedParams[name]
    return value === undefined ? [] : [[String(at), value] as const]
  })
  return chosen && new Map(found)
}

/** A value as a literal of Python. */
const pythonValue = (value: unknown): string => {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return pythonString(value)
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`
  if (typeof value !== 'object') return String(value)
  const members = Object.entries(value).map(
    ([key, one]) => `${pythonString(key)}: ${pythonValue(one)}`,
  )
  return `{${members.join(', ')}}`
}
