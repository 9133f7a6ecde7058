/** A client of generated code that drives a language server. Prints what it saw, a line for each step. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { pathToFileURL } from 'node:url'
import { stdioLink } from 'twinspec/runtime/links/stdio'
import { createRpcClient, isCallError } from './generated/rpc.client.js'
import type { RpcServerMethods } from './generated/rpc.types.js'

type Diagnostics = RpcServerMethods['textDocument/publishDiagnostics']['params']

const [serverPath = '', tsserver = '', file = '', text = ''] = process.argv.slice(2)
const uri = pathToFileURL(file).href
const say = (step: string, value: unknown) => console.log(JSON.stringify([step, value]))

const child = spawn(process.execPath, [serverPath, '--stdio'], {
  stdio: ['pipe', 'pipe', 'inherit'],
})
const ended = once(child, 'exit')
const streams = { input: child.stdout, output: child.stdin }
const warnings: string[] = []
let receive: (diagnostics: Diagnostics) => void = () => undefined
const published = new Promise<Diagnostics>((resolve) => {
  receive = (one) => {
    if (one.diagnostics.length > 0) resolve(one)
  }
})
const requested: string[] = []
const began: unknown[] = []

const rpc = createRpcClient({
  link: stdioLink(streams, { framing: 'content-length' }),
  onWarning: ({ operation, message }) => warnings.push(`${operation} ${message}`),
  handlers: {
    textDocumentPublishDiagnostics: (params) => receive(params),
    windowLogMessage: () => undefined,
    windowWorkDoneProgressCreate: () => {
      requested.push('window/workDoneProgress/create')
      return null
    },
    progress: ({ value }) => {
      began.push(value)
    },
  },
})

const { capabilities } = await rpc.initialize({
  processId: process.pid,
  rootUri: null,
  capabilities: {
    window: { workDoneProgress: true },
    textDocument: {
      hover: { contentFormat: ['markdown', 'plaintext'] },
      publishDiagnostics: { relatedInformation: true },
    },
  },
  initializationOptions: { tsserver: { path: tsserver } },
})
say('initialize', capabilities.hoverProvider)
await rpc.notify('initialized', {})
await rpc.notify('textDocument/didOpen', {
  textDocument: { uri, languageId: 'typescript', version: 1, text },
})

const { diagnostics, uri: where } = await published
say('diagnostics', [
  where === uri,
  diagnostics.map(({ code, range, message }) => [code, range.start.line, message]),
])

const position = { line: 0, character: text.indexOf('answer') }
const hover = await rpc.textDocumentHover({ textDocument: { uri }, position })
say('hover', hover?.contents)

const stop = new AbortController()
const cancelled = rpc.with({ signal: stop.signal }).textDocumentReferences({
  textDocument: { uri },
  position,
  context: { includeDeclaration: true },
})
setImmediate(() => stop.abort())
say(
  'cancel',
  await cancelled.then(
    () => 'it had a result',
    (error: unknown) => isCallError(error, 'aborted') && error.reason,
  ),
)
const again = await rpc.textDocumentReferences({
  textDocument: { uri },
  position,
  context: { includeDeclaration: true },
})
say('references', again?.length)
say('progress', [requested[0], Object(began[0]).kind])
say('shutdown', await rpc.shutdown())
await rpc.notify('exit')
say('exit', (await ended)[0])
say('warnings', warnings)
