import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../../trials/service-process.js'
import { type FakeNode, startFakeNode } from './fake-node.js'

const address = `0x${'33'.repeat(20)}`
const hash = `0x${'ab'.repeat(32)}`
const log = {
  ...{ address, topics: [], data: `0x${'ab'.repeat(5_000)}`, removed: false },
  ...{ blockHash: hash, blockNumber: '0x1', transactionHash: hash },
  ...{ transactionIndex: '0x0', logIndex: '0x0' },
}
/** 11 MB, where the bound is 10 MB. */
const large = Array(1_050).fill(log)

/** How many traces the node has worked on at a time. */
const traces = { now: 0, most: 0, ended: 0 }

let node: FakeNode
let service: ServiceProcess

beforeAll(async () => {
  node = await startFakeNode({
    eth_getBalance: { result: '0x7' },
    debug_traceTransaction: async () => {
      traces.now += 1
      traces.most = Math.max(traces.most, traces.now)
      await new Promise((resolve) => setTimeout(resolve, 700))
      traces.now -= 1
      traces.ended += 1
      return { result: {} }
    },
    eth_getLogs: { result: large },
    eth_getFilterLogs: { result: large },
    eth_getBlockReceipts: { result: large },
    eth_call: () => ({ result: `0x${'ab'.repeat(4_000_000)}` }),
    eth_getCode: 'endless',
    eth_syncing: { error: { code: -32000, message: INTERNAL, data: { stack: 'at 10.0.0.7' } } },
    eth_createAccessList: {
      error: { code: -32000, message: 'nonce too low: next nonce 8, tx nonce 0' },
    },
    eth_estimateGas: {
      error: { code: 3, message: 'execution reverted: no', data: REVERT_DATA },
    },
  })
  const args = ['--upstream', node.url, '--chain-id', '1', '--node-seconds', '60']
  service = await startServiceProcess({ args })
})
afterAll(async () => {
  await service.stop()
  node.close()
})

const INTERNAL = 'open /var/lib/node/chaindata/LOCK: permission denied (backend.go:120)'

/** `Error(string)` that says "no". */
const REVERT_DATA = `0x08c379a0${'20'.padStart(64, '0')}${'2'.padStart(64, '0')}${'6e6f'.padEnd(64, '0')}`

const post = async (body: unknown): Promise<unknown> => {
  const response = await fetch(`${service.url}/zgt/try-it-out`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.json()
}
const call = (method: string, ...params: unknown[]) => ({ jsonrpc: '2.0', id: 1, method, params })
const tooLarge = { error: { code: -32003, message: 'response too large' } }

describe('responses of the node behind', () => {
  it('callers who leave do not have the node trace more than two transactions at a time', async () => {
    for (let count = 0; count < 6; count += 1) {
      const left = fetch(`${service.url}/zgt/try-it-out`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(call('debug_traceTransaction', hash)),
        signal: AbortSignal.timeout(100),
      })
      await left.catch(() => undefined)
    }
    await expect.poll(() => traces.now, { timeout: 120_000 }).toBe(0)
    expect(traces.ended).toBeGreaterThan(1)
    expect(traces.most).toBeLessThanOrEqual(2)
  })

  it('a response past the bound fails its own call, and the gateway lives', async () => {
    const batch = Array.from({ length: 10 }, (_, id) => ({ ...call('eth_getLogs', {}), id }))
    const answers = (await post(batch)) as readonly object[]
    expect(answers).toHaveLength(10)
    for (const answer of answers) expect(answer).toMatchObject(tooLarge)
    expect(await post(call('eth_getFilterLogs', '0x1'))).toMatchObject(tooLarge)
    expect(await post(call('eth_getBlockReceipts', 'latest'))).toMatchObject(tooLarge)
    expect(await post(call('eth_getBalance', address, 'latest'))).toMatchObject({ result: '0x7' })
    expect(service.isRunning()).toBe(true)
  })

  it('calls that are too large only together are each answered', async () => {
    const one = call('eth_call', { to: address }, 'latest')
    const answers = (await post([one, one, one, call('eth_getBalance', address, 'latest')])) as {
      readonly result?: string
    }[]
    expect(answers.map(({ result }) => result?.length)).toEqual([
      8_000_002, 8_000_002, 8_000_002, 3,
    ])
  })

  it('an endless response is ended at the bound, not by the time limit', async () => {
    expect(await post(call('eth_getCode', address, 'latest'))).toMatchObject(tooLarge)
    // What was written may lie in buffers still: of the first, and of the one that is sent alone.
    await expect.poll(() => node.sent.get('eth_getCode')).toBeLessThan(50_000_000)
  })

  it('internal texts of the node stay with the operator, and what clients need is passed on', async () => {
    const refused = await post(call('eth_syncing'))
    expect(refused).toMatchObject({ error: { message: 'the node failed' } })
    expect(JSON.stringify(refused)).not.toMatch(/chaindata|backend|0\.0\.7/)
    await expect.poll(() => service.output()).toContain('chaindata')
    expect(await post(call('eth_estimateGas', { to: address }))).toMatchObject({
      error: { code: 3, message: 'execution reverted: no', data: REVERT_DATA },
    })
    const nonce = { code: -32000, message: 'nonce too low: next nonce 8, tx nonce 0' }
    expect(await post(call('eth_createAccessList', { to: address }))).toMatchObject({
      error: nonce,
    })
  })

  it('logs, receipts and traces share no request to the node with other calls', async () => {
    const before = node.requests.length
    await post([
      call('eth_getBalance', address, 'latest'),
      call('eth_getLogs', {}),
      call('eth_getBlockReceipts', 'latest'),
      call('eth_getBalance', address, 'latest'),
    ])
    const requests = node.requests.slice(before).map((methods) => methods.join(' '))
    expect(requests).toContain('eth_getLogs')
    expect(requests).toContain('eth_getBlockReceipts')
    expect(requests).toContain('eth_getBalance eth_getBalance')
  })
})
