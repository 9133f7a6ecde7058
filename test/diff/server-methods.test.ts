import { expect, it } from 'vitest'
import { findingsOf } from './versions.js'

const methods = (...lines: readonly string[]) => ({
  rpc: `openrpc: 1.3.2
info: { title: Chain, version: '1' }
methods:
  - { name: chain_head, params: [], result: { name: head, schema: { type: string } } }
${lines.map((line) => `  - ${line}\n`).join('')}`,
})

const param = (name: string, rest = 'required: true, schema: { type: string }') =>
  `{ name: ${name}, ${rest} }`

const sent = (params: string, rest = '') =>
  methods(`{ name: newHead, x-direction: server, params: [${params}]${rest} }`)

const result = ', result: { name: seen, schema: { type: boolean } }'

it('a method that changes sides is one change, and not a removed operation', async () => {
  const of = (direction: string) =>
    methods(`{ name: ping, x-direction: ${direction}, params: []${result} }`)
  expect(await findingsOf(of('client'), of('server'))).toMatchInlineSnapshot(`
    "error method-direction-changed
      ping is sent by the server now, and was sent by clients
      at new.openrpc.yaml:5 (old.openrpc.yaml:5)
      instead: keep x-direction, and give the method of the other side a name of its own"
  `)
  expect(await findingsOf(of('server'), of('client'))).toMatchInlineSnapshot(`
    "error method-direction-changed
      ping is sent by clients now, and was sent by the server
      at new.openrpc.yaml:5 (old.openrpc.yaml:5)
      instead: keep x-direction, and give the method of the other side a name of its own"
  `)
  expect(await findingsOf(of('client'), of('both'))).toMatchInlineSnapshot(`
    "note method-direction-widened
      ping is sent by both sides now, and was sent by clients
      at new.openrpc.yaml:5 (old.openrpc.yaml:5)"
  `)
})

it('a method whose result is removed may be sent by both, unless it says otherwise', async () => {
  const before = methods(`{ name: ping, params: []${result} }`)
  expect(await findingsOf(before, methods('{ name: ping, params: [] }'))).toMatchInlineSnapshot(`
    "error result-removed
      ping is a notification now: callers who wait for a result receive none
      at new.openrpc.yaml:5 (old.openrpc.yaml:5)
      instead: keep returning a result, and offer the notification under another name
    note method-direction-widened
      ping is sent by both sides now, and was sent by clients: it has no result any more; add x-direction: client if only clients send it
      at new.openrpc.yaml:5 (old.openrpc.yaml:5)"
  `)
  const marked = methods('{ name: ping, x-direction: client, params: [] }')
  const found = await findingsOf(before, marked)
  expect(found).toContain('result-removed')
  expect(found).not.toContain('method-direction')
})

it('methods that the server sends are added and removed', async () => {
  expect(await findingsOf(methods(), sent(''))).toMatchInlineSnapshot(`
    "note server-method-added
      the server sends the new method newHead
      at new.openrpc.yaml:5 (old.openrpc.yaml:4)"
  `)
  expect(await findingsOf(sent(''), methods())).toMatchInlineSnapshot(`
    "error server-method-removed
      the server no longer sends newHead: clients that wait for it receive nothing
      at new.openrpc.yaml:4 (old.openrpc.yaml:5)
      instead: keep sending it until clients have moved"
  `)
})

it('what the server sends may not become more or less than clients read', async () => {
  const two = `${param('head')}, ${param('final')}`
  expect(await findingsOf(sent(param('head')), sent(two))).toMatchInlineSnapshot(`
    "note server-param-added
      the server method newHead has the new param \`final\`
      at new.openrpc.yaml:5 (old.openrpc.yaml:5)"
  `)
  expect(await findingsOf(sent(two), sent(param('head')))).toMatchInlineSnapshot(`
    "error server-param-removed
      the server method newHead lacks the param \`final\` now: clients that read it fail
      at new.openrpc.yaml:5 (old.openrpc.yaml:5)
      instead: keep sending the param"
  `)
  const turned = sent(`${param('final')}, ${param('head')}`)
  expect(await findingsOf(sent(two), turned)).toMatchInlineSnapshot(`
    "error server-params-reordered
      the params of the server method newHead have another order now: clients that read them by position read the wrong values
      at new.openrpc.yaml:5 (old.openrpc.yaml:5)
      instead: keep the order, and add new params at the end"
  `)
  const optional = sent(param('head', 'schema: { type: string }'))
  expect(await findingsOf(sent(param('head')), optional)).toMatchInlineSnapshot(`
    "error server-param-became-optional
      the param \`head\` of the server method newHead may be absent now: clients do not expect it
      at new.openrpc.yaml:5 (old.openrpc.yaml:5)
      instead: keep sending the param always"
  `)
  const wider = sent(param('head', 'required: true, schema: { type: [string, "null"] }'))
  expect(await findingsOf(sent(param('head')), wider)).toContain('response-became-nullable')
  expect(await findingsOf(wider, sent(param('head')))).not.toContain('error')
})

it('what clients reply may not become less', async () => {
  expect(await findingsOf(sent(''), sent('', result))).toMatchInlineSnapshot(`
    "error server-result-added
      the server method newHead is a request now: the server waits for a reply that clients do not send
      at new.openrpc.yaml:5 (old.openrpc.yaml:5)
      instead: keep the notification, and send the request under another name"
  `)
  expect(await findingsOf(sent('', result), sent(''))).toMatchInlineSnapshot(`
    "note server-result-removed
      the server method newHead is a notification now
      at new.openrpc.yaml:5 (old.openrpc.yaml:5)"
  `)
  const either = ', result: { name: seen, schema: { type: [boolean, "null"] } }'
  expect(await findingsOf(sent('', either), sent('', result))).toContain(
    'request-became-not-nullable',
  )
  expect(await findingsOf(sent('', result), sent('', either))).not.toContain('error')
})

it('the text that ends a stream', async () => {
  const stream = (end: string) => ({
    http: `openapi: 3.2.0
info: { title: Chat, version: '1' }
paths:
  /chat:
    get:
      operationId: chat
      x-stream-end: '${end}'
      responses:
        '200':
          description: Words.
          content: { text/event-stream: { itemSchema: { type: object } } }
`,
  })
  expect(await findingsOf(stream('[DONE]'), stream('[END]'))).toMatchInlineSnapshot(`
    "error stream-end-changed
      the 200 response of GET /chat ends with the text "[END]" now, and ended with the text "[DONE]": clients may read the end as an item
      at new.openapi.yaml:11 (old.openapi.yaml:11)
      instead: keep x-stream-end"
  `)
})
