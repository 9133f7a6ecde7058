import { chmodSync, lstatSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createRpcClient } from '../../generated/rpc.client.js'
import { ran } from './command.js'
import { folderOf, startTwinspec, twinspec } from './command-line.js'

const HEAD = `openapi: 3.1.0
info: { title: T, version: '1' }
servers: [{ url: 'http://api.example' }]
paths:
  /one:
    get:
      operationId: hasOwnProperty
      responses:
        '204': { description: Nothing. }
`

it('an operation called __proto__ is one of the mock and of clients, by a name of its own', async () => {
  const folder = await folderOf({ 'api.yaml': HEAD.replace('hasOwnProperty', '__proto__') })
  const { code, stdout } = await ran([
    'compatibility',
    join(folder, 'api.yaml'),
    '--version',
    join(folder, 'api.yaml'),
  ])
  expect([code, stdout]).toEqual([0, expect.stringMatching(/GET \/one +works/)])
})

it('lint --fix reports a file that cannot be written in one sentence', async () => {
  // Beside a name of 255 characters no new file fits, whoever runs the test.
  const name = `${'a'.repeat(250)}.yaml`
  const folder = await folderOf({ [name]: HEAD })
  const { code, stderr } = await twinspec('lint', '--fix', join(folder, name))
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^twinspec lint: .* cannot be written/)])
  expect(readFileSync(join(folder, name), 'utf8')).toBe(HEAD)
})

it('lint --fix keeps the mode of a file, and the link that leads to it', async () => {
  const folder = await folderOf({ 'api.yaml': HEAD })
  chmodSync(join(folder, 'api.yaml'), 0o640)
  symlinkSync('api.yaml', join(folder, 'link.yaml'))
  const { stdout } = await twinspec('lint', '--fix', join(folder, 'link.yaml'))
  expect(stdout).toContain('fixed')
  expect(statSync(join(folder, 'api.yaml')).mode & 0o777).toBe(0o640)
  expect(lstatSync(join(folder, 'link.yaml')).isSymbolicLink()).toBe(true)
})

it('lint --fix adds components.responses beside components.schemas', async () => {
  const schemas = 'components:\n  schemas:\n    Used:\n      type: object\n'
  const text = HEAD.replace(
    "'204': { description: Nothing. }",
    "'200':\n          description: All.",
  )
  const folder = await folderOf({ 'api.yaml': text + schemas })
  const path = join(folder, 'api.yaml')
  const { stdout, stderr } = await twinspec('lint', '--fix', '--openapi', path)
  expect(stdout + stderr).not.toContain('its layout leaves no place')
  const fixed = readFileSync(path, 'utf8')
  expect(fixed).toMatch(/components:\n {2}schemas:\n {4}Used:\n {6}type: object\n/)
  expect(fixed).toContain('\n  responses:\n    InvalidRequest:\n')
})

it('lint --fix writes the line endings of the document', async () => {
  const folder = await folderOf({ 'api.yaml': HEAD.replaceAll('\n', '\r\n') })
  const path = join(folder, 'api.yaml')
  await twinspec('lint', '--fix', path)
  const fixed = readFileSync(path, 'utf8')
  expect(fixed).toContain('InvalidRequest')
  expect(fixed.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
})

it.each([
  ['a link to itself', 'loop'],
  ['a file as a folder', 'api.yaml/x'],
  ['a name of 300 characters', 'a'.repeat(300)],
])('a path that cannot be read is an error, and not a bug: %s', async (_, name) => {
  const folder = await folderOf({ 'api.yaml': HEAD })
  symlinkSync('loop', join(folder, 'loop'))
  const [path, document] = [join(folder, name), join(folder, 'api.yaml')]
  const results = [
    await twinspec('lint', path),
    await twinspec('diff', document, '--against', path),
    await twinspec('compatibility', document, '--version', path),
    await twinspec('compatibility', document, '--version', document, '--consumer', path),
    await twinspec('init', '--dir', join(path, 'project')),
  ]
  for (const { code, stdout, stderr } of results) {
    expect([code, stdout + stderr]).toEqual([2, expect.not.stringContaining('this is a bug')])
    expect(stderr).not.toMatch(/^ {4}at /m)
  }
})

it('the mock answers an operation that is called hasOwnProperty', async () => {
  const folder = await folderOf({ 'api.yaml': HEAD })
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  const path = join(folder, 'api.yaml')
  const { said, code } = startTwinspec(['mock', path, '--port', '0'], ending.signal)
  const url = () => /http:\/\/127\.0\.0\.1:\d+/.exec(said.stdout + said.stderr)?.[0]
  await expect.poll(url, { timeout: 120_000 }).toBeDefined()
  expect((await fetch(`${url()}/one`)).status).toBe(204)
  ending.abort()
  await code
})

it('explain says of a lint rule what it checks, and does not repeat its id', async () => {
  const { stdout } = await twinspec('explain', 'example-invalid')
  expect(stdout).not.toContain('Example invalid.')
  expect(stdout).toMatch(/what +Callers copy examples, mock servers return them,/)
})

it('a variable of the environment that is misspelt is a warning with the right name', async () => {
  const folder = await folderOf({ 'api.yaml': HEAD })
  const env = { TWINSPEC_LNT_FAIL_ON: 'note', TWINSPEC_LINT_LEVEL: 'note', TWINSPEC_DATA: 'x' }
  const { code, stderr } = await ran(['lint', join(folder, 'api.yaml')], { env })
  expect(stderr).toContain(
    'the variable TWINSPEC_LNT_FAIL_ON has no effect: did you mean TWINSPEC_LINT_FAIL_ON?',
  )
  expect(stderr).toContain('the variable TWINSPEC_LINT_LEVEL has no effect')
  expect(stderr).not.toContain('TWINSPEC_DATA')
  expect(code).toBe(0)
})

it('an RPC client asks for another key after a 401, and sends the call again, once', async () => {
  const urls: string[] = []
  const keys: (string | undefined)[] = []
  const client = (next: string) =>
    createRpcClient({
      server: 'https://chain.example',
      auth: {
        apiKey: (rejected) => {
          keys.push(rejected)
          return rejected === undefined ? 'old-key' : next
        },
      },
      fetch: async (request: Request | URL | string) => {
        const url = request instanceof Request ? request.url : String(request)
        urls.push(url)
        return url.endsWith('/old-key')
          ? new Response('unknown key', { status: 401 })
          : Response.json({ jsonrpc: '2.0', id: 1, result: '0x1' })
      },
    })
  expect(await client('new-key').ethChainId()).toBe('0x1')
  expect(keys).toEqual([undefined, 'old-key'])
  expect(urls.map((url) => url.split('/').at(-1))).toEqual(['old-key', 'new-key'])
  urls.length = 0
  await expect(client('old-key').ethChainId()).rejects.toThrow('401')
  expect(urls).toHaveLength(1)
})
