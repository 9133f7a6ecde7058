import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderOf, twinspec } from '../cli/command-line.js'
import { diagnose } from '../emit/strictest.js'

const message = (method: string, params: object, required: readonly string[] = []) => ({
  description: `Does ${method}.`,
  type: 'object',
  properties: { method: { type: 'string', const: method }, params },
  required: ['method', ...required],
})

/** A protocol as the Model Context Protocol defines its own: each message is a definition, and unions say who sends it. */
const schemaOf = (section: 'definitions' | '$defs', $schema: string, at = {}) => {
  const ref = (name: string) => ({ $ref: `#/${section}/${name}` })
  const union = (...names: readonly string[]) => ({ anyOf: names.map(ref) })
  return `${JSON.stringify(
    {
      $schema,
      [section]: {
        ClientRequest: union('PingRequest', 'ListNotesRequest', 'WriteNoteRequest'),
        ClientNotification: { ...ref('ReadyNotification') },
        ServerRequest: union('PingRequest', 'AskRequest'),
        ServerNotification: union('ChangedNotification'),
        ClientResult: union('EmptyResult', 'AskResult'),
        Request: {
          type: 'object',
          properties: {
            method: { type: 'string' },
            params: {
              type: 'object',
              additionalProperties: {},
              properties: { _meta: { type: 'object', additionalProperties: {} } },
            },
          },
        },
        EmptyResult: { type: 'object' },
        PageParams: { type: 'object', properties: { cursor: { type: 'string' } } },
        PingRequest: message('ping', { type: 'object', properties: {} }),
        ListNotesRequest: message('notes/list', ref('PageParams')),
        ListNotesResult: {
          type: 'object',
          properties: { notes: { type: 'array', items: ref('Note') } },
          required: ['notes'],
        },
        WriteNoteRequest: message(
          'notes/write',
          { type: 'object', properties: { note: ref('Note') }, required: ['note'] },
          ['params'],
        ),
        ReadyNotification: message('notifications/ready', { type: 'object' }),
        AskRequest: message('ask', {
          anyOf: [
            {
              type: 'object',
              properties: { mode: { const: 'form' }, text: { type: 'string' } },
              required: ['mode', 'text'],
            },
            {
              type: 'object',
              properties: { mode: { const: 'url' }, url: { type: 'string' } },
              required: ['mode', 'url'],
            },
          ],
        }),
        AskResult: { type: 'object', properties: { answer: { type: 'string' } } },
        ChangedNotification: message('notifications/changed', {
          type: 'object',
          properties: { at: { type: 'integer', ...at } },
        }),
        Batch: { type: 'array', items: ref('PingRequest') },
        Note: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
      },
    },
    null,
    2,
  )}\n`
}

it.each([
  ['definitions', 'http://json-schema.org/draft-07/schema#', '--openrpc'],
  ['$defs', 'https://json-schema.org/draft/2020-12/schema', '--openapi'],
] as const)(
  'the JSON Schema of a JSON-RPC protocol is read as OpenRPC (%s, %s, %s)',
  async (section, dialect, flag) => {
    const text = schemaOf(section, dialect)
    const folder = await folderOf({ 'schema.json': text })
    const file = join(folder, 'schema.json')
    const out = join(folder, 'out')
    const run = await twinspec('generate', flag, file, '--with', 'server', '--out', out)
    expect(run).toMatchObject({ code: 0 })
    expect(run.stderr).toMatch(
      /schema\.json:3:\d+ note the definitions are JSON-RPC messages.* 6 methods.*document-is-converted/,
    )
    const names = [
      'rpc.client.ts',
      'rpc.types.ts',
      'operations.ts',
      'validators.ts',
      'explanations.ts',
      'server.ts',
      'rpc.openrpc.json',
    ]
    const texts = names.map((name) => [name, readFileSync(join(out, name), 'utf8')] as const)
    const use = `import { createRpcClient } from './rpc.client.js'
import type { Handlers } from './server.js'
const rpc = createRpcClient({ server: 'http://localhost/' })
export const first: Promise<string | undefined> = rpc.notesList({ cursor: 'a' }).then((page) => page.notes[0]?.text)
void rpc.notesWrite({ note: { text: 'a' } })
void rpc.ping({})
void rpc.ping({ _meta: { progressToken: 1 } })
void rpc.notificationsReady({})
// @ts-expect-error a note has text
void rpc.notesWrite({ note: {} })
// @ts-expect-error the server sends it
rpc.ask
// @ts-expect-error the server sends it
rpc.notificationsChanged
export const handler: Handlers['notesList'] = ({ cursor }) => ({ notes: [{ text: cursor ?? '' }] })
`
    expect(diagnose(new Map([...texts, ['use.ts', use]]), 'strict')).toEqual([])
    const types = readFileSync(join(out, 'rpc.types.ts'), 'utf8')
    expect(types).toMatch(/ask: \{[\s\S]{0,200}mode: 'form' \| 'url'/)
  },
)

it('a union of one message may be that message, and a response may say what its result is', async () => {
  const { $defs, ...rest } = JSON.parse(
    schemaOf('$defs', 'https://json-schema.org/draft/2020-12/schema'),
  )
  const ref = (name: string) => ({ $ref: `#/$defs/${name}` })
  const result = { anyOf: [ref('ListNotesResult'), ref('AskResult')] }
  const written = {
    ...rest,
    $defs: {
      ...$defs,
      ClientNotification: $defs.ReadyNotification,
      ListNotesResultResponse: { type: 'object', properties: { id: { type: 'integer' }, result } },
    },
  }
  const folder = await folderOf({ 'schema.json': JSON.stringify(written, null, 2) })
  const file = join(folder, 'schema.json')
  const out = join(folder, 'out')
  const run = await twinspec('generate', '--openrpc', file, '--out', out)
  expect(run).toMatchObject({ code: 0 })
  expect(run.stderr).toContain('with 6 methods')
  const client = readFileSync(join(out, 'rpc.client.ts'), 'utf8')
  expect(client).toMatch(/notificationsReady/)
  const types = readFileSync(join(out, 'rpc.types.ts'), 'utf8')
  expect(types).toMatch(/Result = ListNotesResult \| AskResult/)
})

it('a finding in such a schema has its place in it', async () => {
  const draft = 'http://json-schema.org/draft-07/schema#'
  const text = schemaOf('definitions', draft, { minimum: 'now' })
  const folder = await folderOf({ 'schema.json': text })
  const file = join(folder, 'schema.json')
  const line = text.split('\n').findIndex((one) => one.includes('"minimum"')) + 1
  const { stdout } = await twinspec('lint', file, '--verbose')
  expect(stdout).toMatch(new RegExp(`schema\\.json:${line}:\\d+ .*minimum`))
})

it('lint does not ask of such a schema what it has no place for', async () => {
  const text = schemaOf('definitions', 'http://json-schema.org/draft-07/schema#')
  const folder = await folderOf({ 'schema.json': text })
  const { stdout } = await twinspec('lint', join(folder, 'schema.json'))
  // Nothing refers to `Batch`, and a message has no pairings of params and result.
  expect(stdout).not.toMatch(/component-is-unused|method-has-no-example/)
})

it('two versions of such a schema are compared', async () => {
  const text = schemaOf('definitions', 'http://json-schema.org/draft-07/schema#')
  const without = text.replace(/\{\s*"\$ref": "#\/definitions\/WriteNoteRequest"\s*\}/, '{}')
  const folder = await folderOf({ 'old.json': text, 'new.json': without })
  const run = await twinspec(
    'diff',
    join(folder, 'new.json'),
    '--against',
    join(folder, 'old.json'),
  )
  expect(run.code).toBe(1)
  expect(run.stdout).toMatch(/notes\/write/)
})

it('another JSON Schema is no description of a service', async () => {
  const folder = await folderOf({
    'schema.json': JSON.stringify({ definitions: { Note: { type: 'object' } } }),
  })
  const { code, stdout } = await twinspec('lint', join(folder, 'schema.json'))
  expect(code).toBe(1)
  expect(stdout).toContain('document-version-is-unknown')
})
