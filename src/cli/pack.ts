import { defineCommand } from 'citty'
import { documentsNamed } from './documents.js'
import { type ExitCode, type Io, UsageError, writeLine } from './io.js'
import { createProgress } from './progress.js'
import { writeTree } from './write-tree.js'

export const pack = defineCommand({
  meta: { name: 'pack', description: 'Makes an npm package of clients, types and server stubs' },
  args: {
    name: { type: 'string', valueHint: '@scope/name', description: 'What the package is called' },
    out: { type: 'string', valueHint: 'folder', description: 'Written whole or not at all' },
    openapi: { type: 'string', valueHint: 'file', description: 'The OpenAPI document, 3.0 or 3.1' },
    openrpc: { type: 'string', valueHint: 'file', description: 'The OpenRPC document, 1.2 to 1.4' },
  },
  run: async ({ args, data }): Promise<ExitCode> => {
    const io = data as Io
    const { name, out, openapi, openrpc } = args
    if (name === undefined || out === undefined) {
      throw new UsageError('twinspec pack: --name and --out say what is made, and where')
    }
    const paths = documentsNamed({ openapi, openrpc, arazzo: undefined })
    const progress = createProgress(io)
    const [{ loadApi }, { pack: packed }] = await Promise.all([
      import('../model/load.js'),
      import('../pack/pack.js'),
    ])
    const api = await loadApi(paths)
    const { files } = await packed(api, { name, tell: progress.tell })
    progress.end()
    await writeTree(out, files)
    writeLine(io.stderr, `packed ${files.length} files into ${out}`)
    return 0
  },
})
