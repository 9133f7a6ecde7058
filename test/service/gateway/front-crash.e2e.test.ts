import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MNEMONIC, type ServiceProcess, startServiceProcess } from '../../trials/service-process.js'

/** Throws as a fault in a callback would, outside of every promise, with a secret in its message. */
const FAULT = `process.once('SIGUSR2', () => { throw new Error('fault with ' + process.env.TWINSPEC_MNEMONIC) })`

let service: ServiceProcess

beforeAll(async () => {
  service = await startServiceProcess({
    args: ['--no-docs', '--stop-seconds', '5'],
    env: {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(FAULT)}`,
      TWINSPEC_MNEMONIC: MNEMONIC,
    },
  })
})
afterAll(() => service?.stop())

describe('an exception that nobody catches', () => {
  it('is logged without secrets, and the service stops in order', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'
    const headers = { 'content-type': 'application/json', 'content-length': body.length }
    const sent = request(`${service.url}/zgt/try-it-out`, { method: 'POST', headers })
    const answered = new Promise<string>((resolve, reject) => {
      sent.on('error', reject)
      sent.on('response', (response) => {
        response.setEncoding('utf8').on('data', resolve)
      })
    })
    sent.write(body.slice(0, 10))
    await new Promise((resolve) => setTimeout(resolve, 500))
    process.kill(service.pid(), 'SIGUSR2')
    while (!service.output().includes('fault with')) await pause()
    sent.end(body.slice(10))
    expect(JSON.parse(await answered)).toMatchObject({ id: 1, result: '0x133edcb' })
    expect(await service.ended()).toBe(2)
    expect(service.output()).toContain('"level":"fatal"')
    expect(service.output()).not.toContain(MNEMONIC)
  })
})

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50))
