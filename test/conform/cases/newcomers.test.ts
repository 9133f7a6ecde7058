import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderOf, twinspec } from '../../cli/command-line.js'
import { bad, notesDocument, startListener, startNotes, text } from '../notes.js'

it('an operation that answers 501 is not offered, which is counted and no failure', async () => {
  const url = await startNotes((path, method) => {
    if (path.startsWith('/notes-1')) return 501
    const isRead = method === 'GET' || method === 'HEAD'
    return isRead && !/=[^&]{21}/.test(path) ? 200 : isRead ? 400 : 405
  })
  const folder = await folderOf({ 'api.json': JSON.stringify(notesDocument(2)) })
  const api = join(folder, 'api.json')
  const { code, stdout, stderr } = await twinspec(
    'conform',
    url,
    api,
    '--only',
    'readNotes0,readNotes1',
  )
  expect(stdout).not.toContain('server-fails')
  expect(stdout).toMatch(/not offered by the server\n {2}readNotes1\n/)
  expect(stderr).toContain('; 1 operation is not offered')
  expect(stdout).not.toContain('error')
  expect(code).toBe(0)
})

it('a value that was made up and rejected: the report names the example that is missing, and where', async () => {
  const document = {
    ...notesDocument(0),
    paths: {
      '/notes': {
        post: {
          operationId: 'addNote',
          requestBody: { required: true, content: { 'application/json': { schema: text } } },
          responses: { 200: { description: 'Added.' }, 400: bad },
        },
      },
    },
  }
  const folder = await folderOf({ 'api.json': JSON.stringify(document, null, 2) })
  const url = await startNotes(() => 400)
  const { stdout } = await twinspec('conform', url, join(folder, 'api.json'), '--verbose')
  const line = JSON.stringify(document, null, 2)
    .split('\n')
    .findIndex((one) => one.includes('"requestBody"'))
  expect(stdout).toMatch(new RegExp(`add an example of its body \\(\\S*api\\.json:${line + 1}\\)`))
})

it('--only is repeated for names with commas', async () => {
  const url = await startNotes(() => 200)
  const folder = await folderOf({ 'api.json': JSON.stringify(notesDocument(3)) })
  const { stdout, stderr } = await twinspec(
    ...['conform', url, join(folder, 'api.json'), '--only', 'first, and 0'],
    ...['--only', 'readNotes1, valid values of query.title'],
  )
  expect(stderr).not.toContain('given twice')
  expect(stdout).toMatch(/operations\s+\S+\s+2 of 2/)
})

it.each([
  ['bob:pass-word', undefined, 'bob:pass-word'],
  ['sk_test_0123', undefined, 'sk_test_0123:'],
  [undefined, 'bob:pass-word@', 'bob:pass-word'],
])('Basic credentials are the key %s, or of the URL (%s)', async (key, user, pair) => {
  const expected = `Basic ${btoa(pair)}`
  const seen = new Set<string | undefined>()
  const origin = await startListener(({ headers, method }, response) => {
    seen.add(headers.authorization)
    const isKnown = headers.authorization === expected
    // The body that no document declares makes a finding, with the request that led to it.
    response.writeHead(isKnown ? (method === 'GET' ? 418 : 405) : 401).end()
  })
  const document = notesDocument(1)
  const secured = {
    ...document,
    components: { securitySchemes: { login: { type: 'http', scheme: 'basic' } } },
    security: [{ login: [] }],
  }
  const folder = await folderOf({ 'api.json': JSON.stringify(secured) })
  const keys = key === undefined ? [] : ['--api-key', key]
  const url = origin.replace('//', `//${user ?? ''}`)
  const { code, stdout, stderr } = await twinspec('conform', url, join(folder, 'api.json'), ...keys)
  expect(seen).toContain(expected)
  expect(stdout).toContain('418')
  expect(stdout + stderr).not.toContain(btoa(pair))
  expect(stdout + stderr).not.toContain(key ?? 'pass-word')
  expect(code).toBe(1)
})
