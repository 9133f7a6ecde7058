import { spawnSync } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setup } from '../built/build.js'
import { builtFile } from '../built/imports.js'
import type { Bench, Row } from './bench.js'

/**
 * How many files a task enters: those with a function that runs during the task and not while modules load, by V8's coverage.
 * It is how much somebody reads who follows the task through the code.
 */
export const walksBench: Bench = {
  name: 'walks',
  run: async ({ report }) => {
    const remove = await setup()
    const folder = join(dirname(builtFile('')), 'walks')
    try {
      const rows: Row[] = []
      for (const walk of WALKS) {
        report(walk.what)
        const files = await filesEntered(walk, folder)
        if (process.env.WALKS_LIST) process.stderr.write(`${walk.what}\n  ${files.join('\n  ')}\n`)
        const measured = { name: 'files entered', count: files.length }
        const against = { name: 'goal', count: walk.goal }
        rows.push({ what: walk.what, measured, against, atMost: 1 })
      }
      return rows
    } finally {
      await remove()
    }
  },
}

type Walk = {
  readonly what: string
  readonly goal: number
  /** What it imports: names and the file, from the root of the repository. */
  readonly imports: Readonly<Record<string, string>>
  /** Statements that run before the task and are not part of it: a client is created once and calls often. */
  readonly before?: string
  readonly task: string
}

const QUEUE_ID = '5d0c7a1e-94b6-4f38-8a27-6be1f0c3d942'

const DOCUMENT = `openapi: 3.1.0
info: { title: Orders, version: '1' }
paths:
  /orders:
    post:
      operationId: createOrder
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } }
      responses: { '204': { description: created } }
components:
  schemas:
    Order: { type: object, required: [amount], properties: { amount: { type: integer, minimum: 1 } } }
`

const CLOCK = `openapi: 3.1.0
info: { title: Clock, version: '1' }
paths:
  /clock:
    get:
      parameters: [{ name: zone, in: query, schema: { type: string, enum: [utc, local] } }]
      responses:
        '400': { description: no such zone, content: { application/json: { schema: { type: object } } } }
        '200': { description: the time, content: { application/json: { schema: { type: string } } } }
`

const OPTIONS = `{
  server: 'http://127.0.0.1:1', auth: { apiKey: 'a-key' }, fetch: async () => Response.json(body) }`

const HANDLE = `const handle = toFetchHandler(createServer({ ...notOffered, ethChainId: () => '0x1',
  getZktTransaction: ({ path }) => ({ status: 200, body: { status: 'pending', queueId: path.queueId } }) }))
const ok = (response) => { if (response.status !== 200) throw new Error(String(response.status)) }`

const SERVER = { 'createServer, notOffered, toFetchHandler': 'generated/server.js' }

const LOAD = `const load = (text) => loadApi({ openapi: 'api.yaml' }, {
  ...disk, read: () => Buffer.from(text), kindOf: () => 'file', realPath: (path) => path })
const before = ${JSON.stringify(DOCUMENT)}`

const WALKS: readonly Walk[] = [
  {
    what: 'RPC call with a key',
    goal: 10,
    imports: { createRpcClient: 'generated/rpc.client.js' },
    before: `const body = { jsonrpc: '2.0', id: 1, result: '0x133edcb' }
      const rpc = createRpcClient(${OPTIONS})`,
    task: 'await rpc.ethChainId()',
  },
  {
    what: 'submitZkt with a key',
    goal: 12,
    imports: { createHttpClient: 'generated/http.client.js' },
    before: `const body = { success: true, queueId: '${QUEUE_ID}' }
      const http = createHttpClient(${OPTIONS})`,
    task: "await http.submitZkt({ body: { arguments: 'hello' } })",
  },
  {
    what: 'HTTP request into the server',
    goal: 14,
    imports: SERVER,
    before: HANDLE,
    task: `ok(await handle(new Request('http://a.example/gtn/v1/zkt/transaction/${QUEUE_ID}')))`,
  },
  {
    what: 'RPC request into the server',
    goal: 13,
    imports: SERVER,
    before: HANDLE,
    task: `const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
      const headers = { 'content-type': 'application/json' }
      ok(await handle(new Request('http://a.example/zgt/a-key', { method: 'POST', headers, body })))`,
  },
  {
    what: 'schema to validator',
    goal: 22,
    imports: {
      loadApi: 'src/read/load.js',
      disk: 'src/read/file-tree.js',
      emitValidators: 'src/emit/validators.js',
    },
    task: `${LOAD}
      emitValidators(await load(before))`,
  },
  {
    what: 'diff of one minimum',
    goal: 35,
    imports: {
      loadApi: 'src/read/load.js',
      disk: 'src/read/file-tree.js',
      diff: 'src/diff/diff.js',
    },
    task: `${LOAD}
      const after = before.replace('minimum: 1', 'minimum: 2')
      const found = diff(await load(before), await load(after), { today: new Date(0) })
      if (found.length !== 1) throw new Error(JSON.stringify(found))`,
  },
  {
    what: 'conform of one GET',
    goal: 65,
    imports: {
      loadApi: 'src/read/load.js',
      disk: 'src/read/file-tree.js',
      conform: 'src/conform/conform.js',
    },
    before: `const { createServer } = await import('node:http')
      const server = createServer((request, response) => {
        response.setHeader('content-type', 'application/json')
        const { pathname, searchParams } = new URL(request.url, 'http://a.example')
        const isZone = ['utc', 'local', null].includes(searchParams.get('zone'))
        response.statusCode =
          pathname !== '/clock' ? 404 : request.method !== 'GET' ? 405 : isZone ? 200 : 400
        if (response.statusCode === 405) response.setHeader('allow', 'GET')
        response.end(response.statusCode === 200 ? '"noon"' : '{}')
      })
      await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
      ${LOAD}
      const api = await load(${JSON.stringify(CLOCK)})
      setTimeout(() => { server.close(); server.closeAllConnections() }, 5_000)`,
    task: `const url = 'http://127.0.0.1:' + server.address().port
      const { findings, requests } = await conform(api, { url, only: ['GET /clock'], rate: null })
      if (findings.some(({ level }) => level === 'error')) throw new Error(JSON.stringify(findings))
      if (requests < 14) throw new Error('only ' + requests + ' requests')`,
  },
]

/** Two processes: one imports and prepares, and the other runs the task as well. */
async function filesEntered(walk: Walk, folder: string): Promise<readonly string[]> {
  const imports = Object.entries(walk.imports)
    .map(([names, path]) => {
      const from = pathToFileURL(builtFile(path)).href
      return `import { ${names} } from ${JSON.stringify(from)}\n`
    })
    .join('')
  const prepared = `${imports}${walk.before ?? ''}\n`
  const loaded = await functionsRun(prepared, folder)
  const run = await functionsRun(`${prepared}${walk.task}`, folder)
  const entered = new Set<string>()
  for (const one of run) if (!loaded.has(one)) entered.add(one.slice(0, one.indexOf(' ')))
  return [...entered].sort()
}

/** Each function of ours that ran, as file, position and name. What runs as its module loads is left out. */
async function functionsRun(program: string, folder: string): Promise<ReadonlySet<string>> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'task.mjs')
  await writeFile(file, program)
  const coverage = join(folder, 'coverage')
  const env = { ...process.env, NODE_V8_COVERAGE: coverage }
  const child = spawnSync(process.execPath, [file], { env, encoding: 'utf8', timeout: 60_000 })
  if (child.status !== 0) throw new Error(child.stderr)
  const ran = new Set<string>()
  const root = `${pathToFileURL(builtFile('')).href.replace(/\/$/, '')}/`
  for (const name of await readdir(coverage)) {
    const { result } = JSON.parse(await readFile(join(coverage, name), 'utf8')) as Coverage
    for (const { url, functions } of result) {
      if (!url.startsWith(`${root}src/`)) continue
      for (const { functionName, ranges } of functions) {
        const [whole] = ranges
        // The first function of a file is the module itself.
        if (!whole || whole.count === 0 || whole.startOffset === 0) continue
        ran.add(`${url.slice(root.length)} ${whole.startOffset} ${functionName}`)
      }
    }
  }
  return ran
}

type Coverage = {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly {
      readonly functionName: string
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[]
    }[]
  }[]
}
