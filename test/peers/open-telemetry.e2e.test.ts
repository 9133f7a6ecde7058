import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, snippetsOf, whySkipped } from './project.js'

const skipped = whySkipped()
if (skipped) console.warn(`test/peers/open-telemetry.e2e.test.ts: ${skipped}`)

describe.skipIf(skipped)('docs/opentelemetry.md, with the SDK of OpenTelemetry', () => {
  let project: Awaited<ReturnType<typeof createProject>>
  let program = ''
  let spans: Readonly<Record<string, readonly Span[]>> = {}
  beforeAll(async () => {
    project = await createProject({ plugins: 'standard-schema' })
    program = join(project.folder, 'open-telemetry.ts')
    await cp(join(import.meta.dirname, 'programs/open-telemetry.ts'), program)
    const lines = await project.run(program)
    spans = Object.fromEntries(lines.map((line) => JSON.parse(line)))
  })
  afterAll(() => project?.remove())

  it('the program and the snippets compile under all strict flags, and that of servers runs', async () => {
    const files = snippetsOf('opentelemetry.md').map(({ title, text }) =>
      project.write(`${title}.ts`, text),
    )
    expect(project.errorsOf([program, ...files])).toEqual([])
    const [, servers = ''] = files
    expect(await project.run(servers)).toEqual(['{"jsonrpc":"2.0","id":1,"result":12}'])
  })

  it('a call of JSON-RPC is a span, and the server continues its trace', () => {
    const [server, client] = spans.single ?? []
    expect(client).toMatchObject({ name: 'stock_level', kind: CLIENT, status: 0 })
    expect(client?.attributes).toEqual({
      ...PLACE,
      'url.full': 'http://shop.test/rpc',
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'rpc.system': 'jsonrpc',
      'rpc.method': 'stock_level',
      'rpc.jsonrpc.version': '2.0',
      'rpc.jsonrpc.request_id': '1',
    })
    expect(server).toMatchObject({
      name: 'POST /rpc',
      kind: SERVER,
      parent: client?.id,
      trace: client?.trace,
      attributes: { 'http.route': '/rpc', 'http.response.status_code': 200, handled: 'tea-1' },
    })
  })

  it('a batch is a span with a child for each call, of which one has an error code', () => {
    const clients = (spans.batch ?? []).filter(({ kind }) => kind === CLIENT)
    const batch = clients.find(({ name }) => name === 'POST')
    const calls = clients.filter(({ parent }) => parent === batch?.id)
    expect(calls.map(({ name, status }) => [name, status])).toEqual([
      ['stock_level', 0],
      ['stock_reserve', 2],
    ])
    const { attributes } = calls[1] ?? {}
    const code = attributes?.['rpc.jsonrpc.error_code']
    expect(code).toBeLessThan(0)
    expect(attributes?.['error.type']).toBe(String(code))
    expect(spans.batch?.filter(({ kind }) => kind === SERVER).map(({ parent }) => parent)).toEqual([
      batch?.id,
    ])
  })

  it('no attribute has a secret, and failures have a type', () => {
    expect(JSON.stringify(spans)).not.toContain('s3cret')
    expect(spans.secret?.find(({ kind }) => kind === CLIENT)?.status).toBe(2)
    expect(spans.network?.[0]).toMatchObject({
      name: 'GET getOrder',
      status: 2,
      attributes: { ...PLACE, 'error.type': 'TypeError' },
    })
    expect(spans.http).toMatchObject([
      { name: 'POST searchOrders', status: 2, attributes: { 'error.type': '503' } },
      { name: 'POST searchOrders', status: 0, attributes: { 'http.request.resend_count': 1 } },
    ])
  })

  it('the active span is the parent', () => {
    const parent = spans.nested?.find(({ name }) => name === 'parent')
    expect(spans.nested?.find(({ kind }) => kind === CLIENT)?.parent).toBe(parent?.id)
  })
})

type Span = {
  readonly name: string
  readonly kind: number
  readonly status: number
  readonly parent?: string
  readonly id: string
  readonly trace: string
  readonly attributes: Readonly<Record<string, string | number>>
}

const SERVER = 1
const CLIENT = 2
const PLACE = { 'server.address': 'shop.test', 'server.port': 80 }
