import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pause, type ServiceProcess, startServiceProcess } from '../../trials/service-process.js'

let service: ServiceProcess

beforeAll(async () => {
  service = await startServiceProcess({ args: ['--no-docs', '--try-it-out-limit', '0'] })
})
afterAll(() => service?.stop())

describe('a body with many errors', () => {
  it('is answered with 20 of them, and the message says that there are more', async () => {
    const { status, body } = await submit(membersOf(1_000))
    expect(status).toBe(400)
    expect(body).toMatchObject({ success: false, errorCode: 'INVALID_BODY' })
    expect(body.details).toHaveLength(20)
    expect(body.error).toContain('more than 20 errors')
    expect((await submit(membersOf(3))).body.error).not.toContain('more than')
  })

  it('is answered with 20 of them over JSON-RPC too', async () => {
    const { body } = await call('eth_call', `[{${membersOf(1_000)}},"latest"]`)
    expect(body.error).toMatchObject({ code: -32602, data: { length: 20 } })
    expect(body.error.message).toContain('more than 20 errors')
  })

  it('is not parsed if one object has more members than any document asks for', async () => {
    const { status, body } = await submit(membersOf(90_000))
    expect([status, body.errorCode]).toEqual([400, 'MALFORMED_JSON'])
    expect(body.error).toContain('an object has more than 25000 members')
    const { body: answer } = await call('eth_call', `[{${membersOf(90_000)}},"latest"]`)
    expect(answer.error).toMatchObject({ code: -32700 })
    expect(answer.error.message).toContain('an object has more than 25000 members')
  })

  it('is parsed if it has as many state overrides as 1 MB has room for', async () => {
    const overrides = Array.from(
      { length: 20_000 },
      (_, index) => `"0x${index.toString(16).padStart(40, '0')}":{}`,
    )
    const { body } = await call('eth_call', `[{},"latest",{${overrides}}]`)
    expect(body.error?.code).not.toBe(-32700)
  })
})

describe('a body of 80,000 objects, each with a name of its own', () => {
  // How long it holds the main thread is asserted in test/trials/event-loop.test.ts, by the processor's time.
  const objects = Array.from({ length: 80_000 }, (_, index) => `{"${index.toString(36)}":1}`).join()

  it('has the response of a small one', async () => {
    const { status, body } = await submit(`"arguments":[${objects}],"id":"mine"`)
    expect([status, body.errorCode, body.id]).toEqual([400, 'INVALID_BODY', 'mine'])
    const { body: answer } = await post(
      '/zgt/try-it-out',
      `{"params":[${objects}],"id":1.50,"jsonrpc":"2.0","method":"eth_chainId"}`,
    )
    expect(answer).toMatchObject({ id: 1.5, error: { code: -32602 } })
  })

  it.each(['{"a":1}}', '{"a":1}]', '{"a":1', '"a":1', '', '[{}'])(
    'is malformed with %s among them',
    async (wrong) => {
      const items = `${objects},${wrong},${objects.slice(0, objects.indexOf(',{"zz":'))}`
      const { status, body } = await submit(`"arguments":[${items}]`)
      expect([status, body.errorCode]).toEqual([400, 'MALFORMED_JSON'])
      expect((await call('eth_chainId', `[${items}]`)).body.error.code).toBe(-32700)
    },
  )
})

describe('messages of 1 MB that arrive together', () => {
  it('are accepted, and each is on the chain as it was sent', async () => {
    const texts = ['a', '\n', 'é', '😀'].map((unit) =>
      unit.repeat(Math.floor(1_000_000 / Math.max(2, Buffer.byteLength(unit)))),
    )
    const sent = await Promise.all(
      texts.map((text) => submit(`"arguments":${JSON.stringify(text)}`)),
    )
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    for (const [index, { body }] of sent.entries()) {
      const transaction = await minedTransaction(body.hash)
      const hex = Buffer.from(texts[index] ?? '').toString('hex')
      expect(transaction?.input === `0x${hex}`, `message ${index}`).toBe(true)
    }
  })
})

/** Null where it is not mined within a minute. */
const minedTransaction = async (hash: string) => {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    const { body } = await call('eth_getTransactionByHash', `["${hash}"]`)
    if (body.result?.blockNumber) return body.result
    await pause(100)
  }
  return null
}

const membersOf = (count: number): string =>
  Array.from({ length: count }, (_, index) => `"k${index}":1`).join()

type Answered = {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the body of any response
  readonly body: any
}

const submit = (members: string): Promise<Answered> => post('/zkt/try-it-out', `{${members}}`)

const call = (method: string, params: string): Promise<Answered> =>
  post('/zgt/try-it-out', `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`)

const post = async (path: string, body: string): Promise<Answered> => {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(service.url + path, { method: 'POST', headers, body })
  return { status: response.status, body: await response.json() }
}
