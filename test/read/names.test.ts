import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderOf, twinspec } from '../cli/command-line.js'
import { findingsIn } from '../report/report-of.js'
import { apiOf, openrpcOf } from './api-of.js'

/** What `generate` prints as findings, and the text of what it writes. */
const generated = async (files: Readonly<Record<string, string>>, ...args: readonly string[]) => {
  const folder = await folderOf(files)
  const out = join(folder, 'out')
  const paths = Object.keys(files).map((name) => [
    name.startsWith('openapi') ? '--openapi' : '--openrpc',
    join(folder, name),
  ])
  const { code, stdout, stderr } = await twinspec(
    'generate',
    ...[...paths.flat(), '--with', 'server,typebox', '--out', out, '--format', 'json', ...args],
  )
  expect({ code, stderr }).toMatchObject({ code: 0 })
  const findings = findingsIn(stdout)
  const names = readdirSync(out, { recursive: true, encoding: 'utf8' })
  const text = (name: string) => readFileSync(join(out, name), 'utf8')
  return { findings, names: names.filter((name) => /\.\w+$/.test(name)).sort(), text }
}

const openapi = (paths: string, more = ''): string => `openapi: 3.1.0
info: { title: Things, version: '1' }
paths:
${paths}
${more}`

const get = (path: string, id: string, more = '') =>
  `  ${path}: { get: { operationId: ${id}, ${more}responses: { '200': { description: One } } } }`

/** The members of the type of the client. */
const operationsIn = (text: string) =>
  [...text.matchAll(/^ {2}readonly (\S+): (?:Call|Method)</gm)].map(([, name]) => name)

it('Names: reserved words, scripts, punctuation, digits, emoji and collisions become identifiers by one rule', async () => {
  const ids = [
    'delete',
    'größe',
    '客户',
    "'files[0]'",
    'a.b/c',
    '2fa',
    "'🚀 launch'",
    "'🚀'",
    'a_b',
    'a-b',
    'aB',
  ]
  const document = openapi(ids.map((id, at) => get(`/x${at}`, id)).join('\n'))
  const { findings, text } = await generated({ 'openapi.yaml': document })
  expect(operationsIn(text('http.client.ts'))).toEqual([
    'delete_',
    'größe',
    '客户',
    'files0',
    'aBC',
    '_2fa',
    'launch',
    '_',
    'a_b',
    'aB',
    'aB2',
  ])
  const changed = findings.filter(({ rule }) => rule === 'operation-name-was-changed')
  expect(changed.map(({ location, message }) => `${location.line} ${message}`)).toEqual([
    '4 delete is called delete_ in generated code: its own name is a reserved word',
    '7 files[0] is called files0 in generated code: its own name is not an identifier',
    '8 a.b/c is called aBC in generated code: its own name is not an identifier',
    '9 2fa is called _2fa in generated code: its own name is not an identifier',
    '10 🚀 launch is called launch in generated code: its own name is not an identifier',
    '11 🚀 is called _ in generated code: its own name is not an identifier',
    '13 a-b is called aB in generated code: its own name is not an identifier',
    '14 aB is called aB2 in generated code: a-b has the name aB already',
  ])
})

it('Names: a method is reported by its written name, with the method that has its name in generated code', async () => {
  const methods = ['wallet_lock', 'wallet-lock', 'raw'].map((name) => ({
    name,
    params: [],
    result: { name: 'ok', schema: { type: 'boolean' } },
  }))
  const { findings } = await apiOf({ openrpc: openrpcOf({ methods }) })
  const changed = findings.filter(({ rule }) => rule === 'operation-name-was-changed')
  expect(changed.map(({ message }) => message)).toEqual([
    'wallet-lock is called walletLock2 in generated code: wallet_lock has the name walletLock already',
    'raw is called raw_ in generated code: the name raw is used by a schema or generated code',
  ])
})

it('Names: a schema that differs by punctuation alone gets a number, which a warning says', async () => {
  const schemas = `components:
  schemas:
    Größe: { type: integer }
    Pet: { type: string }
    'Pet[]': { type: array, items: { $ref: '#/components/schemas/Pet' } }
    default: { type: string }`
  const { findings, text } = await generated({
    'openapi.yaml': openapi(get('/pets', 'pets'), schemas),
  })
  expect(text('schemas.ts').match(/^export type \S+/gm)).toEqual(
    expect.arrayContaining(
      ['Größe', 'Pet', 'Pet2', 'default_'].map((name) => `export type ${name}`),
    ),
  )
  expect(findings.map(({ message }) => message)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^the schema Pet\[\] is called Pet2 in generated code/),
      expect.stringMatching(/^the schema default is called default_ in generated code/),
    ]),
  )
})

it('Names: a positional param is labelled by the same rule, which a note says', async () => {
  const document = `openrpc: 1.3.2
info: { title: Things, version: '1' }
methods:
  - name: things_read
    params:
      - { name: 'files[0]', schema: { type: string } }
      - { name: files0, schema: { type: string } }
      - { name: in, schema: { type: string } }
    result: { name: r, schema: { type: string } }
`
  const { findings, text } = await generated({ 'openrpc.yaml': document })
  expect(text('rpc.types.ts')).toMatch(/\[\s*files0\?: [^,]+,\s*files02\?: [^,]+,\s*in_\?: /)
  expect(
    findings.map(({ level, location, message }) => `${level} ${location.line} ${message}`),
  ).toEqual([
    'note 6 the param files[0] of things_read is called files0 in generated types: its own name is not an identifier',
    'note 7 the param files0 of things_read is called files02 in generated types: its own name is already used',
    'note 8 the param in of things_read is called in_ in generated types: its own name is a reserved word',
  ])
})

it('a server without a name is called by its host', async () => {
  const servers = `servers:
  - { url: 'https://api.example.com/v1' }
  - { url: 'https://user@api.example.com/v2/' }
  - { url: 'https://api.example.com/v2' }
  - { url: 'https://{region}.example.com:8443', variables: { region: { default: eu } } }
  - { url: /v3 }
  - { url: 'https://named.example.com', x-name: production }`
  const { text } = await generated({ 'openapi.yaml': openapi(get('/a', 'readA'), servers) })
  expect(
    /^export type HttpServer = (.*)$/m.exec(text('http.client.ts'))?.[1]?.split(' | '),
  ).toEqual([
    "'api.example.com'",
    "'api.example.com/v2'",
    "'server3'",
    "'{region}.example.com:8443'",
    "'server5'",
    "'production'",
  ])
})

it('an optional body of a GET without properties is a warning', async () => {
  const body = (schema: string, required = false) =>
    `requestBody: { required: ${required}, content: { application/x-www-form-urlencoded: { schema: ${schema} } } }, `
  const document = openapi(
    [
      get('/a', 'readA', body('{ type: object, properties: {}, additionalProperties: false }')),
      get('/b', 'readB', body('{ type: object, properties: { b: { type: string } } }')),
      get('/c', 'readC', body('{ type: object }', true)),
    ].join('\n'),
  )
  const folder = await folderOf({ 'openapi.yaml': document })
  const path = join(folder, 'openapi.yaml')
  const { stdout } = await twinspec('lint', '--openapi', path, '--format', 'json')
  const found = findingsIn(stdout)
    .filter(({ rule }) => rule.startsWith('request-body-'))
    .map(({ level, message }) => `${level} ${message.split(',')[0]}`)
  expect(found).toEqual([
    'warning GET /a declares an optional body without properties',
    'error GET /b declares a body',
    'error GET /c declares a body',
  ])
})
