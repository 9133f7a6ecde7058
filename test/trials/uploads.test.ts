import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createHttp } from 'twinspec/runtime/http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contentOf, declaredResponses } from '../runtime/declared.js'

const GIGABYTE = 2 ** 30

/** What a server of Node needs for itself is a quarter of it. */
const MOST_MEGABYTES = 200

let server: ReturnType<typeof fork>
let address: string

beforeAll(async () => {
  server = fork(join(import.meta.dirname, 'upload-server.ts'), {
    execArgv: ['-C', 'twinspec-source', '--import', 'tsx'],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const [port] = await once(server.stdout ?? server, 'data')
  address = `http://127.0.0.1:${String(port).trim()}`
})
afterAll(() => server.disconnect())

async function* gigabyte(): AsyncGenerator<Uint8Array> {
  const chunk = new Uint8Array(65_536).fill(0x2d)
  for (let sent = 0; sent < GIGABYTE; sent += chunk.byteLength) yield chunk
}

const operation = (id: string, mediaType: string) => ({
  kind: 'http' as const,
  id,
  method: 'POST',
  path: `/${id}`,
  servers: [],
  parameters: [],
  body: { required: true, content: contentOf([mediaType]) },
  responses: declaredResponses({ 200: ['application/json'] }),
  security: [],
  schemes: {},
})

type Call = (input: object) => Promise<{ readonly size: number; readonly megabytes: number }>

it('a gigabyte is uploaded as a form and as bytes, and neither side keeps it in memory', async () => {
  const operations = {
    form: operation('form', 'multipart/form-data'),
    bytes: operation('bytes', 'application/octet-stream'),
  }
  const none = { responses: {} }
  const client = createHttp<{ readonly form: Call; readonly bytes: Call }>(
    { servers: [], limits: {}, operations },
    { form: none, bytes: none },
    { server: address, timeout: Number.POSITIVE_INFINITY },
  )
  const file = { name: 'large.bin', type: 'application/octet-stream', stream: gigabyte }
  const form = await client.form({ body: { file } })
  const bytes = await client.bytes({ body: file })
  const own = Math.round(process.resourceUsage().maxRSS / 1024)
  console.log(`server ${form.megabytes} MB, then ${bytes.megabytes} MB; client ${own} MB`)
  expect(form).toMatchObject({ size: GIGABYTE, read: GIGABYTE })
  expect(bytes).toMatchObject({ size: GIGABYTE, read: GIGABYTE })
  expect(Math.max(form.megabytes, bytes.megabytes)).toBeLessThan(MOST_MEGABYTES)
})
