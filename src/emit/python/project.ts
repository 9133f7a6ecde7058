import type { Api, HttpOperation, Operation } from '../../model/api.js'
import { jsonText, markdownBlock, markdownCode, markdownText } from '../../text/escape.js'
import type { File } from '../file.js'
import { namesOf } from './clients.js'
import { HEADER } from './layout.js'

type About = {
  readonly name: string
  /** The package that programs import. */
  readonly module: string
  readonly version?: string | undefined
  readonly license?: string | undefined
}

/** `pyproject.toml`. */
export const projectFile = (
  api: Api,
  { name, module, version = '0.1.0', license }: About,
): File => ({
  name: 'pyproject.toml',
  text: `${HEADER}
[build-system]
requires = ["hatchling>=1.27"]
build-backend = "hatchling.build"

[project]
name = ${jsonText(name)}
version = ${jsonText(version)}
description = ${jsonText(`Clients of ${api.title}`)}
readme = "README.md"
requires-python = ">=3.11"
${license === undefined ? '' : `license = ${jsonText(license)}\n`}dependencies = ["httpx2>=2.12,<3", "jsonschema-rs>=0.60,<1"]

[tool.hatch.build.targets.wheel]
packages = [${jsonText(`src/${module}`)}]
`,
})

/** `README.md`, with a first call. */
export const readmeFile = (
  api: Api,
  { name, module }: About,
  { hasHttp, hasRpc }: { readonly hasHttp: boolean; readonly hasRpc: boolean },
): File => {
  const client = hasHttp ? 'HttpClient' : 'RpcClient'
  const kind = hasHttp ? 'http' : 'rpc'
  const first = firstCall(api, kind)
  const call = first === undefined ? '' : `\n    print(client.${first})`
  const code = `from ${module} import CallError, ${hasHttp ? 'HttpError, ' : ''}${client}${hasHttp ? '' : ', RpcError'}

with ${client}() as client:
    try:${call.replace('\n    ', '\n        ')}${call === '' ? '\n        pass' : ''}
    except ${hasHttp ? 'HttpError' : 'RpcError'} as error:
        print(${hasHttp ? 'error.status, error.body' : 'error.code, error.message'})
    except CallError as error:
        print(error.reason, error.issues)`
  const batch = hasRpc
    ? `\n\nCalls of JSON-RPC are sent together by a batch, and matched by id:\n\n${markdownBlock('python', `with RpcClient() as rpc, rpc.batch() as batch:\n    first = batch.${[...namesOf(api.operations.filter((one) => one.kind === 'rpc')).values()][0] ?? ''}(…)\n\nprint(first.result())`)}`
    : ''
  return {
    name: 'README.md',
    text: `<!-- ${HEADER.slice(2)} -->

# ${markdownText(name)}

Clients of ${markdownText(api.title)}, ${markdownCode(api.version)}, for Python 3.11 and up. They need httpx2 and jsonschema-rs.

${markdownBlock('sh', 'pip install .')}

${markdownBlock('python', code)}

${markdownCode(`Async${client}`)} has the same functions to await. Types of responses are in ${markdownCode(`${module}.types`)}, types of arguments in ${markdownCode(`${module}.inputs`)},
errors of each operation in ${markdownCode(`${module}.errors`)}.${batch}
`,
  }
}

/** A call without arguments, if an operation needs none; else the name of the first operation. */
const firstCall = (api: Api, kind: Operation['kind']): string | undefined => {
  const operations = api.operations.filter((one) => one.kind === kind)
  const names = namesOf(operations)
  const easy = operations.find(
    (one) =>
      (one.kind === 'rpc' && one.params.every(({ required }) => !required)) ||
      (one.kind === 'http' && isEasy(one)),
  )
  const chosen = easy ?? operations[0]
  return chosen && `${names.get(chosen.id)}(${easy ? '' : '…'})`
}

const isEasy = ({ method, parameters, body }: HttpOperation): boolean =>
  method === 'GET' &&
  body === undefined &&
  parameters.every(({ required, secret }) => !required || secret)
