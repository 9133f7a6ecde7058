import type { Api } from '../../model/api.js'
import { httpOperations, rpcOperations } from '../../model/operations.js'
import { speaksOverSockets } from '../../model/sockets.js'
import { createSampler } from '../../schema/readable.js'
import { markdownBlock, markdownCode, markdownText } from '../../text/escape.js'
import type { File } from '../file.js'
import { firstCall } from '../languages/call-values.js'
import { createPythonCalls, type PythonCall } from './calls.js'
import { CLIENT_OPTIONS, credentialArguments } from './client-module.js'
import { httpCredentials, pythonNamesOf, rpcCredentials } from './clients.js'
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
    firstCall(httpOperations(api), written.callOf, makeUp, api.schemas),
    firstCall(rpcOperations(api), written.callOf, makeUp, api.schemas),
  ]
  const [http, rpc] = calls
  const sections = [
    `# ${markdownText(name)}`,
    `Clients of ${markdownText(api.title)}, ${markdownCode(api.version)}, for Python 3.11 and up.`,
    markdownBlock('sh', speaksOverSockets(api) ? "pip install '.[websocket]'" : 'pip install .'),
    ...(http
      ? [callSection(module, 'HttpClient', 'HttpError', 'error.status, error.body', http)]
      : []),
    ...(rpc
      ? [callSection(module, 'RpcClient', 'RpcError', 'error.code, error.message', rpc)]
      : []),
    ...optionsSection(api),
    `Async clients have the same functions to await: ${markdownCode(`async with Async${http ? 'Http' : 'Rpc'}Client() as client`)}. Types of responses are in ${markdownCode(`${module}.types`)}, those of arguments in
${markdownCode(`${module}.inputs`)}, and the errors of each operation in ${markdownCode(`${module}.errors`)}. Secrets never appear in an error or a log.`,
    ...(rpc ? [batchSection(module, rpc)] : []),
  ]
  return {
    name: 'README.md',
    text: `<!-- ${PYTHON_HEADER.slice(2)} -->\n\n${sections.join('\n\n')}\n`,
  }
}

/** How a client is made: its server, its credentials and its options; polls and async clients. */
const optionsSection = (api: Api): readonly string[] => {
  const operations = httpOperations(api)
  const client = operations.length > 0 ? 'HttpClient' : 'RpcClient'
  const credentials = [
    ...new Set(
      [httpCredentials(api), rpcCredentials(api)]
        .flatMap(credentialArguments)
        .map(({ argument, isBasic }) =>
          markdownCode(isBasic ? `${argument}=(user, password)` : `${argument}=text`),
        ),
    ),
  ]
  const names = pythonNamesOf(operations)
  const polls = operations.flatMap(({ id, poll }) =>
    poll === undefined ? [] : [markdownCode(`${names.get(id)}_poll`)],
  )
  return [
    `A client takes the name of a server or an address: ${markdownCode(`${client}("http://127.0.0.1:4010")`)}.`,
    ...(credentials.length > 0
      ? [
          `Credentials are arguments too: ${credentials.join(', ')}. Instead of a value, a function that returns it is called for every call.`,
        ]
      : []),
    [
      'All other arguments are options. `client.with_options(…)` is the same client with other values of the first five.',
      '',
      '| option | meaning |',
      '| --- | --- |',
      ...CLIENT_OPTIONS.map(
        ([name, meaning]) => `| ${name.replaceAll(/\w+/g, '`$&`')} | ${meaning} |`,
      ),
    ].join('\n'),
    ...(polls.length > 0
      ? [
          `${polls.join(', ')} ${polls.length > 1 ? 'repeat their calls' : 'repeats its call'} until the record is final, and yields each change: ${markdownCode(`for record in client.${names.get(operations.find((one) => one.poll)?.id ?? '')}_poll(…, timeout=120)`)}.`,
        ]
      : []),
  ]
}

const callSection = (
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
