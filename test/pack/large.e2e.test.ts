import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ran as command } from '../cli/command.js'
import { install, ran, tarballOf } from './packed.js'

let home = ''

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'twinspec-large-'))
})

afterAll(() => rm(home, { recursive: true, force: true }))

/** One more than whole files are written for, of two tags. */
const operation = (tag: string, index: number) => ({
  get: {
    operationId: `get${tag}${index}`,
    tags: [tag],
    responses: {
      200: {
        description: 'Its number',
        content: { 'application/json': { schema: { type: 'integer' } } },
      },
    },
  },
})

test('a large document is a part for each group, with each operation of it', async () => {
  const places = Array.from(
    { length: 101 },
    (_, at) => [at % 2 === 0 ? 'Even' : 'Odd', at] as const,
  )
  const paths = places.map(([tag, at]) => [`/${tag}/${at}`, operation(tag, at)])
  const info = { title: 'Numbers', version: '1', license: { name: 'MIT' } }
  const document = { openapi: '3.0.3', info, paths: Object.fromEntries(paths) }
  const openapi = join(home, 'openapi.json')
  await writeFile(openapi, JSON.stringify(document))
  const folder = join(home, 'package')
  const args = ['--name', 'numbers', '--out', folder, '--openapi', openapi, '--without', 'msw']
  expect(await command(['pack', ...args])).toMatchObject({ code: 0 })
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  expect(manifest.exports).toMatchObject({
    './http': { default: './dist/http.client.js' },
    './http/calls/even': {
      types: './dist/even/http.calls.d.ts',
      default: './dist/even/http.calls.js',
    },
    './http/calls/odd/*': { types: './dist/odd/*.d.ts', default: './dist/odd/*.js' },
  })
  expect(manifest).toMatchObject({ license: 'MIT' })

  const app = join(home, 'app')
  await install(app, [await tarballOf(folder, home)])
  const { stdout } = await ran('node', ['--input-type=module', '--eval', CALLS], app)
  expect(JSON.parse(stdout)).toEqual(['/Even/0', '/Even/2', '/Odd/1'])
})

const CALLS = `
import { createHttpClient } from 'numbers/http'
import { createGetEven2Client } from 'numbers/http/calls'
import { createGetOdd1Client } from 'numbers/http/calls/odd'
const asked = []
const fetch = async (url) => {
  asked.push(new URL(url).pathname)
  return new Response('1', { headers: { 'content-type': 'application/json' } })
}
const options = { server: 'http://127.0.0.1:1', fetch }
await createHttpClient(options).getEven0()
await createGetEven2Client(options).getEven2()
await createGetOdd1Client(options).getOdd1()
console.log(JSON.stringify(asked))
`
