import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../../trials/service-process.js'

let service: ServiceProcess
let key: string

beforeAll(async () => {
  service = await startServiceProcess({
    args: ['--no-docs', '--try-it-out-limit', '0', '--compiler-seconds', '60'],
  })
  key = /ts_[0-9a-f]{12}_[0-9a-f]{48}/.exec(service.output())?.[0] ?? ''
})
afterAll(() => service?.stop())

describe('contracts that take long to compile', () => {
  it('without a key from one address, they do not make a caller with a key wait', async () => {
    const leave = new AbortController()
    const answered: Response[] = []
    const crowd = Array.from({ length: 20 }, (_, index) =>
      deploy('try-it-out', slow(`Slow${index}`), leave.signal).then(
        (response) => answered.push(response),
        () => undefined,
      ),
    )
    // More wait than one address may have: the others are rejected at once.
    while (answered.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    const keyed = await deploy(key, 'contract Small { uint public x; }')
    expect([keyed.status, await keyed.json()]).toMatchObject([200, { success: true }])
    for (const { status, headers } of answered) {
      expect(status).toBe(503)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
    leave.abort()
    await Promise.all(crowd)
  })
})

const deploy = (path: string, code: string, signal?: AbortSignal): Promise<Response> =>
  fetch(`${service.url}/zkt/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, arguments: [] }),
    ...(signal && { signal }),
  })

/** Each struct has the one before it twice: a minute of work and little memory. */
const slow = (name: string): string => {
  const structs = Array.from({ length: 13 }, (_, at) => `struct S${at + 1}{S${at} a;S${at} b;}`)
  return `contract ${name}{struct S0{uint a;}${structs.join('')}S13 x;function f() public{delete x;}}`
}
