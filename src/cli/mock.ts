import { defineCommand } from 'citty'
import type { Api } from '../model/api.js'
import type { FileTree } from '../model/file-tree.js'
import type { ApiFiles } from '../model/load.js'
import { diskAllowing, documentFlags, documentsGiven } from './documents.js'
import { type ExitCode, ended, type Io, UsageError, writeLine, writeStyled } from './io.js'
import { createProgress } from './progress.js'

export const mock = defineCommand({
  meta: {
    name: 'mock',
    description: 'Serves the examples of documents, over HTTP and JSON-RPC, at one address',
  },
  args: {
    documents: {
      type: 'positional',
      required: false,
      description:
        'OpenAPI and OpenRPC files, or the folder they are in; spec/ where none is named',
    },
    ...documentFlags,
    port: {
      type: 'string',
      valueHint: 'number',
      default: '4010',
      description: '0 takes a free one',
    },
    host: { type: 'string', valueHint: 'name', default: '127.0.0.1', description: 'Who may call' },
    docs: {
      type: 'boolean',
      description: 'Shows the reference at /docs/, where every call can be tried on the mock',
    },
  },
  run: ({ args, data }) => {
    const { _, openapi, openrpc, port, host, docs } = args
    const tree = diskAllowing(args['allow-outside'])
    const options = { port: portOf(port), host, docs: docs === true, tree }
    return serve(documentsGiven(_, { openapi, openrpc }), options, data as Io)
  },
})

/** A person wants a line or two to try, not all of a large service. */
const SHOWN = 6

const portOf = (text: string): number => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw new UsageError(`twinspec mock: --port must be a number from 0 to 65535, not ${text}`)
}

type Served = {
  readonly port: number
  readonly host: string
  readonly docs: boolean
  readonly tree: FileTree
}

const serve = async (
  files: ApiFiles,
  { port, host, docs, tree }: Served,
  io: Io,
): Promise<ExitCode> => {
  const { stdout, interrupted } = io
  const [{ loadApi }, { projectRpc }, { startMock }, { curlLines }] = await Promise.all([
    import('../model/load.js'),
    import('../emit/projection.js'),
    import('../mock/mock.js'),
    import('../mock/curl.js'),
  ])
  const api = await loadApi(files, tree)
  const projection = api.rpc && projectRpc(api)
  const onLog = (line: string) => writeLine(stdout, line)
  // Asked for before anything runs: an end in the middle of starting must stop it too.
  const signal = interrupted()
  const site = docs ? await siteOf(api) : undefined
  const options = { port, host, onLog, site }
  const progress = createProgress(io)
  const begun = io.now()
  const seconds = () => Math.round((io.now() - begun) / 1000)
  const count = api.operations.length
  const telling = setInterval(
    () => progress.tell(`Prism reads ${count} operations and methods, ${seconds()} s`),
    1000,
  )
  const started = await startMock(api, projection, options)
    .catch((cause: Error) => {
      if (cause.name !== 'MockError') throw cause
      throw new UsageError(cause.message.split('\n'), { cause })
    })
    .finally(() => {
      clearInterval(telling)
      progress.end()
    })
  try {
    if (started.httpUrl !== undefined) writeLine(stdout, `HTTP      ${started.httpUrl}`)
    if (started.rpcUrl !== undefined) writeLine(stdout, `JSON-RPC  ${started.rpcUrl}`)
    if (docs) writeLine(stdout, `Docs      ${started.url}/docs/`)
    const lines = curlLines(api, started)
    // They have no control characters, and a line feed in a body has to stay: to the shell it is part of a word.
    for (const line of lines.slice(0, SHOWN)) writeStyled(stdout, line)
    if (lines.length > SHOWN) writeLine(stdout, `… and ${lines.length - SHOWN} operations more`)
    writeLine(stdout, 'Ctrl-C ends it.')
    await ended(signal)
  } finally {
    await started.stop()
  }
  return 0
}

const siteOf = async (api: Api) => {
  const { writeDocs } = await import('../docs/docs.js')
  return () => writeDocs(api, { server: 'origin' })
}
