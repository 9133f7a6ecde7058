import type { Api } from '../model/api.js'
import type { FileTree } from '../read/file-tree.js'
import type { ApiFiles } from '../read/load.js'
import { framed } from '../report/framed.js'
import { findingLine } from '../report/text.js'
import { openDocuments } from './documents.js'
import type { Args } from './flags.js'
import {
  type ExitCode,
  ended,
  type Io,
  isColoured,
  type Progress,
  UsageError,
  withProgress,
  writeLine,
  writeStyled,
} from './io.js'
import { readApi } from './read-api.js'

export const mock = async (
  args: Args<'mock'>,
  words: readonly string[],
  io: Io,
): Promise<ExitCode> => {
  const { host, docs, prism } = args
  const port = portOf(args.port)
  const pushInterval = intervalOf(args['push-interval'])
  const { documents, tree } = await openDocuments(words, args, io)
  return serve(documents, { port, host, tree, docs, prism, pushInterval }, io)
}

/** A few examples suffice, even for a large service. */
const SHOWN = 6

const portOf = (text: string): number => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw new UsageError(`--port must be a number from 0 to 65535, not ${text}`)
}

const intervalOf = (text: string): number => {
  const interval = /^\d{1,7}$/.test(text) ? Number(text) : 0
  if (interval >= 1 && interval <= 3_600_000) return interval
  throw new UsageError(`--push-interval must be milliseconds from 1 to 3600000, not ${text}`)
}

type Served = {
  readonly pushInterval: number
  readonly port: number
  readonly host: string
  readonly docs: boolean
  readonly prism: boolean
  readonly tree: FileTree
}

const serve = async (
  files: ApiFiles,
  { port, host, docs, prism, tree, pushInterval }: Served,
  io: Io,
): Promise<ExitCode> => {
  const { stdout, stderr, interrupted } = io
  const [{ startMock }, { curlLines }] = await Promise.all([
    import('../mock/mock.js'),
    import('../mock/curl.js'),
  ])
  writeLine(stderr, 'starting the mock …')
  const api = await readApi(files, tree, io)
  const onLog = (line: string) => writeLine(stdout, line)
  // Requested before the start, so that an interrupt during the start also stops it.
  const signal = interrupted()
  const started = await withProgress(io, async (show) => {
    show(`starting the mock of ${api.operations.length} operations …`)
    const site = docs ? await siteOf(api) : undefined
    const backend = prism ? await prismBackend(api, show) : undefined
    return startMock(api, { port, host, onLog, site, backend, pushInterval })
  }).catch((cause: Error) => {
    if (cause.name !== 'MockError') throw cause
    throw new UsageError(cause.message.split('\n'), { cause })
  })
  const coloured = isColoured(stderr)
  const options = { coloured, hint: ' (twinspec lint shows all)' }
  for (const line of framed(started.wrongExamples, options)) writeStyled(stderr, line)
  for (const finding of [...started.notMocked, ...(started.errorsNotMocked ?? [])])
    writeStyled(stderr, findingLine(finding, coloured))
  try {
    if (started.httpUrl !== undefined) writeLine(stdout, `HTTP      ${started.httpUrl}`)
    if (started.rpcUrl !== undefined) writeLine(stdout, `JSON-RPC  ${started.rpcUrl}`)
    if (started.socketUrl !== undefined) writeLine(stdout, `WebSocket ${started.socketUrl}`)
    if (started.lacksSockets !== undefined)
      writeLine(stderr, `warning: no WebSocket is served: ${NO_SOCKETS[started.lacksSockets]}`)
    if (docs) writeLine(stdout, `Docs      ${started.url}/docs/`)
    const problems = new Set(started.notMocked.map(({ operation }) => operation))
    const operations = api.operations.filter(({ id }) => !problems.has(id))
    const lines = curlLines({ ...api, operations: operations.slice(0, SHOWN) }, started)
    // The lines have no control characters, and a line feed in a body must be kept: to the shell it is part of a word.
    for (const line of lines) writeStyled(stdout, line)
    const others = operations.length - lines.length
    if (others > 0) writeLine(stdout, `… and ${others} more operations: ${started.url}/ lists all`)
    writeLine(stdout, 'Press Ctrl-C to stop it.')
    await ended(signal)
  } finally {
    await started.stop()
  }
  return 0
}

const NO_SOCKETS = {
  package: 'it needs the package ws (npm install ws)',
  backend: 'Prism has none',
} as const

const prismBackend = async (api: Api, show: Progress['show']) => {
  const { startPrismBackend } = await import('../mock/prism-backend.js')
  show(`Prism reads ${api.operations.length} operations and methods …`)
  return startPrismBackend(api)
}

const siteOf = async (api: Api) => {
  const { writeDocs } = await import('../docs/docs.js')
  return () => writeDocs(api, { server: 'origin' })
}
