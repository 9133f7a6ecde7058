import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ran } from './command.js'

/** A server of this machine, and a checkout with a document that refers to it. */
let server: Server
let port = 0
let asked: string[] = []
let checkout = ''

beforeEach(async () => {
  asked = []
  server = createServer(({ url = '' }, response) => {
    asked.push(url)
    if (url === '/redirect.yaml') response.writeHead(302, { location: '/x.yaml' }).end()
    // HTTP writes bytes: these are of UTF-8.
    else if (url === '/utf8.yaml')
      response.writeHead(302, { location: Buffer.from('/grö.yaml').toString('latin1') }).end()
    else response.end('type: string\n')
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  port = (server.address() as AddressInfo).port
  checkout = mkdtempSync(join(tmpdir(), 'twinspec-fetch-'))
})
afterEach(() => {
  server.close()
  rmSync(checkout, { recursive: true })
})

const put = (name: string, text: string): string => {
  const path = join(checkout, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

const document = (reference: string) => `openapi: 3.1.0
info: { title: T, version: '1' }
paths: { /a: { get: { responses: { '204': { description: d } } } } }
components: { schemas: { A: { $ref: '${reference}' } } }
`

const byConfiguration = () => [
  '--config',
  put('twinspec.config.yaml', 'documents: { fetch-references: true }'),
]

const lint = (reference: string, ...words: readonly string[]) =>
  ran(['lint', put('openapi.yaml', document(reference)), ...words])

const NAMES = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f.0.0.1',
  '0177.0.0.1',
  'localhost',
  'LOCALHOST',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
]

const OTHER_NAMES = ['0.0.0.0', '0', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', 'localhost.']

describe('a configuration of a checkout', () => {
  it.each(
    [...NAMES, ...OTHER_NAMES].flatMap((name) => [
      ['http', name],
      ['https', name],
    ]),
  )('does not send requests to this machine: %s://%s', async (scheme, name) => {
    const { code, stdout } = await lint(`${scheme}://${name}:${port}/x.yaml`, ...byConfiguration())
    expect(stdout).toContain('[reference-cannot-be-fetched]')
    expect([code, asked]).toEqual([1, []])
  })

  it('does not send one that would be redirected', async () => {
    const { code } = await lint(`http://127.0.0.1:${port}/redirect.yaml`, ...byConfiguration())
    expect([code, asked]).toEqual([1, []])
  })

  it('says what to do', async () => {
    const { stdout } = await lint(`http://127.0.0.1:${port}/x.yaml`, ...byConfiguration())
    expect(stdout).toContain('--fetch-references is on the command line')
  })

  it('is not helped by a lock file that claims a copy of a document of this machine', async () => {
    copyOf(`http://127.0.0.1:${port}/own.yaml`)
    const { code } = await lint(`http://127.0.0.1:${port}/own.yaml`, ...byConfiguration())
    expect([code, asked]).toEqual([1, []])
  })
})

/** Puts a copy of a remote document that refers to this machine beside the document. */
const copyOf = (uri: string) => {
  const text = `$ref: 'http://127.0.0.1:${port}/x.yaml'\n`
  put('references/copy.yaml', text)
  const sha256 = createHash('sha256').update(text).digest('hex')
  put('references/lock.json', JSON.stringify({ [uri]: { file: 'copy.yaml', sha256 } }))
}

describe('--fetch-references on the command line', () => {
  it.each(NAMES)('sends requests to this machine: %s', async (name) => {
    if (name.startsWith('[') && !(await hasAddress6())) return
    await lint(`http://${name}:${port}/x.yaml`, '--fetch-references')
    expect(asked).toEqual(['/x.yaml'])
  })

  it.each(OTHER_NAMES)('does not send them to other spellings: %s', async (name) => {
    const { code } = await lint(`http://${name}:${port}/x.yaml`, '--fetch-references')
    expect([code, asked]).toEqual([1, []])
  })

  it('follows redirects within this machine', async () => {
    await lint(`http://127.0.0.1:${port}/redirect.yaml`, '--fetch-references')
    expect(asked).toEqual(['/redirect.yaml', '/x.yaml'])
  })

  it('reads the location of a redirect as UTF-8, as clients do', async () => {
    await lint(`http://127.0.0.1:${port}/utf8.yaml`, '--fetch-references')
    expect(asked).toEqual(['/utf8.yaml', '/gr%C3%B6.yaml'])
  })

  it('does not help a document of another machine', async () => {
    copyOf('https://other.example/own.yaml')
    const { code, stdout } = await lint('https://other.example/own.yaml', '--fetch-references')
    expect([code, asked]).toEqual([1, []])
    expect(stdout).toContain('it is on this machine')
  })

  it('helps a document of this machine', async () => {
    copyOf(`http://127.0.0.1:${port}/own.yaml`)
    await lint(`http://127.0.0.1:${port}/own.yaml`, '--fetch-references')
    expect(asked).toEqual(['/x.yaml'])
  })

  it('is the same in the environment', async () => {
    const path = put('openapi.yaml', document(`http://127.0.0.1:${port}/x.yaml`))
    await ran(['lint', path], { env: { TWINSPEC_LINT_FETCH_REFERENCES: 'true' } })
    expect(asked).toEqual(['/x.yaml'])
  })
})

const hasAddress6 = () =>
  fetch(`http://[::1]:${port}/`).then(
    () => {
      asked = []
      return true
    },
    () => false,
  )
