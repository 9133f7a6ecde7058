import type { Api } from '../../model/api.js'
import { httpOperations, rpcOperations } from '../../model/operations.js'
import { createSampler } from '../../schema/readable.js'
import { goString, markdownBlock, markdownCode, markdownText } from '../../text/escape.js'
import type { File } from '../file.js'
import { firstCall } from '../languages/call-values.js'
import type { GoCalls } from './calls.js'
import { GO_HEADER } from './layout.js'

/** `go.mod` and `go.sum`. */
export const moduleFiles = (
  module: string,
  { needsRegexp2, needsSocket }: GoRequirements,
): readonly File[] => [
  {
    name: 'go.mod',
    text: `${GO_HEADER}

module ${module}

go 1.26.0

${requirementsText([
  ...(needsSocket ? ['github.com/coder/websocket v1.8.15'] : []),
  ...(needsRegexp2 ? ['github.com/dlclark/regexp2 v1.11.0'] : []),
  'github.com/santhosh-tekuri/jsonschema/v6 v6.0.3',
])}
require golang.org/x/text v0.14.0 // indirect
`,
  },
  { name: 'go.sum', text: SUMS },
]

/** What a module requires besides the validator. */
export type GoRequirements = {
  /** Of a document with patterns that package `regexp` cannot compile. */
  readonly needsRegexp2: boolean
  /** Of a document with servers of JSON-RPC over a WebSocket. */
  readonly needsSocket: boolean
}

const requirementsText = (all: readonly string[]): string =>
  all.length === 1
    ? `require ${all[0]}\n`
    : `require (\n${all.map((one) => `\t${one}\n`).join('')})\n`

const SUMS = `github.com/coder/websocket v1.8.15 h1:6B2JPeOGlpff2Uz6vOEH1Vzpi0iUz20A+lPVhPHtNUA=
github.com/coder/websocket v1.8.15/go.mod h1:NX3SzP+inril6yawo5CQXx8+fk145lPDC6pumgx0mVg=
github.com/dlclark/regexp2 v1.11.0 h1:G/nrcoOa7ZXlpoa/91N3X7mM3r8eIlMBBJZvsz/mxKI=
github.com/dlclark/regexp2 v1.11.0/go.mod h1:DHkYz0B9wPfa6wondMfaivmHpzrQ3v9q8cnmRbL6yW8=
github.com/santhosh-tekuri/jsonschema/v6 v6.0.3 h1:1EYB5IzjZawrrnELUi78f9fPu57HuXjmddZPjrls/28=
github.com/santhosh-tekuri/jsonschema/v6 v6.0.3/go.mod h1:JXeL+ps8p7/KNMjDQk3TCwPpBy0wYklyWTfbkIzdIFU=
golang.org/x/text v0.14.0 h1:ScX5w1eTa3QqT8oi6+ziP7dTV1S2+ALU0bI+0zXKWiQ=
golang.org/x/text v0.14.0/go.mod h1:18ZOQIKpY8NJVqYksKHtTdi31H5itFRjB5/qKTNYzSU=
`

/** `README.md`, with a first call whose arguments are examples of the document. */
export const goReadmeFile = (api: Api, calls: GoCalls): File => {
  const { name } = calls
  const http = httpOperations(api)
  const rpc = rpcOperations(api)
  const kind = http.length > 0 ? 'HTTP' : 'RPC'
  const makeUp = createSampler(api.schemas)
  const call = firstCall(http.length > 0 ? http : rpc, calls.callOf, makeUp, api.schemas)
  const imported = goImport(calls)
  const isEmpty = call?.returns === 'nothing'
  const code = `import ${imported}

client, err := ${name}.New${kind}Client("")
if err != nil {
	return err
}
${isEmpty ? 'err =' : 'result, err :='} client.${call?.text ?? 'Call(ctx)'}
if failed, ok := errors.AsType[*${name}.${kind}Error](err); ok {
	return fmt.Errorf("${kind === 'HTTP' ? '%d: %v", failed.Status, failed.Body' : '%d: %s", failed.Code, failed.Message'})
} else if err != nil {
	return err // such as a *${name}.CallError: there is no usable response
}${isEmpty ? '' : '\nreturn json.NewEncoder(os.Stdout).Encode(result)'}`
  const member = firstCall(rpc, calls.callOf, makeUp, api.schemas)
  const pending = member?.text.replace(/\(ctx(?:, )?/, '(')
  const batch =
    pending === undefined
      ? ''
      : `\n\nCalls of JSON-RPC are sent together by a batch, and matched by id:\n\n${markdownBlock('go', `${http.length > 0 ? `rpc, err := ${name}.NewRPCClient("")\nif err != nil {\n\treturn err\n}\n` : ''}batch := ${http.length > 0 ? 'rpc' : 'client'}.Batch()\npending := batch.${pending}\nif err := batch.Send(ctx); err != nil {\n\tlog.Print(err) // the errors of all calls, joined\n}\nresult, err := pending.Result()`)}`
  return {
    name: 'README.md',
    text: `<!-- ${GO_HEADER.slice(3)} -->

# ${markdownText(name)}

Clients of ${markdownText(api.title)}, ${markdownCode(api.version)}, for Go 1.26 and up.
${call === undefined ? '' : `\n${markdownBlock('go', code)}\n`}
${markdownCode('""')} is the first server of the document; a name of another, or an address, selects it. Proxies are read from the environment.${batch}
`,
  }
}

/** The import of a module, with its name where the path does not end with it. */
export const goImport = ({ module, name }: Pick<GoCalls, 'module' | 'name'>): string =>
  module.split('/').at(-1) === name ? goString(module) : `${name} ${goString(module)}`
