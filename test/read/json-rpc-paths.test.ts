import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseDocument } from '../../src/read/document.js'
import { loadApi } from '../../src/read/load.js'
import { folderOf, twinspec } from '../cli/command-line.js'

/** As NEAR describes its service: a path for each method, whose body is the whole request. */
const path = (method: string) => `  /${method}:
    post:
      operationId: ${method}
      description: Does ${method}
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Request_${method}' } } } }
      responses:
        '200': { description: '', content: { application/json: { schema: { $ref: '#/components/schemas/Response_${method}' } } } }
`
const schemas = (method: string, params: string, result: string) => `    Request_${method}:
      type: object
      required: [jsonrpc, id, method, params]
      properties: { jsonrpc: { type: string }, id: { type: string }, method: { type: string, enum: [${method}] }, params: ${params} }
    Response_${method}:
      type: object
      required: [jsonrpc, id]
      properties: { jsonrpc: { type: string }, id: { type: string } }
      oneOf:
        - { type: object, required: [result], properties: { result: ${result} } }
        - { type: object, required: [error], properties: { error: { type: object } } }
`
const CALLS = [
  [
    'block',
    "{ $ref: '#/components/schemas/BlockRequest' }",
    "{ $ref: '#/components/schemas/Block' }",
  ],
  ['status', '{ type: array, maxItems: 0 }', '{ type: string }'],
] as const
const DOCUMENT = `openapi: 3.0.0
info: { title: Near, version: '1' }
paths:
${CALLS.map(([method]) => path(method)).join('')}components:
  schemas:
    Block: { type: object, required: [height], properties: { height: { type: integer } } }
    BlockRequest:
      oneOf:
        - { type: object, required: [block_id], properties: { block_id: { type: integer } } }
        - { type: object, required: [finality], properties: { finality: { type: string, enum: [optimistic, final] } } }
${CALLS.map(([method, params, result]) => schemas(method, params, result)).join('')}`

it.each(['--openapi', '--openrpc'])(
  'a JSON-RPC service in OpenAPI, one path for each method, is read as OpenRPC (%s)',
  async (flag) => {
    const folder = await folderOf({ 'near.yaml': DOCUMENT })
    const file = join(folder, 'near.yaml')
    const out = join(folder, 'out')
    const run = await twinspec('generate', flag, file, '--out', out)
    expect(run).toMatchObject({ code: 0 })
    expect(run.stderr).toMatch(
      /near\.yaml:4:\d+ note every path is a JSON-RPC method.*document-is-converted/,
    )
    const types = readFileSync(join(out, 'rpc.types.ts'), 'utf8')
    expect(types).toMatch(/Input = \{ block_id\?: number; finality\?: 'optimistic' \| 'final' \}/)
    expect(types).toMatch(/Result = Block\n/)
    expect(types).toMatch(/StatusInput = \[\]\nexport type StatusResult = string/)
    const linted = await twinspec('lint', flag, file, '--verbose')
    expect(linted.stdout).not.toContain('Request_block')
    expect(linted.stdout).toMatch(/near\.yaml:6:\d+/)
  },
)

it('a document with one other path stays OpenAPI', async () => {
  const other = DOCUMENT.replace(
    'paths:\n',
    "paths:\n  /health: { get: { responses: { '200': { description: ok } } } }\n",
  )
  const folder = await folderOf({ 'near.yaml': other })
  const { stdout } = await twinspec('lint', '--openapi', join(folder, 'near.yaml'), '--verbose')
  expect(stdout).not.toContain('document-is-converted')
})

it('params that are a list of one type are as many as the document shows, and a 201 has a result', async () => {
  const listed = (list: string) =>
    DOCUMENT.replace(
      '{ type: array, maxItems: 0 }',
      `{ type: array, items: { type: string }${list} }`,
    )
  const read = async (list: string) => {
    const text = listed(list).replaceAll("'200'", "'201'")
    const { operations, findings } = await loadApi({ openapi: parseDocument(text, 'near.yaml') })
    const status = operations.find(({ id }) => id === 'status')
    const warned = findings.filter(({ level }) => level === 'warning')
    return { status: status?.kind === 'rpc' ? status : undefined, warned }
  }
  const shown = await read(", minItems: 1, example: ['0x1', latest]")
  expect(shown.status?.params.map(({ required, schema }) => [required, schema])).toEqual([
    [true, { type: 'string' }],
    [false, { type: 'string' }],
  ])
  expect(shown.status?.result.schema).toEqual({ type: 'string' })
  expect((await read(', maxItems: 3')).status?.params).toHaveLength(3)
  const unknown = await read('')
  expect(unknown.status?.params).toEqual([])
  expect(unknown.warned.map(({ message }) => message)).toEqual([
    expect.stringContaining('the number of params of status is not known'),
  ])
})
