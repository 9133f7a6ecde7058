import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { folderOf, startTwinspec, twinspec } from '../cli/command-line.js'
import { importFile } from '../emit/generated-code.js'

/** Patterns that RegExp matches in exponential time, each with a text that fits and the part of one that takes long. */
const SLOW = {
  nested: { pattern: '^(a+)+$', fits: 'aaaa', repeated: 'a' },
  alternatives: { pattern: '^(a|a)*$', fits: 'aaaa', repeated: 'a' },
  words: { pattern: '^(\\w+\\s?)*$', fits: 'two words', repeated: 'a' },
  lookahead: { pattern: '^(?=.*[A-Z])(\\w+\\s?)*$', fits: 'Two words', repeated: 'A' },
}

const text = ({ pattern }: { readonly pattern: string }) => ({ type: 'string', pattern })
const schema = {
  type: 'object',
  properties: Object.fromEntries(Object.entries(SLOW).map(([name, one]) => [name, text(one)])),
}
const json = { content: { 'application/json': { schema } } }
const document = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Names', version: '1' },
  servers: [{ url: 'http://api.example' }],
  paths: {
    '/names': {
      post: {
        operationId: 'sendNames',
        requestBody: { required: true, ...json },
        responses: {
          200: { description: 'The names.', ...json },
          400: { description: 'Invalid.' },
        },
      },
    },
  },
})

const hostile = Object.entries(SLOW).map(([name, { repeated }]) => ({
  [name]: `${repeated.repeat(10_000)}!`,
}))
const fitting = Object.fromEntries(Object.entries(SLOW).map(([name, { fits }]) => [name, fits]))

const post = (value: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})

it('a generated server rejects a long text at once that a pattern would take years to match', async () => {
  const folder = await folderOf({ 'api.json': document })
  const out = join(folder, 'out')
  const { code } = await twinspec(
    'generate',
    '--openapi',
    join(folder, 'api.json'),
    '--with',
    'server',
    '--out',
    out,
  )
  expect(code).toBe(0)
  const generated = await importFile<Generated>(out, 'server.ts')
  const handle = generated.toFetchHandler(
    generated.createServer({ sendNames: ({ body }) => ({ status: 200, body }) }),
  )
  const statusOf = async (value: object) =>
    (await handle(new Request('http://api.example/names', post(value)))).status
  expect(await statusOf(fitting)).toBe(200)
  for (const one of hostile) expect(await statusOf(one)).toBe(400)
})

type Generated = {
  readonly createServer: (handlers: {
    readonly sendNames: (input: { readonly body: unknown }) => object
  }) => object
  readonly toFetchHandler: (server: object) => (request: Request) => Promise<Response>
}

it('a mock server does so too', async () => {
  const folder = await folderOf({ 'api.json': document })
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  const { said, code } = startTwinspec(
    ['mock', join(folder, 'api.json'), '--port', '0'],
    ending.signal,
  )
  const url = () => /http:\/\/127\.0\.0\.1:\d+/.exec(said.stdout + said.stderr)?.[0]
  await expect.poll(url, { timeout: 120_000 }).toBeDefined()
  for (const one of hostile) expect((await fetch(`${url()}/names`, post(one))).status).toBe(400)
  ending.abort()
  await code
})

it('lint names the patterns that can take exponential time, and a text that does', async () => {
  const folder = await folderOf({ 'api.json': document })
  const rule = 'pattern-takes-too-long'
  const { code, stdout } = await twinspec(
    ...['lint', '--openapi', join(folder, 'api.json'), '--only', rule, '--fail-on', 'warning'],
  )
  expect(code).toBe(1)
  expect(stdout).toContain('^(a+)+$ takes exponential time for a text that repeats "a"')
  expect(stdout).toMatch(/api\.json:1:\d+/)
  const usual = document
    .replaceAll('(a+)+', 'a+')
    .replaceAll('a|a', 'a|b')
    .replaceAll('(\\\\w+\\\\s?)*', '\\\\w+( \\\\w+)*')
  const other = await folderOf({ 'api.json': usual })
  const args = ['lint', '--openapi', join(other, 'api.json'), '--only', rule]
  expect((await twinspec(...args, '--fail-on', 'warning')).code).toBe(0)
})
