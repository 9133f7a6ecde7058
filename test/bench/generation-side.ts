import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import { emitAll } from '../../src/emit/emit.js'
import { DEFAULT_KINDS } from '../../src/emit/kinds.js'
import { parseDocument } from '../../src/read/document.js'
import { type ApiFiles, loadApi } from '../../src/read/load.js'
import { openapiOf, openrpcOf } from './synthetic.js'

/**
 * A process for one side of one round, so that its peak of memory is its own. It first generates
 * from a document of one operation, so that no module is loaded while the clock runs.
 */
export type Job =
  | { readonly kind: 'twinspec'; readonly files: ApiFiles }
  | { readonly kind: 'openapi-typescript'; readonly files: readonly string[] }

process.once('message', async (job: Job) => {
  await (job.kind === 'twinspec'
    ? emitAll(await loadApi(small()), [], [...DEFAULT_KINDS, 'server'])
    : printed(openapiOf(1)))
  const start = performance.now()
  if (job.kind === 'twinspec') emitAll(await loadApi(job.files), [], [...DEFAULT_KINDS, 'server'])
  else for (const file of job.files) await printed(inputOf(file))
  const milliseconds = performance.now() - start
  process.send?.({ milliseconds, megabytes: peak() }, () => process.disconnect())
})

function small(): ApiFiles {
  return {
    openapi: parseDocument(JSON.stringify(openapiOf(1)), 'openapi.json'),
    openrpc: parseDocument(JSON.stringify(openrpcOf(1)), 'openrpc.json'),
  }
}

/** JSON at its fastest, by JSON.parse; given the address of a file, the package would read it as YAML. */
const inputOf = (file: string): object =>
  file.endsWith('.json') ? JSON.parse(readFileSync(file, 'utf8')) : pathToFileURL(file)

const printed = async (input: object): Promise<string> =>
  astToString(await openapiTS(input as Parameters<typeof openapiTS>[0], { silent: true }))

/** In megabytes. Linux hands `maxRSS` down from the parent process, so its own book is read there. */
function peak(): number {
  try {
    const [, kilobytes] =
      /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    if (kilobytes !== undefined) return Number(kilobytes) / 1024
  } catch {
    // Not Linux.
  }
  return process.resourceUsage().maxRSS / 1024
}
