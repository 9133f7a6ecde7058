// Runs programs, of this folder or at file URLs, against a generated server or an address. Prints the lines and requests of each.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeListener } from 'twinspec/runtime/server'

const [at = '', ...programs] = process.argv.slice(2)
const requests: object[] = []
const target = at.startsWith('http:')
  ? at
  : await listen(toNodeListener((await import(`./${at}`)).server))
const address = await listen((request, response) => void forward(request, response))
const results: object[] = []
for (const program of programs) {
  const lines: string[] = []
  const { run } = await import(new URL(program, import.meta.url).href)
  await run(address, (line: string) => void lines.push(line))
  results.push({ lines, requests: requests.splice(0) })
}
process.stdout.write(JSON.stringify(results))
process.exit(0)

async function listen(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(handle)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Records a request and passes it on. */
async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk)
  const bytes = new Uint8Array(Buffer.concat(chunks))
  const { method = 'GET', url: path = '/' } = request
  const headers = new Headers(
    Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
      ['host', 'connection', 'content-length', 'transfer-encoding', 'expect'].includes(name)
        ? []
        : [[name, String(value)]],
    ),
  )
  requests.push(await shownOf(method, path, headers, bytes))
  const body = bytes.length > 0 ? bytes : null
  const answer = await fetch(target + path, { method, headers, body })
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
  response.end(new Uint8Array(await answer.arrayBuffer()))
}

/** What two clients have in common that send the same request; ids of JSON-RPC and boundaries differ. */
async function shownOf(
  method: string,
  path: string,
  headers: Headers,
  bytes: Uint8Array<ArrayBuffer>,
) {
  const { pathname, searchParams } = new URL(path, 'http://localhost')
  const query = [...searchParams].sort(([a], [b]) => a.localeCompare(b))
  const type = headers.get('content-type')?.split(';')[0]?.toLowerCase()
  return {
    method,
    path: pathname,
    ...(query.length > 0 && { query }),
    authorization: headers.get('authorization') ?? undefined,
    idempotencyKey: headers.get('idempotency-key') ?? undefined,
    type: bytes.length > 0 ? type : undefined,
    body: bytes.length > 0 ? await bodyOf(type, headers, bytes) : undefined,
  }
}

async function bodyOf(
  type: string | undefined,
  headers: Headers,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<unknown> {
  const text = new TextDecoder().decode(bytes)
  if (type === 'application/json') {
    const { id: _, ...rest } = JSON.parse(text)
    return rest
  }
  if (type !== 'multipart/form-data' && type !== 'application/x-www-form-urlencoded') return text
  const contentType = headers.get('content-type') ?? ''
  const form = await new Response(bytes, { headers: { 'content-type': contentType } }).formData()
  const parts = await Promise.all(
    [...form].map(async ([name, value]) =>
      typeof value === 'string'
        ? [name, value]
        : [name, { file: value.name, type: value.type, text: await value.text() }],
    ),
  )
  return parts.sort(([a], [b]) => String(a).localeCompare(String(b)))
}
