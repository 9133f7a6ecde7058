import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HttpOperation } from '../../src/runtime/operation.js'
import { createServerCore, toNodeListener, type UploadedFile } from '../../src/runtime/server.js'
import { contentOf, declaredResponses } from '../runtime/declared.js'

/** A server that counts the bytes of uploads, in a process of its own: what it needs of memory is nobody else's. */
const operation = (id: string, mediaType: string): HttpOperation => ({
  kind: 'http',
  id,
  method: 'POST',
  path: `/${id}`,
  servers: [],
  parameters: [],
  body: {
    required: true,
    content: contentOf([mediaType]).map((one) =>
      one.codec === 'multipart' ? { ...one, encoding: { file: { isFile: true } } } : one,
    ),
  },
  responses: declaredResponses({ 200: ['application/json'] }),
  security: [],
  schemes: {},
  limits: { payloadBytes: 2 ** 31 },
})

const count = async (file: UploadedFile) => {
  let read = 0
  const reader = file.stream().getReader()
  for (let step = await reader.read(); !step.done; step = await reader.read())
    read += step.value.byteLength
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024)
  return { status: 200, body: { size: file.size, read, megabytes } }
}

const operations = {
  form: operation('form', 'multipart/form-data'),
  bytes: operation('bytes', 'application/octet-stream'),
}
const none = { responses: {} }
const server = createServerCore(
  { http: { servers: [], operations }, validators: { form: none, bytes: none } },
  {
    form: ({ body }: { body: { file: UploadedFile } }) => count(body.file),
    bytes: ({ body }: { body: UploadedFile }) => count(body),
  },
)
const listener = createServer(toNodeListener(server))
listener.listen(0, '127.0.0.1', () => console.log((listener.address() as AddressInfo).port))
process.once('disconnect', () => process.exit())
