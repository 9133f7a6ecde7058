import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ran } from '../cli/command.js'
import { sectionIn } from '../report/report-of.js'
import { temporaryFolder } from '../temporary-folder.js'
import { ORDERS } from './documents.js'

const folder = temporaryFolder('compatibility')

const at = (...names: readonly string[]) => join(folder, ...names)

const write = (name: string, text: string) => {
  mkdirSync(dirname(at(name)), { recursive: true })
  writeFileSync(at(name), text)
}

const git = (...args: readonly string[]) =>
  execFileSync('git', ['-C', at('shop'), '-c', 'user.name=a', '-c', 'user.email=a@b', ...args])

const release = (tag: string, text: string) => {
  write('shop/spec/openapi.yaml', text)
  git('add', '.')
  git('commit', '--quiet', `--message=${tag}`)
  git('tag', tag)
}

const INTEGER = '        id: { type: integer }\n'
const NEXT = ORDERS.replace(INTEGER, '        id: { type: string }\n').replaceAll(
  'id: 7',
  "id: '7'",
)

beforeAll(() => {
  mkdirSync(at('shop'))
  git('init', '--quiet', '--initial-branch=main')
  release('v1.9.0', ORDERS.replace('maximum: 500', 'maximum: 400'))
  release('v1.10.0', ORDERS)
  git('tag', 'tool-v9')
  write('shop/spec/openapi.yaml', NEXT)
})

const now = () => at('shop/spec/openapi.yaml')

const compatibility = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await ran(['compatibility', ...args])
  return { code, stdout: stdout.replaceAll(folder, ''), stderr: stderr.replaceAll(folder, '') }
}

describe('twinspec compatibility', { timeout: 900_000 }, () => {
  it('tries the clients of tags from one on, and ends with 1 where one breaks', async () => {
    const { code, stdout, stderr } = await compatibility(now(), '--since', 'v1.9.0')
    expect(stdout).toMatch(/^ {2}operation {9}v1\.9\.0 {2}v1\.10\.0\n/m)
    expect(stdout).toMatch(/^ {2}GET \/orders {7}breaks {2}breaks$/m)
    expect(stdout).toMatch(
      /error GET \/orders\/\{id\} breaks clients of v1\.9\.0 and v1\.10\.0: .*, status 200, \/id: expected: must be an integer, is the string "text"; received: "text" \[old-client-breaks\]/,
    )
    expect(stderr).toMatch(/^6 break: \d+ requests by clients of 2 versions\n$/)
    expect(code).toBe(1)
  })

  it('takes the last tags, of which 1.10 is later than 1.9', async () => {
    const { stdout } = await compatibility(now(), '--last', '1', '--format', 'json')
    const matrix = sectionIn(JSON.parse(stdout), 'matrix')
    expect(matrix).toMatchObject({ kind: 'table', columns: ['operation', 'v1.10.0'] })
    const row = matrix?.kind === 'table' ? matrix.rows[2] : undefined
    expect(row?.name).toBe('GET /orders/{id}')
    expect(row?.cells[0]).toMatchObject({
      text: 'breaks',
      data: { difference: { status: 200, pointer: '/id', received: '"text"' }, diff: 'error' },
    })
  })

  it('ends with 0 where all works, and writes a table for a pull request', async () => {
    write('new.yaml', ORDERS.replace('1.0.0', '1.0.1'))
    write('old.yaml', ORDERS)
    const matrix = at('matrix.md')
    const { code, stdout } = await compatibility(
      ...[at('new.yaml'), '--version', at('old.yaml'), '--format', 'github', '--matrix', matrix],
    )
    expect(code).toBe(0)
    expect(stdout).toMatch(/^::group::operations by version\n/)
    expect(readFileSync(matrix, 'utf8')).toMatch(
      /^## Operations by version\n\n3 of 3 rows have no problem\.\n\n3 work: \d+ requests by clients of a version\n\nversions: 1; requests: \d+\n$/,
    )
  })

  it.each([
    [['--since', 'v7'], 'git has no tag v7 in this branch'],
    [[], 'name the old versions: --since v1.2.0 or --last 5'],
    [['--last', '0'], '--last must be a whole number of at least 1, not 0'],
    [['--version', 'git:nowhere'], 'git does not find nowhere'],
  ])('ends with 2 for %j', async (flags, message) => {
    const { code, stderr } = await compatibility(now(), ...flags)
    expect(stderr).toContain(message)
    expect(code).toBe(2)
  })

  it('ends with 2 where the server does not answer', async () => {
    const { code, stderr } = await compatibility(...['http://127.0.0.1:1', now(), '--last', '1'])
    expect(stderr).toContain('http://127.0.0.1:1 does not respond')
    expect(code).toBe(2)
  })

  it('tries a server: what depends on its state breaks nobody, what it rejects does', async () => {
    const server = createServer((request, response) => {
      const isList = request.method === 'GET' && request.url?.startsWith('/v1/orders?')
      const [status, body] = isList
        ? [200, [{ id: 1, status: 'open', sku: 'tea' }]]
        : request.method === 'POST'
          ? [400, { error: 'no' }]
          : request.url === '/v1/orders'
            ? [200, []]
            : [404, { error: 'there is none' }]
      response.writeHead(Number(status), { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const found = `        '404':
          description: None
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Problem' }
components:`
    write(
      'served.yaml',
      ORDERS.replace('components:\n', () => `${found}\n`),
    )
    const { code, stdout } = await compatibility(
      ...[`http://127.0.0.1:${port}`, at('served.yaml'), '--version', at('served.yaml')],
    )
    server.close()
    expect(stdout).toMatch(/^ {2}GET \/orders +works$/m)
    expect(stdout).toMatch(/^ {2}POST \/orders +breaks$/m)
    expect(stdout).toMatch(/^ {2}GET \/orders\/\{id\} +works$/m)
    expect(code).toBe(1)
  })

  it('compiles code of a consumer with the new client, and says where it no longer compiles', async () => {
    write('consumer/old.yaml', ORDERS)
    await ran([
      ...['generate', at('consumer/old.yaml'), '--only', 'client', '--out', at('consumer/client')],
    ])
    write(
      'consumer/main.ts',
      `import { createClient } from './client/client.js'

export const next = async (): Promise<number> => {
  const order = await createClient().http.getOrder({ path: { id: 7 } })
  return order.id + 1
}

export const broken: string = 1
`,
    )
    mkdirSync(at('consumer/node_modules'))
    symlinkSync(join(import.meta.dirname, '../..'), at('consumer/node_modules/twinspec'))
    write(
      'consumer/tsconfig.json',
      JSON.stringify({
        compilerOptions: {
          ...{ strict: true, module: 'nodenext', target: 'es2023', types: [] },
          customConditions: ['twinspec-source'],
          skipLibCheck: true,
        },
        files: ['main.ts'],
      }),
    )
    const { code, stdout } = await compatibility(
      ...[now(), '--last', '1', '--consumer', at('consumer')],
    )
    const lines = stdout.split('\n').filter((line) => line.includes('consumer-does-not-compile'))
    expect(lines).toEqual([
      expect.stringMatching(
        /^\/consumer\/main\.ts:5:3 error this code does not compile with the new client: Type 'string' is not assignable to type 'number'\. \(TS2322\) \[consumer-does-not-compile\]$/,
      ),
    ])
    expect(code).toBe(1)
  })

  it('compiles the projects that a tsconfig.json references, as tsc -b does', async () => {
    const name = 'consumer/solution.json'
    const references = [{ path: '.' }, { path: './tsconfig.json' }]
    write(name, JSON.stringify({ files: [], references }))
    const { code, stdout } = await compatibility(...[now(), '--last', '1', '--consumer', at(name)])
    const lines = stdout.split('\n').filter((line) => line.includes('consumer-does-not-compile'))
    expect(lines).toEqual([expect.stringMatching(/^\/consumer\/main\.ts:5:3 error /)])
    expect(code).toBe(1)
  })

  it.each([
    [[], ''],
    [[{ path: './app' }], ', with the projects that it references,'],
  ])('names the tsconfig.json if nothing uses a client: %j', async (references, more) => {
    write('none/tsconfig.json', JSON.stringify({ files: [], references }))
    write('none/app/tsconfig.json', JSON.stringify({ compilerOptions: { composite: true } }))
    write('none/app/main.ts', 'export const a = 1\n')
    const { code, stderr } = await compatibility(
      ...[now(), '--last', '1', '--consumer', at('none')],
    )
    expect(stderr).toContain(
      `/none/tsconfig.json${more} uses no client: it imports neither files of`,
    )
    expect(code).toBe(2)
  })

  it('takes the client of a package, and compiles against the new one', async () => {
    write('orders.yaml', ORDERS)
    await ran([
      ...['pack', at('orders.yaml'), '--name', 'orders', '--version', '1.4.0', '--license', 'MIT'],
      ...['--without', 'viem,msw,fastify,tanstack-query', '--out', at('package')],
    ])
    cpSync(at('package'), at('user/node_modules/orders'), { recursive: true })
    write(
      'user/main.ts',
      `import { createClient } from 'orders/client'
export const next = async () => (await createClient().http.getOrder({ path: { id: 7 } })).id - 1
`,
    )
    const { code, stdout } = await compatibility(
      ...[now(), '--version', at('package'), '--consumer', at('user/main.ts')],
    )
    expect(stdout).toMatch(/^ {2}operation +orders@1\.4\.0\n/m)
    expect(stdout).toMatch(/GET \/orders\/\{id\} breaks clients of orders@1\.4\.0/)
    expect(stdout).toMatch(/\/user\/main\.ts:2:\d+ error .*\(TS236[23]\) \[consumer-does-not/)
    expect(code).toBe(1)
  })
})
