import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../../trials/service-process.js'

let service: ServiceProcess
let key: string

beforeAll(async () => {
  // A message of 1 MB takes 42 million units of gas.
  service = await startServiceProcess({ args: ['--try-it-out-gas', '30000000'] })
  key = /\/zkt\/(\S{20,}) /.exec(service.output())?.[1] ?? ''
})
afterAll(() => service.stop())

const post = (path: string, body: unknown): Promise<Response> =>
  fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

describe('the chain of the service itself', () => {
  it('others are answered while one caller has endless programs traced', async () => {
    const to = `0x${'33'.repeat(20)}`
    const trace = (id: number) => ({
      ...{ jsonrpc: '2.0', id, method: 'debug_traceCall' },
      params: [
        { to, gas: '0xf4240' },
        'latest',
        { stateOverrides: { [to]: { code: '0x5b600056' } }, enableMemory: true },
      ],
    })
    let isDone = false
    const traces = post(
      '/zgt/try-it-out',
      Array.from({ length: 12 }, (_, id) => trace(id)),
    )
      .then((response) => response.json() as Promise<{ error?: { code: number } }[]>)
      .finally(() => {
        isDone = true
      })
    // All of them are on their way.
    await new Promise((resolve) => setTimeout(resolve, 300))
    const call = { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [to, 'latest'] }
    expect(await (await post('/zgt/try-it-out', call)).json()).toMatchObject({ result: '0x0' })
    expect(isDone).toBe(false)
    for (const { error } of await traces) expect([-32000, -32005]).toContain(error?.code)
    expect(service.output()).not.toContain('is started again')
  })

  it('a trace of ordinary size is answered', async () => {
    const to = `0x${'44'.repeat(20)}`
    const stateOverrides = { [to]: { code: '0x602a60005260206000f3' } }
    const params = [{ to }, 'latest', { stateOverrides }]
    const call = { jsonrpc: '2.0', id: 1, method: 'debug_traceCall', params }
    expect(await (await post('/zgt/try-it-out', call)).json()).toMatchObject({
      result: { failed: false, returnValue: expect.stringMatching(/2a$/) },
    })
  })

  it('a trace without a key has at most 15,000 steps, so that it delays nobody; with a key it may have more', async () => {
    const to = `0x${'55'.repeat(20)}`
    const stateOverrides = { [to]: { code: '0x5b600056' } }
    const params = [{ to, gas: '0x1adb0' }, 'latest', { stateOverrides, disableStack: true }]
    const call = { jsonrpc: '2.0', id: 1, method: 'debug_traceCall', params }
    const { error } = await (await post('/zgt/try-it-out', call)).json()
    expect([
      'the trace is too large: it has more than 15000 steps and calls',
      // On a slow machine the time is up before.
      'execution timeout',
    ]).toContain(error.message)
    // A busy machine may take longer than a trace may.
    await expect
      .poll(async () => (await post(`/zgt/${key}`, call)).json(), { timeout: 90_000 })
      .toMatchObject({ result: { failed: true, structLogs: expect.any(Array) } })
  })

  it('submissions without a key have a budget of gas, which any one of them fits into', async () => {
    const message = { arguments: 'm'.repeat(1_000_000) }
    expect((await post('/zkt/try-it-out', message)).status).toBe(200)
    const spent = await post('/zkt/try-it-out', { arguments: 'short' })
    expect(spent.status).toBe(429)
    expect(Number(spent.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await spent.json()).toEqual({
      success: false,
      error: expect.stringMatching(/^too much gas without an API key, try again in \d+ seconds?$/),
      errorCode: 'RATE_LIMITED',
    })
    expect((await post(`/zkt/${key}`, message)).status).toBe(200)
    expect((await post(`/zkt/${key}`, message)).status).toBe(200)
  })
})
