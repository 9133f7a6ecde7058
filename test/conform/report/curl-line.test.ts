import { execFile, spawnSync } from 'node:child_process'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { curlLine } from '../../../src/conform/report/shown.js'
import { redactor } from '../../../src/runtime/shared/redact.js'

const hasCurl = spawnSync('curl', ['--version']).status === 0
if (!hasCurl) console.warn('curl is not installed: what its lines send is not tried')

const KEY = 'key-1'
const blot = redactor([KEY])

let seen: { readonly request: IncomingMessage; readonly body: Buffer } | undefined

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    seen = { request, body: Buffer.concat(chunks) }
    response.end('taken')
  })
})

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => server.close())

const ran = (line: string) =>
  new Promise<string>((resolve, reject) => {
    const env = { ...process.env, KEY }
    execFile('sh', ['-c', line], { env }, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    )
  })

const BODIES: readonly (readonly [string, string | Uint8Array])[] = [
  ['nothing', ''],
  ['quotes, percents and escapes', `it's "100 %" \\n of $HOME, \`date\`!`],
  ['what would name a file', '@/etc/hosts'],
  ['what would be an option, and lines', '-n\r\n%s\n'],
  ['a byte order mark', '\ufeff{"a":1}'],
  ['what turns the line around', 'ü\u202eb'],
  [
    'bytes that are no text, the key among them',
    new Uint8Array([0, 255, 39, 37, 92, 107, 101, 121, 45, 49, 128]),
  ],
  ['the key between other things', `{"key":"${KEY}","$x":"'"}`],
  ['eight million letters and the key', `${'x'.repeat(8_000_000)}{"key":"${KEY}"}`],
  ['what is nested deeply', '['.repeat(5_000) + ']'.repeat(5_000)],
]

describe.runIf(hasCurl)('a line of curl', () => {
  it.each(BODIES)('sends %s to the byte, and never shows the key', async (_, body) => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${KEY}/../[a]?b={c}'$HOME`
    for (const method of ['POST', 'PUT', 'GET']) {
      const headers = { accept: 'application/json', 'x-key': `it's ${KEY}`, 'x-empty': '' }
      const line = curlLine({ method, url, headers, body }, blot)
      expect(line).not.toContain(KEY)
      expect(await ran(line)).toMatch(/^HTTP\/1.1 200 OK[\s\S]*taken$/)
      expect(seen?.request.method).toBe(method)
      expect(seen?.request.url).toBe(`/${KEY}/../[a]?b={c}'$HOME`)
      expect(seen?.request.headers).toMatchObject({ ...headers, accept: 'application/json' })
      expect(seen?.request.headers['content-type']).toBeUndefined()
      expect(seen?.request.headers.expect).toBeUndefined()
      expect(seen?.body.equals(Buffer.from(body))).toBe(true)
    }
  })

  it('ends where HEAD is asked for', async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    expect(await ran(curlLine({ method: 'HEAD', url, headers: {} }, blot))).toContain('200 OK')
    expect(seen?.request.method).toBe('HEAD')
  })
})

describe('a line of curl, as it is read', () => {
  const url = `http://127.0.0.1/zone/${KEY}`

  it('lets a shell fill in the key, for what stands between single quotes it does not expand', () => {
    const body = `{"method":"a","params":["${KEY}"]}`
    expect(curlLine({ method: 'POST', url, headers: { 'x-a': '1' }, body }, blot)).toBe(
      `curl -si "http://127.0.0.1/zone/$KEY" -H 'x-a: 1' -H 'content-type:' --data-binary '{"method":"a","params":["'"$KEY"'"]}'`,
    )
  })

  it('keeps the scheme of credentials that are secret as a whole', () => {
    const both = redactor([`Bearer ${KEY}`, KEY])
    const sent = { method: 'GET', url: 'http://a', headers: { authorization: `Bearer ${KEY}` } }
    expect(curlLine(sent, both)).toBe(`curl -si 'http://a' -H "authorization: Bearer $KEY"`)
  })

  it('says what it leaves out where a body is too long and does not repeat itself', () => {
    const body = Array.from({ length: 9_000 }, (_, index) => index).join('')
    expect(
      curlLine({ method: 'POST', url, headers: { 'content-type': 'text/plain' }, body }, blot),
    ).toBe(
      `curl -si "http://127.0.0.1/zone/$KEY" -H 'content-type: text/plain' --data-binary @body # a file of 34890 bytes, too long to be shown`,
    )
  })
})
