import type { Api, HttpOperation, RpcOperation } from '../../model/api.js'
import { httpOperations, rpcOperations } from '../../model/operations.js'
import { isSuccessKey } from '../../runtime/wire/status.js'
import { jsonText, markdownBlock, markdownCode, markdownText } from '../../text/escape.js'
import type { File } from '../file.js'
import { goNamesOf } from './clients.js'
import { GO_HEADER } from './layout.js'

/** `go.mod` and `go.sum`. */
export const moduleFiles = (module: string, needsRegexp2: boolean): readonly File[] => [
  {
    name: 'go.mod',
    text: `${GO_HEADER}

module ${module}

go 1.26.0

${
  needsRegexp2
    ? `require (
	github.com/dlclark/regexp2 v1.11.0
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
)
`
    : 'require github.com/santhosh-tekuri/jsonschema/v6 v6.0.3\n'
}
require golang.org/x/text v0.14.0 // indirect
`,
  },
  { name: 'go.sum', text: SUMS },
]

const SUMS = `github.com/dlclark/regexp2 v1.11.0 h1:G/nrcoOa7ZXlpoa/91N3X7mM3r8eIlMBBJZvsz/mxKI=
github.com/dlclark/regexp2 v1.11.0/go.mod h1:DHkYz0B9wPfa6wondMfaivmHpzrQ3v9q8cnmRbL6yW8=
github.com/santhosh-tekuri/jsonschema/v6 v6.0.3 h1:1EYB5IzjZawrrnELUi78f9fPu57HuXjmddZPjrls/28=
github.com/santhosh-tekuri/jsonschema/v6 v6.0.3/go.mod h1:JXeL+ps8p7/KNMjDQk3TCwPpBy0wYklyWTfbkIzdIFU=
golang.org/x/text v0.14.0 h1:ScX5w1eTa3QqT8oi6+ziP7dTV1S2+ALU0bI+0zXKWiQ=
golang.org/x/text v0.14.0/go.mod h1:18ZOQIKpY8NJVqYksKHtTdi31H5itFRjB5/qKTNYzSU=
`

/** `README.md`, with a first call. */
export const goReadmeFile = (api: Api, module: string, name: string): File => {
  const http = httpOperations(api)
  const rpc = rpcOperations(api)
  const kind = http.length > 0 ? 'HTTP' : 'RPC'
  const operations = http.length > 0 ? http : rpc
  const names = goNamesOf(operations)
  const easy = operations.find(isEasy)
  const chosen = easy ?? operations[0]
  const call = chosen && `client.${names.get(chosen.id)}(ctx${easy ? '' : ', …'})`
  const code = `import ${name} ${jsonText(module)}

client, err := ${name}.New${kind}Client("")
if err != nil {
	return err
}
result, err := ${call ?? ''}
if failed, ok := errors.AsType[*${name}.${kind}Error](err); ok {
	return fmt.Errorf("${kind === 'HTTP' ? '%d: %v", failed.Status, failed.Body' : '%d: %s", failed.Code, failed.Message'})
} else if err != nil {
	return err // *${name}.CallError: there is no usable response
}
fmt.Println(result)`
  const [first] = goNamesOf(rpc).values()
  const batch =
    first === undefined
      ? ''
      : `\n\nCalls of JSON-RPC are sent together by a batch, and matched by id:\n\n${markdownBlock('go', `batch := client.Batch()\npending := batch.${first}(…)\nif err := batch.Send(ctx); err != nil {\n\tlog.Print(err) // the errors of all calls, joined\n}\nresult, err := pending.Result()`)}`
  return {
    name: 'README.md',
    text: `<!-- ${GO_HEADER.slice(3)} -->

# ${markdownText(name)}

Clients of ${markdownText(api.title)}, ${markdownCode(api.version)}, for Go 1.26 and up.

${markdownBlock('go', code)}

${markdownCode('""')} is the first server of the document; a name of another, or an address, selects it. Proxies are read from the environment.${batch}
`,
  }
}

/** Whether a call needs no arguments. */
const isEasy = (one: HttpOperation | RpcOperation): boolean =>
  one.kind === 'rpc'
    ? one.params.length === 0 && !one.isNotification
    : one.method === 'GET' &&
      one.body === undefined &&
      one.parameters.every(({ secret }) => secret) &&
      one.responses.some(({ status, content }) => isSuccessKey(status) && content.length > 0)
