import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { ServerReply } from 'twinspec/runtime/server'
import { RETRY_SECONDS } from '../access/limits.js'
import { forkOurs } from '../fork.js'
import { jsonReply } from './error-responses.js'

/** A page that the host serves without the gateway. */
export type ServePage = (
  method: string,
  path: string,
  headers: IncomingHttpHeaders,
) => Promise<ServerReply>

/**
 * Serves a site at `/docs/` from memory. Files are looked up by their full name, so no path leads outside. The first visitor
 * calls `read`; if it fails, the next visitor calls it again.
 */
export const createReferencePage = ({ read, onError }: ReferenceOptions): ServePage => {
  let site: Promise<Site> | undefined
  return async (method, path, headers) => {
    if (method !== 'GET' && method !== 'HEAD')
      return jsonReply(405, { error: 'there is nothing here but to GET' }, { allow: 'GET, HEAD' })
    // A relative URL, because a proxy may serve the service below another path.
    if (path === ROOT) return { status: 307, headers: { location: 'docs/' } }
    try {
      site ??= read().then(siteOf)
      return answer(await site, path.slice(ROOT.length + 1), headers['if-none-match'] ?? '')
    } catch (error) {
      site = undefined
      onError(error)
      const words = { error: 'the reference cannot be written now, try again later' }
      return jsonReply(503, words, { 'retry-after': String(RETRY_SECONDS) })
    }
  }
}

const ROOT = '/docs'

export const isOfReference = (path: string): boolean => path === ROOT || path.startsWith(`${ROOT}/`)

/** A static site. */
export type StaticSite = readonly ReferenceFile[]

/** Path below the folder of the site, with `/`, and the complete text. */
type ReferenceFile = { readonly name: string; readonly text: string }

/**
 * Reads the reference that `npm run install-service` wrote. Without one, `twinspec docs` writes it in a child
 * process, because that takes seconds and the memory of a compiler. `read` rejects if the command fails; `close`
 * ends the remaining child processes.
 */
export const createReference = ({
  documents = DOCUMENTS,
  log,
}: ReferenceSources): ReferenceWriter => {
  const children = new Set<ChildProcess>()
  let isClosed = false
  return {
    read: async () => {
      if (existsSync(WRITTEN)) return filesIn(WRITTEN)
      log.info(
        'the reference is written now, for the first request of /docs/: it takes some seconds',
      )
      const folder = await mkdtemp(join(tmpdir(), 'twinspec-docs-'))
      try {
        if (isClosed) throw new Error('twinspec docs is not run: the service stops')
        const site = join(folder, 'site')
        const { openapi, openrpc } = documents
        const child = forkOurs(new URL('../../cli/main.js', import.meta.url), {
          args: [
            'docs',
            '--openapi',
            openapi,
            '--openrpc',
            openrpc,
            '--same-origin',
            '--out',
            site,
          ],
          stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
        })
        children.add(child)
        child.once('exit', () => children.delete(child))
        const printed = child.stderr ? text(child.stderr) : ''
        const [code, signal] = await once(child, 'exit')
        if (code !== 0)
          throw new Error(`twinspec docs ended with ${code ?? signal}: ${await printed}`)
        return await filesIn(site)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
    close: async () => {
      isClosed = true
      for (const child of children) child.kill('SIGKILL')
    },
  }
}

type ReferenceSources = {
  readonly log: Pick<Logger, 'info'>
  /** Paths of the documents. */
  readonly documents?: { readonly openapi: string; readonly openrpc: string }
}

export type ReferenceWriter = {
  readonly read: () => Promise<StaticSite>
  readonly close: () => Promise<void>
}

const generated = (name: string) =>
  fileURLToPath(new URL(`../../../generated/${name}`, import.meta.url))

const DOCUMENTS = {
  openapi: generated('http.openapi.json'),
  openrpc: generated('rpc.openrpc.json'),
}

/** Exists in an installed service, not in a checkout. */
const WRITTEN = fileURLToPath(new URL('../../../service-reference', import.meta.url))

const filesIn = async (folder: string): Promise<StaticSite> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => {
        const file = join(parentPath, name)
        const path = relative(folder, file).split(sep).join('/')
        return { name: path, text: await readFile(file, 'utf8') }
      }),
  )
}

export type ReferenceOptions = {
  readonly read: () => Promise<StaticSite>
  readonly onError: (error: unknown) => void
}

type File = { readonly body: Buffer; readonly type: string; readonly tag: string }

type Site = ReadonlyMap<string, File>

const siteOf = (reference: StaticSite): Site =>
  new Map(
    reference.map(({ name, text }) => {
      const body = Buffer.from(text)
      const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
      return [name, { body, tag, type: TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? BYTES }]
    }),
  )

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  svg: 'image/svg+xml',
}

const BYTES = 'application/octet-stream'

const answer = (site: Site, path: string, tags: string): ServerReply => {
  const page = site.get(nameIn(path) ?? '')
  const isPage = page?.type === TYPES.html
  const headers = {
    'content-security-policy': isPage ? NO_FRAMES : `${NO_SCRIPTS}; ${NO_FRAMES}`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  }
  if (page === undefined)
    return jsonReply(404, { error: 'there is no such page in this reference' }, headers)
  // A new version of the service has a new reference at the same URLs.
  const fresh = { ...headers, etag: page.tag, 'cache-control': 'no-cache' }
  // Weak comparison (RFC 9110 §13.1.2).
  if (tags === '*' || tags.includes(page.tag)) return { status: 304, headers: fresh }
  return { status: 200, headers: { ...fresh, 'content-type': page.type }, body: page.body }
}

/** Prevents clickjacking through a frame on another site. The rest of the policy is in the page. */
const NO_FRAMES = "frame-ancestors 'none'"

const NO_SCRIPTS = "default-src 'none'; style-src 'self'; img-src data:"

/** The file that a path names; undefined for invalid percent-encoding (RFC 3986 §2.1). */
const nameIn = (path: string): string | undefined => {
  try {
    return decodeURIComponent(path) || 'index.html'
  } catch {
    return undefined
  }
}
