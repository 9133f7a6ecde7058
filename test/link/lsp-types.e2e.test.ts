import { expect, it } from 'vitest'
import { emitAll } from '../../src/emit/emit.js'
import { lint } from '../../src/lint/lint.js'
import { diagnose } from '../emit/strictest.js'
import { readLsp, whyNoModel } from './lsp-model.js'

if (whyNoModel) console.warn(`test/link/lsp-types.e2e.test.ts: ${whyNoModel}`)

const USE = `import { createRpcClient, type RpcClient } from './rpc.client.js'
import type { RpcProgress } from './rpc.types.js'
import { createServer, notOffered } from './server.js'

export const rpc: RpcClient = createRpcClient({
  handlers: {
    textDocumentPublishDiagnostics: ({ diagnostics }) => console.log(diagnostics[0]?.range.start.line),
    workspaceConfiguration: async ({ items }, { signal, progress }) => {
      signal.throwIfAborted()
      await progress(1)
      return items.map(() => null)
    },
  },
})
const onProgress = (value: RpcProgress) => console.log(value)
const own = rpc.with({ signal: AbortSignal.timeout(5), onProgress })
const at = { textDocument: { uri: 'file:///a.ts' }, position: { line: 0, character: 4 } }
console.log((await own.textDocumentHover(at))?.contents)
await rpc.request({ method: 'textDocument/hover', params: at }, { onProgress })
// @ts-expect-error the values are those of the document
rpc.with({ onProgress: (value: Date) => value })
// @ts-expect-error a position is required
rpc.textDocumentHover({ textDocument: at.textDocument })

export const server = createServer({
  ...notOffered,
  textDocumentHover: async ({ position }, { signal, progress, peer }) => {
    await progress({ kind: 'begin', title: 'reading' })
    await peer?.with({ signal, onProgress }).call.workspaceConfiguration({ items: [] })
    await peer?.notify.windowLogMessage({ type: 3, message: String(position.line) })
    return { contents: 'a word' }
  },
})
`

it.skipIf(whyNoModel)(
  'all methods of LSP: no errors of lint, and what is generated compiles in strict TypeScript',
  async () => {
    const api = await readLsp()
    const methods = new Set([...api.operations, ...api.serverMethods].map(({ id }) => id))
    expect([methods.size, api.serverMethods.length, api.schemas.size]).toEqual([95, 22, 450])
    expect(lint(api).filter(({ level }) => level === 'error')).toEqual([])
    const files = emitAll(api, [], ['client', 'server'])
    const texts = new Map(files.map(({ name, text }) => [name, text]))
    expect(diagnose(new Map([...texts, ['use.ts', USE]]))).toEqual([])
  },
)
