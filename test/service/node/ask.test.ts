import { setImmediate as settled } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createAsk } from '../../../src/service/node/ask.js'
import type { Caller } from '../../../src/service/turns.js'

const STRANGER: Caller = { name: 'address 1', isKeyed: false }
const OTHER: Caller = { name: 'address 2', isKeyed: false }
const KEYED: Caller = { name: 'key 1', isKeyed: true }

/** A node whose calls end only when the test ends them. */
const scene = (isOurs: boolean) => {
  const open: { readonly method: string; readonly end: () => void }[] = []
  const client = {
    request: ({ method }: { method: string }) =>
      new Promise((resolve) => open.push({ method, end: () => resolve('0x') })),
  }
  const clients = { shared: client, sending: client, lone: client, measuring: client }
  const { ask } = createAsk({ ...clients, isOurs } as never)
  const start = (method: string, caller: Caller, count: number) =>
    Array.from({ length: count }, () => ask(method as 'eth_call', [{}, 'latest'], { caller }))
  return {
    start,
    sent: async () => {
      await settled()
      return open.map(({ method }) => method)
    },
    end: async () => {
      open.shift()?.end()
      await settled()
    },
  }
}

describe.each(['eth_call', 'eth_estimateGas', 'eth_createAccessList'])('%s', (method) => {
  it('of four batches without a key leaves room for a caller with one', async () => {
    const { start, sent, end } = scene(true)
    const all = start(method, STRANGER, 160)
    expect(await sent()).toHaveLength(2)
    all.push(...start(method, KEYED, 1), ...start('eth_getBalance', KEYED, 1))
    expect(await sent()).toEqual([method, method, method, 'eth_getBalance'])
    for (let at = 0; at < 162; at += 1) await end()
    await Promise.all(all)
  })

  it('of two callers without a key takes turns', async () => {
    const { start, sent, end } = scene(true)
    const order: string[] = []
    const note = (calls: readonly Promise<unknown>[], name: string) =>
      calls.map((call) => call.then(() => order.push(name)))
    const all = [
      ...note(start(method, STRANGER, 5), 'one'),
      ...note(start(method, OTHER, 2), 'other'),
    ]
    while ((await sent()).length > 0) await end()
    await Promise.all(all)
    expect(order.slice(0, 5)).toEqual(['one', 'one', 'other', 'one', 'other'])
  })

  it('is not rejected within the limit of a minute', async () => {
    const { start, sent, end } = scene(true)
    const all = start(method, STRANGER, 200)
    while ((await sent()).length > 0) await end()
    expect(await Promise.all(all)).toHaveLength(200)
  })

  it('takes no turns at a node of others, which has its own', async () => {
    const { start, sent } = scene(false)
    void start(method, STRANGER, 40)
    expect(await sent()).toHaveLength(40)
  })
})
