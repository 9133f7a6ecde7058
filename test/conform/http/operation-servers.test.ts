import { describe, expect, it } from 'vitest'
import { judgeSmall, type Serve } from './small-server.js'

const paths = `
  /things:
    get: { operationId: look, responses: { '200': { description: There. } } }
  /files:
    servers: [{ url: https://small.example/v2 }]
    get: { operationId: files, responses: { '200': { description: There. } } }
  /folders:
    get:
      operationId: folders
      servers: [{ url: /v3 }]
      responses: { '200': { description: There. } }
  /shares:
    get:
      operationId: shares
      servers: [{ x-name: main, url: 'https://{host}/v1', variables: { host: { default: shares.example } } }]
      responses: { '200': { description: There. } }
  /uploads:
    get:
      operationId: uploads
      servers: [{ x-name: depot, url: 'https://depot.example/put' }]
      responses: { '200': { description: There. } }
`
const documents = { paths, servers: '[{ x-name: main, url: https://small.example/v1 }]' }
const KNOWN = ['/v1/things', '/v2/files', '/v3/folders', '/v1/shares', '/put/uploads']
const serve: Serve = ({ path }) => ({ status: KNOWN.includes(path) ? 200 : 404 })
const addresses = ({ asked }: Awaited<ReturnType<typeof judgeSmall>>) => [
  ...new Set(asked.map(({ url }) => url)),
]

describe('an operation with servers of its own', () => {
  it('is asked there, and one of another host not at all unless its server is named', async () => {
    const judged = await judgeSmall(documents, /by HEAD/, serve)
    expect(addresses(judged)).toEqual([
      'http://small.test/v1/things',
      'http://small.test/v2/files',
      'http://small.test/v3/folders',
      'http://small.test/v1/shares',
    ])
    expect(judged.skipped).toEqual([
      'uploads, the protocol: it has its own server, https://depot.example/put (depot), which is only tested if --server names it',
    ])
  })

  it('is asked where its server is said to be, and what it answers is held against the document', async () => {
    const servers = { depot: 'http://depot.test/put' }
    const judged = await judgeSmall(documents, /^uploads, by HEAD/, () => ({ status: 201 }), {
      servers,
    })
    expect(addresses(judged)).toEqual(['http://depot.test/put/uploads'])
    expect(judged.always).toContain('status-is-undeclared')
  })

  it('shares no name with a server of the whole document', async () => {
    const unnamed = paths.replace('x-name: depot, ', 'x-name: main, ')
    const servers = { main: 'http://main.test/v1' }
    const judged = await judgeSmall({ ...documents, paths: unnamed }, /by HEAD/, serve, { servers })
    expect(addresses(judged)).toEqual([
      'http://main.test/v1/things',
      'http://small.test/v2/files',
      'http://small.test/v3/folders',
      'http://main.test/v1/shares',
    ])
  })
})
