import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { RETRY_SECONDS } from '../access/limits.js'
import { forkOurs } from '../fork.js'
import { pathOf } from './endpoints.js'

/**
 * Serves a site at `/docs/` out of memory. What is asked for is looked up by its whole name, so that no path leads anywhere
 * else; `read` is called by the first reader, and by the next one where it failed.
 */
export const serveReference = (app: FastifyInstance, options: ReferenceOptions): void => {
  const read = kept(options.read)
  app.all(REFERENCE_ROUTE, {
    config: { cors: false },
    // Before a body would be read: there is none that fits.
    onRequest: async (request, reply) => {
      const { method } = request.raw
      const path = pathOf(request.originalUrl)
      if (method !== 'GET' && method !== 'HEAD')
        return say(reply.code(405).header('allow', 'GET, HEAD'), 'there is nothing here but to GET')
      // Relative, as a proxy may serve all this below a path of its own.
      if (path === REFERENCE_ROUTE) return reply.code(307).header('location', 'docs/').send()
      try {
        return answer(request, reply, await read(), path.slice(REFERENCE_ROUTE.length + 1))
      } catch (error) {
        options.onError(error)
        const late = reply.code(503).header('retry-after', RETRY_SECONDS)
        return say(late, 'the reference cannot be written now, try again later')
      }
    },
    handler: () => undefined,
  })
}

/** A static site. */
export type Reference = readonly ReferenceFile[]

/** Path below the folder of the site, with `/`, and the whole text. */
type ReferenceFile = { readonly name: string; readonly text: string }

/**
 * Writes the reference of the documents by `twinspec docs`, in a child process: it takes seconds and the memory of a compiler.
 * `read` rejects where the command fails; `close` ends the children that still run.
 */
export const createReference = (documents = DOCUMENTS): ReferenceWriter => {
  const children = new Set<ChildProcess>()
  let isClosed = false
  return {
    read: async () => {
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

export type ReferenceWriter = {
  readonly read: () => Promise<Reference>
  readonly close: () => Promise<void>
}

const generated = (name: string) =>
  fileURLToPath(new URL(`../../../generated/${name}`, import.meta.url))

const DOCUMENTS = {
  openapi: generated('http.openapi.json'),
  openrpc: generated('rpc.openrpc.json'),
}

const filesIn = async (folder: string): Promise<Reference> => {
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
  readonly read: () => Promise<Reference>
  readonly onError: (error: unknown) => void
}

/** The route in Fastify of every path for which `isOfReference` is true. */
export const REFERENCE_ROUTE = '/docs'

export const isOfReference = (target: string): boolean => {
  const path = pathOf(target)
  return path === REFERENCE_ROUTE || path.startsWith(`${REFERENCE_ROUTE}/`)
}

type File = { readonly body: Buffer; readonly type: string; readonly tag: string }

type Site = ReadonlyMap<string, File>

const kept = (read: () => Promise<Reference>): (() => Promise<Site>) => {
  let site: Promise<Site> | undefined
  return () => {
    site ??= read().then(siteOf, (error: unknown) => {
      site = undefined
      throw error
    })
    return site
  }
}

const siteOf = (reference: Reference): Site =>
  new Map(
    reference.map(({ name, text }) => {
      const body = Buffer.from(text)
      const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
      return [name, { body, tag, type: TYPES[/[^.]*$/.exec(name)?.[0] ?? ''] ?? BYTES }]
    }),
  )

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
}

const BYTES = 'application/octet-stream'

const answer = (
  { headers }: FastifyRequest,
  reply: FastifyReply,
  site: Site,
  path: string,
): FastifyReply => {
  const page = site.get(nameIn(path) ?? '')
  const isPage = page?.type === TYPES.html
  reply
    .header('content-security-policy', isPage ? NO_FRAMES : `${NO_SCRIPTS}; ${NO_FRAMES}`)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .header('cross-origin-resource-policy', 'same-origin')
  if (page === undefined)
    return reply
      .code(404)
      .header('cache-control', 'no-store')
      .type(TYPES.html ?? BYTES)
      .send(lostPage(path))
  // A new version of the service is a new reference at the same addresses.
  reply.header('etag', page.tag).header('cache-control', 'no-cache')
  if (hasIt(headers['if-none-match'], page.tag)) return reply.code(304).send()
  return reply.type(page.type).send(page.body)
}

/** No other site may show a page in a frame and have a reader click there. The rest of its policy is in the page. */
const NO_FRAMES = "frame-ancestors 'none'"

const NO_SCRIPTS = "default-src 'none'; style-src 'self'; img-src data:"

/** The file that a path names; undefined for one that is no text (RFC 3986 §2.1). */
const nameIn = (path: string): string | undefined => {
  try {
    return decodeURIComponent(path) || 'index.html'
  } catch {
    return undefined
  }
}

/** Weakly, as RFC 9110 §13.1.2 asks for. */
const hasIt = (tags: string | undefined, tag: string): boolean =>
  (tags ?? '').split(',').some((one) => ['*', tag].includes(one.trim().replace(/^W\//, '')))

/** In the style of the site, which is as many folders up as the path has. */
const lostPage = (path: string): string => {
  const up = '../'.repeat(path.split('/').length - 1)
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not found</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${up}style.css">
<main id="content">
<h1>There is no such page in this reference</h1>
<p><a href="${up || './'}">Search for what you want from its first page.</a></p>
</main>
</html>
`
}

const say = (reply: FastifyReply, error: string): FastifyReply =>
  reply.header('cache-control', 'no-store').send({ error })
