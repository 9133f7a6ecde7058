import type { Api, Operation } from '../../model/api.js'
import { httpOperations, rpcOperations } from '../../model/operations.js'
import { createSampler, type Sampler } from '../../schema/readable.js'
import { markdownBlock, markdownCode, markdownText } from '../../text/escape.js'
import type { File } from '../file.js'
import { callValuesOf } from '../languages/call-values.js'
import { createPythonCalls, type PythonCall, type PythonCalls } from './calls.js'
import { PYTHON_HEADER, pythonIndented } from './layout.js'
import type { Types } from './types.js'

/** `README.md` of a package: how to install it, and a first call whose arguments are examples of the document. */
export const pythonReadmeFile = (
  api: Api,
  { name, module }: { readonly name: string; readonly module: string },
  types: Types,
): File => {
  const makeUp = createSampler(api.schemas)
  const written = createPythonCalls(api, types)
  const calls = [
    callOf(httpOperations(api), written, makeUp),
    callOf(rpcOperations(api), written, makeUp),
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

const firstCall = (
  module: string,
  client: string,
  error: string,
  shown: string,
  call: PythonCall,
): string =>
  markdownBlock(
    'python',
    `from ${module} import CallError, ${error}, ${client}

with ${client}() as client:  # a name of a server, or an address
    try:
${pythonIndented(pythonIndented(call.returns === 'nothing' ? `client.${call.text}` : `print(client.${call.text})`))}
    except ${error} as error:  # the service responded with an error
        print(${shown})
    except CallError as error:  # there is no usable response
        print(error.reason, error.issues)`,
  )

const batchSection = (module: string, { text }: PythonCall): string =>
  `Calls of JSON-RPC are sent together by a batch, and matched by id. Each has its own result or error:

${markdownBlock(
  'python',
  `from ${module} import RpcClient

with RpcClient() as client:
    with client.batch() as batch:
        first = batch.${text}
        second = batch.${text}
    print(first.result(), second.error())`,
)}`

/** A call of the operation with the fewest arguments that can be shown. */
const callOf = (
  operations: readonly Operation[],
  calls: PythonCalls,
  makeUp: Sampler,
): PythonCall | undefined =>
  operations
    .flatMap((operation) => {
      const isUnfit = operation.access === 'key' || operation.deprecated
      const values = isUnfit ? undefined : callValuesOf(operation, makeUp)
      const call = values && calls.callOf(operation, values)
      if (call === undefined || call.returns === 'stream') return []
      const isRead = operation.kind === 'http' ? operation.method === 'GET' : operation.idempotent
      return [{ call, rank: (isRead ? 0 : 10_000) + call.text.length - call.text.indexOf('(') }]
    })
    .sort((a, b) => a.rank - b.rank)[0]?.call
