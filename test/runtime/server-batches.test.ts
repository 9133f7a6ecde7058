import { createHook } from 'node:async_hooks'
import { expect, it } from 'vitest'
import { createServerCore } from '../../src/runtime/server.js'

const ping = {
  kind: 'rpc',
  id: 'ping',
  method: 'ping',
  params: [],
  paramStructure: 'by-position',
  errors: [],
} as const

const service = {
  rpc: { servers: [], path: '/', operations: { ping } },
  validators: { ping: {} },
}

/** How many promises are made until the response to a batch of so many calls is there. */
const promisesOf = async (calls: number): Promise<number> => {
  const server = createServerCore(service as never, { ping: () => 'pong' })
  const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping', params: [] })
  const body = JSON.stringify(Array.from({ length: calls }, (_, id) => call(id)))
  let promises = 0
  const hook = createHook({
    init: (_, type) => {
      if (type === 'PROMISE') promises += 1
    },
  })
  hook.enable()
  const headers = { 'content-type': 'application/json' }
  const reply = await server.handle({ method: 'POST', url: '/', headers, body })
  hook.disable()
  expect(JSON.parse(String(reply.body))).toHaveLength(calls)
  return promises
}

it('a large batch of calls that return values takes no promise for each of them', async () => {
  expect(await promisesOf(200)).toBeLessThan(100)
})
