import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { folderOf, twinspec } from '../cli/command-line.js'
import { importFile } from '../emit/generated-code.js'

const openrpc = (ref: string) =>
  JSON.stringify({
    openrpc: '1.2.4',
    info: { title: 'T', version: '1' },
    methods: [
      {
        name: 'read_value',
        params: [],
        result: { name: 'r', schema: { $ref: '#/components/schemas/Value' } },
      },
    ],
    components: {
      schemas: {
        Value: { type: 'object', properties: { v: { $ref: ref }, n: { type: 'integer' } } },
      },
    },
  })

const TYPES = {
  $id: 'https://example.com/types',
  definitions: {
    Version: { type: 'object', properties: { major: { $ref: '#/definitions/Count' } } },
    Count: { type: 'integer' },
  },
}

const REF = 'https://example.com/types#/definitions/Version'

const typesOf = async (path: string, ...flags: readonly string[]) => {
  const out = `${path}-out`
  const { code, stderr } = await twinspec('generate', '--openrpc', path, '--out', out, ...flags)
  expect({ code, stderr }).toMatchObject({ code: 0 })
  const read = (name: string) => readFileSync(join(out, name), 'utf8')
  return { types: read('rpc.types.ts') + read('rpc.client.ts'), stderr }
}

describe('a reference by the $id of another document', () => {
  it('without that document, a warning names the flag, and the rest has types', async () => {
    const folder = await folderOf({ 'api.json': openrpc(REF) })
    const path = join(folder, 'api.json')
    const { types, stderr } = await typesOf(path)
    expect(types).toMatch(/v\?: unknown/)
    expect(types).toMatch(/n\?: number/)
    expect(stderr).toMatch(/api\.json:1:\d+ warning .*--fetch-references.*reference-is-remote/)
  })

  it.each(['types.json', 'shared/deep/types.json'])(
    'a file %s with that $id is found',
    async (name) => {
      const folder = await folderOf({ 'api.json': openrpc(REF), [name]: JSON.stringify(TYPES) })
      const { types, stderr } = await typesOf(join(folder, 'api.json'))
      expect(types).toMatch(/major\?: .*Count/)
      expect(stderr).not.toContain('warning')
    },
  )

  it('the document may hold the schema itself, whose pointers begin at its $id', async () => {
    const document = JSON.parse(openrpc(REF))
    document.components.schemas.Types = TYPES
    const folder = await folderOf({ 'api.json': JSON.stringify(document) })
    const { types } = await typesOf(join(folder, 'api.json'))
    expect(types).toMatch(/major\?: .*Count/)
  })

  it('a method with a remote param is left out, the others are not', async () => {
    const document = JSON.parse(openrpc('#/components/schemas/A'))
    document.components.schemas.A = { type: 'string' }
    document.methods.push({
      name: 'lost',
      params: [{ $ref: 'https://example.com/params#/p' }],
      result: { name: 'r', schema: { type: 'string' } },
    })
    const folder = await folderOf({ 'api.json': JSON.stringify(document) })
    const { types, stderr } = await typesOf(join(folder, 'api.json'))
    expect(types).toContain('read_value')
    expect(types).not.toContain('lost')
    expect(stderr).toMatch(/warning .*https:\/\/example\.com\/params#\/p is remote/)
  })
})

it('OpenAPI 3.2: $self is the base of references, and a file beside the document is at its URL', async () => {
  const folder = await folderOf({
    'api/openapi.yaml': `openapi: 3.2.0
$self: https://example.com/v1/api/openapi.yaml
info: { title: T, version: '1' }
paths:
  /a:
    get:
      operationId: a
      responses:
        '200': { description: A, content: { application/json: { schema: { $ref: 'https://example.com/v1/api/schemas/a.yaml#/A' } } } }
        '201': { description: B, content: { application/json: { schema: { $ref: 'https://example.com/v1/api/openapi.yaml#/components/schemas/B' } } } }
components: { schemas: { B: { type: object, properties: { fromB: { type: string } } } } }
`,
    'api/schemas/a.yaml': 'A: { type: object, properties: { fromA: { type: string } } }\n',
  })
  const out = join(folder, 'out')
  const args = ['--openapi', join(folder, 'api/openapi.yaml'), '--out', out]
  const { code, stderr } = await twinspec('generate', ...args)
  expect({ code, stderr }).toMatchObject({ code: 0 })
  const types = readFileSync(join(out, 'http.types.ts'), 'utf8')
  expect(types).toContain('fromA?: string')
  expect(types).toContain('fromB?: string')
})

describe('OpenAPI 3.2: security schemes by URI', () => {
  const SCHEMES = `components:
  securitySchemes:
    own: { type: apiKey, in: header, name: X-Own }
    '#/components/securitySchemes/own': { type: http, scheme: basic }`
  const document = (requirement: string, version = '3.2.0', schemes = SCHEMES) =>
    `openapi: ${version}
info: { title: T, version: '1' }
security: [{ '${requirement}': [] }]
paths: { /a: { get: { operationId: a, responses: { '204': { description: A } } } } }
${schemes}
`
  const otherSchemes =
    'components: { securitySchemes: { partner: { type: http, scheme: bearer } } }'
  const sent = async (requirement: string, auth: object, schemes?: string) => {
    const folder = await folderOf({
      'api.yaml': document(requirement, '3.2.0', schemes),
      'other.yaml': otherSchemes,
    })
    const out = join(folder, 'out')
    const args = ['--openapi', join(folder, 'api.yaml'), '--out', out]
    expect(await twinspec('generate', ...args)).toMatchObject({ code: 0 })
    const { createHttpClient } = await importFile<Generated>(out, 'http.client.ts')
    const asked: Headers[] = []
    const fetch = (_: unknown, { headers }: RequestInit) => {
      asked.push(new Headers(headers))
      return Promise.resolve(new Response(null, { status: 204 }))
    }
    await createHttpClient({ server: 'http://127.0.0.1', auth, fetch }).a()
    return Object.fromEntries(asked[0] ?? [])
  }
  type Generated = {
    readonly createHttpClient: (options: object) => { readonly a: () => Promise<unknown> }
  }

  it.each([
    ['./other.yaml#/components/securitySchemes/partner', 'partner', 'authorization', 'Bearer s'],
    ['#/components/securitySchemes/%6Fwn', 'own', 'x-own', 's'],
  ])('%s: clients send the credential under a plain name', async (uri, name, header, value) => {
    expect(await sent(uri, { [name]: 's' })).toMatchObject({ [header]: value })
  })

  it('a key that is the name of a component is this component', async () => {
    const name = '#/components/securitySchemes/own'
    const auth = { [name]: { username: 'a', password: 'b' } }
    expect(await sent(name, auth)).toMatchObject({ authorization: 'Basic YTpi' })
  })

  it('diff reports a change of the scheme at its place in the other file', async () => {
    const api = document('./other.yaml#/components/securitySchemes/partner')
    const folder = await folderOf({
      ...{ 'v1/api.yaml': api, 'v1/other.yaml': otherSchemes },
      ...{ 'v2/api.yaml': api, 'v2/other.yaml': otherSchemes.replace('bearer', 'basic') },
    })
    const [before, after] = ['v1', 'v2'].map((version) => join(folder, version, 'api.yaml'))
    const { stdout } = await twinspec('diff', '--openapi', `${after}`, '--against', `${before}`)
    expect(stdout).toMatch(/v2\/other\.yaml:1:\d+ error .* is basic now, and was bearer/)
    expect(stdout).toMatch(/before: .*v1\/other\.yaml:1:\d+/)
  })

  it('a URI without a target is an error, and in OpenAPI 3.1 every key is a name', async () => {
    const folder = await folderOf({
      '3.2.yaml': document('./other.yaml#/none'),
      '3.1.yaml': document('./other.yaml#/components/securitySchemes/partner', '3.1.0'),
      'other.yaml': otherSchemes,
    })
    const [newer, older] = await Promise.all(
      ['3.2.yaml', '3.1.yaml'].map((name) => twinspec('lint', '--openapi', join(folder, name))),
    )
    expect(newer?.stdout).toMatch(/3\.2\.yaml:3:\d+ error .*reference-is-dangling/)
    expect(older?.stdout).toMatch(/3\.1\.yaml:3:\d+ warning .*security-scheme-is-undeclared/)
  })
})

it('an $anchor is what a reference by name leads to', async () => {
  const document = JSON.parse(openrpc('#version'))
  document.components.schemas.V = { $anchor: 'version', type: 'integer' }
  const folder = await folderOf({ 'api.json': JSON.stringify(document) })
  expect((await typesOf(join(folder, 'api.json'))).types).toMatch(/v\?: .*V/)
})

describe('--fetch-references', () => {
  /** A server on the loopback with a text for each path; a text that begins with a slash is a redirect. */
  const serve = async (files: Readonly<Record<string, string>>) => {
    const asked: string[] = []
    const content: Record<string, string> = { ...files }
    const server = createServer(({ url = '' }, response) => {
      asked.push(url)
      const text = content[url]
      const isRedirect = text !== undefined && /^(\/|https?:)/.test(text)
      if (isRedirect) response.writeHead(302, { location: text }).end()
      else response.writeHead(text === undefined ? 404 : 200).end(text)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    return { url: `http://127.0.0.1:${port}`, asked, content }
  }

  it('keeps copies with a lock file, which later runs read without a network', async () => {
    const { url, asked } = await serve({
      '/v1/types': JSON.stringify({ A: { $ref: 'more.yaml#/B' } }),
      '/v1/more.yaml': 'B: { type: object, properties: { inner: { type: boolean } } }\n',
    })
    const folder = await folderOf({ 'api.json': openrpc(`${url}/v1/types#/A`) })
    const path = join(folder, 'api.json')
    const fetched = await typesOf(path, '--fetch-references')
    expect(fetched.types).toContain('inner?: boolean')
    expect(fetched.stderr).not.toContain('warning')
    expect(asked).toEqual(['/v1/types', '/v1/more.yaml'])
    const lock = JSON.parse(readFileSync(join(folder, 'references/lock.json'), 'utf8'))
    expect(Object.keys(lock)).toEqual([`${url}/v1/more.yaml`, `${url}/v1/types`])
    for (const { file, sha256 } of Object.values(lock) as { file: string; sha256: string }[]) {
      expect(existsSync(join(folder, 'references', file))).toBe(true)
      expect(sha256).toMatch(/^[0-9a-f]{64}$/)
    }
    expect((await typesOf(path)).types).toBe(fetched.types)
    expect((await typesOf(path, '--fetch-references')).types).toBe(fetched.types)
    expect((await twinspec('lint', '--openrpc', path)).stdout).not.toContain('reference-')
    expect(asked).toHaveLength(2)
  })

  it.each(['lint', 'mock', 'docs', 'pack', 'diff', 'conform', 'init'])(
    'is a flag of %s',
    async (verb) => {
      expect((await twinspec(verb, '--help')).stdout).toContain('--fetch-references')
    },
  )

  it('a copy that was changed is an error that says what to do', async () => {
    const { url } = await serve({ '/types.json': '{ "A": { "type": "string" } }' })
    const folder = await folderOf({ 'api.json': openrpc(`${url}/types.json#/A`) })
    const path = join(folder, 'api.json')
    await typesOf(path, '--fetch-references')
    const [row] = Object.values(
      JSON.parse(readFileSync(join(folder, 'references/lock.json'), 'utf8')),
    ) as { file: string }[]
    writeFileSync(join(folder, 'references', row?.file ?? ''), '{ "A": { "type": "number" } }')
    const { code, stdout } = await twinspec('lint', '--openrpc', path)
    expect(code).toBe(1)
    expect(stdout).toMatch(/api\.json:1:\d+ error .*restore the file.*reference-copy-changed/)
  })

  it('a copy that is missing is fetched again, and must be what it was', async () => {
    const { url, content } = await serve({ '/types.json': '{ "A": { "type": "string" } }' })
    const folder = await folderOf({ 'api.json': openrpc(`${url}/types.json#/A`) })
    const path = join(folder, 'api.json')
    await typesOf(path, '--fetch-references')
    const [row] = Object.values(
      JSON.parse(readFileSync(join(folder, 'references/lock.json'), 'utf8')),
    ) as { file: string }[]
    const copy = join(folder, 'references', row?.file ?? '')
    rmSync(copy)
    await typesOf(path, '--fetch-references')
    expect(existsSync(copy)).toBe(true)
    rmSync(copy)
    content['/types.json'] = '{ "A": { "type": "number" } }'
    const { code, stdout } = await twinspec('lint', '--openrpc', path, '--fetch-references')
    expect(code).toBe(1)
    expect(stdout).toMatch(/its content has changed.*remove its entry.*reference-cannot-be-fetched/)
  })

  it.each([
    ['a status that is not 200', '/nothing', /has the status 404/],
    ['redirects without an end', '/loop', /redirects more than 5 times/],
    [
      'a redirect to a private address',
      '/private',
      /10\.1\.2\.3 is at 10\.1\.2\.3, which is not a public/,
    ],
    ['a redirect to http elsewhere', '/plain', /is not https/],
    ['more bytes than the limit', '/large', /more than \d+ bytes/],
  ])('%s is an error at the reference', async (_, name, message) => {
    const { url } = await serve({
      '/loop': '/loop',
      '/private': 'https://10.1.2.3/x',
      '/plain': 'http://example.com/x',
      '/large': `"${'x'.repeat(17 * 2 ** 20)}"`,
    })
    const folder = await folderOf({ 'api.json': openrpc(`${url}${name}#/A`) })
    const path = join(folder, 'api.json')
    const { code, stdout } = await twinspec('lint', '--openrpc', path, '--fetch-references')
    expect(code).toBe(1)
    expect(stdout).toMatch(/api\.json:1:\d+ error .*reference-cannot-be-fetched/)
    expect(stdout).toMatch(message)
    expect(existsSync(join(folder, 'references'))).toBe(false)
  })

  it('http to another machine and private addresses are not asked', async () => {
    for (const ref of [
      'http://example.com/a',
      'https://192.168.0.1/a',
      'https://u:p@example.com/a',
    ]) {
      const folder = await folderOf({ 'api.json': openrpc(`${ref}#/A`) })
      const path = join(folder, 'api.json')
      const { code, stdout } = await twinspec('lint', '--openrpc', path, '--fetch-references')
      expect(code).toBe(1)
      expect(stdout).toContain('reference-cannot-be-fetched')
    }
  })
})
