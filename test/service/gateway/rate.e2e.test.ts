import { afterEach, describe, expect, it } from 'vitest'
import { countedAddress, createLimits } from '../../../src/service/access/limits.js'
import { eachStore } from '../stores.js'
import {
  CHAIN_ID,
  handlers,
  MESSAGE,
  PRIVATE_KEY,
  PUBLIC_KEY,
  post,
  QUEUE_ID,
  settings,
  start,
  stopAll,
} from './gateway-fixture.js'

afterEach(stopAll)

const limits = (more: Partial<typeof settings>) => ({ settings: { ...settings, ...more } })
const batch = (size: number): string =>
  `[${Array.from({ length: size }, (_, id) => `{"jsonrpc":"2.0","method":"eth_chainId","id":${id}}`).join()}]`
const rateOf = (answer: Response): readonly (string | null)[] =>
  ['ratelimit-policy', 'ratelimit', 'retry-after'].map((name) => answer.headers.get(name))

describe('JSON-RPC', () => {
  it('is limited with an error object under 429, and every answer tells what is left', async () => {
    const { url } = await start(limits({ rpcLimit: 3 }))
    const ask = () => post(`${url}/zgt/${PRIVATE_KEY}`, CHAIN_ID)
    for (const left of [2, 1, 0]) {
      const answer = await ask()
      expect([answer.status, ...rateOf(answer)]).toEqual([
        200,
        '"rpc";q=3;w=60',
        `"rpc";r=${left};t=60`,
        null,
      ])
    }
    const answer = await ask()
    expect([answer.status, ...rateOf(answer)]).toEqual([
      429,
      '"rpc";q=3;w=60',
      '"rpc";r=0;t=60',
      '60',
    ])
    // The body was not read, so nobody knows the id.
    expect(await answer.json()).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32005, message: 'rate limit exceeded, try again in 60 seconds' },
    })
  })

  it('grants the first members of a batch what is left, and refuses the rest', async () => {
    let ran = 0
    const ethChainId = async () => {
      ran += 1
      await new Promise((resolve) => setTimeout(resolve, 5))
      return '0x133edcb' as const
    }
    const { url } = await start({ ...limits({ rpcLimit: 50 }), handlers: { ethChainId } })
    const ask = async (size: number) => {
      const answer = await post(`${url}/zgt/try-it-out`, batch(size))
      const members = [await answer.json()].flat() as { id: number; error?: { code: number } }[]
      return [
        answer.status,
        answer.headers.get('ratelimit'),
        members.map(({ error }) => error?.code),
      ]
    }
    const passed = (size: number) => Array(size).fill(undefined)
    const refused = (size: number) => Array(size).fill(-32005)
    expect(await ask(30)).toEqual([200, '"rpc";r=20;t=60', passed(30)])
    expect(await ask(40)).toEqual([200, '"rpc";r=0;t=60', [...passed(20), ...refused(20)]])
    expect(await ask(3)).toEqual([429, '"rpc";r=0;t=60', refused(1)])
    expect(ran).toBe(50)
  })

  it.each<readonly [string, string, Record<string, string>, string, number]>([
    ['malformed JSON', '{', {}, 'try-it-out', 200],
    ['an invalid request', '{"id":1}', {}, 'try-it-out', 200],
    ['an empty batch', '[]', {}, 'try-it-out', 200],
    ['a batch too large', batch(41), {}, 'try-it-out', 200],
    ['a batch of nothing that is a request', '[1,2,3]', {}, 'try-it-out', 200],
    ['a notification', '{"jsonrpc":"2.0","method":"eth_chainId"}', {}, 'try-it-out', 204],
    ['an unknown method', '{"jsonrpc":"2.0","method":"anvil_mine","id":1}', {}, 'try-it-out', 200],
    [
      'wrong params',
      '{"jsonrpc":"2.0","method":"eth_chainId","params":[1],"id":1}',
      {},
      'try-it-out',
      200,
    ],
    ['a wrong type', CHAIN_ID, { 'content-type': 'text/plain' }, 'try-it-out', 415],
    ['a body too large', ' '.repeat(1_048_577), {}, 'try-it-out', 413],
    ['an unknown key', CHAIN_ID, {}, 'nobody', 401],
  ])('counts %s as one, and then refuses it', async (_, body, headers, key, status) => {
    const { url } = await start(limits({ rpcLimit: 1 }))
    const ask = async () => {
      const answer = await post(`${url}/zgt/${key}`, body, headers)
      await answer.text()
      return [answer.status, answer.headers.get('ratelimit')]
    }
    expect(await ask()).toEqual([status, '"rpc";r=0;t=60'])
    expect(await ask()).toEqual([429, '"rpc";r=0;t=60'])
  })

  it('counts a wrong HTTP method too', async () => {
    const { url } = await start(limits({ rpcLimit: 1 }))
    const ask = async () => (await fetch(`${url}/zgt/try-it-out`)).status
    expect([await ask(), await ask()]).toEqual([405, 429])
  })

  it('counts a key wherever it calls from, and no key by its address', async () => {
    const { url } = await start({
      settings: { ...settings, rpcLimit: 1, trustProxy: ['127.0.0.1'] as never },
    })
    const ask = async (key: string, from: string) =>
      (await post(`${url}/zgt/${key}`, CHAIN_ID, { 'x-forwarded-for': from })).status
    expect(await ask(PRIVATE_KEY, '192.0.2.1')).toBe(200)
    expect(await ask(PRIVATE_KEY, '192.0.2.2')).toBe(429)
    expect(await ask('try-it-out', '192.0.2.1')).toBe(200)
    expect(await ask('try-it-out', '192.0.2.1')).toBe(429)
    expect(await ask('try-it-out', '::ffff:192.0.2.1')).toBe(429)
    expect(await ask('try-it-out', '2001:db8:1:2::1')).toBe(200)
    expect(await ask('try-it-out', '2001:db8:1:2:ffff::2')).toBe(429)
    expect(await ask('try-it-out', '2001:db8:1:3::1')).toBe(200)
    // What is no address is the proxy.
    expect(await ask('try-it-out', 'unknown')).toBe(200)
    expect(await ask('try-it-out', '<script>')).toBe(429)
  })

  it('does not believe a header of somebody who is no proxy', async () => {
    const { url } = await start(limits({ rpcLimit: 1 }))
    const ask = async (from: string) =>
      (await post(`${url}/zgt/try-it-out`, CHAIN_ID, { 'x-forwarded-for': from })).status
    expect([await ask('192.0.2.1'), await ask('192.0.2.2')]).toEqual([200, 429])
  })

  it('believes as many proxies as are said to stand in a row', async () => {
    const { url } = await start({
      settings: { ...settings, rpcLimit: 1, trustProxy: 1 as never },
    })
    const ask = async (from: string) =>
      (await post(`${url}/zgt/try-it-out`, CHAIN_ID, { 'x-forwarded-for': from })).status
    expect(await ask('192.0.2.9, 192.0.2.1')).toBe(200)
    expect(await ask('192.0.2.8, 192.0.2.1')).toBe(429)
    expect(await ask('192.0.2.1, 192.0.2.2')).toBe(200)
  })

  it('a public key is counted for its caller and as a whole', async () => {
    const { url } = await start({
      settings: { ...settings, rpcLimit: 3, trustProxy: ['127.0.0.1'] as never },
    })
    const ask = async (from: string, key = PUBLIC_KEY) => {
      const answer = await post(`${url}/zgt/${key}`, batch(2), { 'x-forwarded-for': from })
      const members = [await answer.json()].flat() as { error?: unknown }[]
      return members.filter(({ error }) => error === undefined).length
    }
    expect(await ask('192.0.2.1')).toBe(2)
    expect(await ask('192.0.2.1', 'try-it-out')).toBe(1)
    expect(await ask('192.0.2.1')).toBe(0)
    expect(await ask('192.0.2.2')).toBe(1)
    expect(await ask('192.0.2.3')).toBe(0)
  })
})

describe('submissions and lookups', () => {
  it.each<readonly [string, string, string, string]>([
    ['tryItOut', 'try-it-out', '/zkt/try-it-out', 'too many submissions, try again in 60 seconds'],
    ['zkt', 'zkt', `/zkt/${PRIVATE_KEY}`, 'too many submissions, try again in 60 seconds'],
    [
      'status',
      'status',
      `/gtn/v1/zkt/transaction/${QUEUE_ID}`,
      'too many lookups, try again in 60 seconds',
    ],
  ])('%s has a limit of its own', async (setting, policy, path, words) => {
    const { url, metrics } = await start(limits({ [`${setting}Limit`]: 2 }))
    const ask = (body = MESSAGE) =>
      policy === 'status' ? fetch(url + path) : post(url + path, body)
    expect(rateOf(await ask())).toEqual([`"${policy}";q=2;w=60`, `"${policy}";r=1;t=60`, null])
    expect((await ask('{')).headers.get('ratelimit')).toBe(`"${policy}";r=0;t=60`)
    const answer = await ask()
    expect([answer.status, ...rateOf(answer)]).toEqual([
      429,
      `"${policy}";q=2;w=60`,
      `"${policy}";r=0;t=60`,
      '60',
    ])
    expect(await answer.json()).toEqual(
      policy === 'status'
        ? { error: words }
        : { success: false, error: words, errorCode: 'RATE_LIMITED' },
    )
    expect((await post(`${url}/zgt/${PRIVATE_KEY}`, CHAIN_ID)).status).toBe(200)
    expect(await metrics.registry.metrics()).toContain(
      `twinspec_rate_limited_total{policy="${policy}"} 1`,
    )
  })

  it('without a limit tell of none', async () => {
    const { url } = await start(limits({ tryItOutLimit: 0 }))
    const answer = await post(`${url}/zkt/try-it-out`, MESSAGE)
    expect([answer.status, ...rateOf(answer)]).toEqual([200, null, null, null])
  })

  it('are refused before the body is read', async () => {
    let ran = 0
    const message = (...given: Parameters<typeof handlers.tryZkt.message>) => {
      ran += 1
      return handlers.tryZkt.message(...given)
    }
    const { url } = await start({
      ...limits({ tryItOutLimit: 1 }),
      handlers: { tryZkt: { ...handlers.tryZkt, message } },
    })
    await post(`${url}/zkt/try-it-out`, MESSAGE)
    expect((await post(`${url}/zkt/try-it-out`, MESSAGE)).status).toBe(429)
    expect(ran).toBe(1)
  })
})

describe.each(eachStore.filter(({ kind }) => kind === 'postgres'))(
  'two gateways on $kind',
  ({ place }) => {
    it('let exactly 200 of 1,000 requests through', async () => {
      const schema = await place()
      const stores = [await schema.open(), await schema.open()]
      const all = { ...settings, rpcLimit: 200 }
      const gateways = await Promise.all(
        stores.map((store) =>
          start({ settings: all, limits: createLimits({ settings: all, store }) }),
        ),
      )
      const statuses = await Promise.all(
        Array.from({ length: 1_000 }, async (_, index) => {
          const answer = await post(`${gateways[index % 2]?.url}/zgt/${PRIVATE_KEY}`, CHAIN_ID)
          await answer.arrayBuffer()
          return answer.status
        }),
      )
      expect(statuses.filter((status) => status === 200)).toHaveLength(200)
      expect(statuses.filter((status) => status === 429)).toHaveLength(800)
      await stopAll()
      await Promise.all(stores.map((store) => store.close()))
      await schema.remove()
    })
  },
)

describe('an address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['::1', '0:0:0:0::/64'],
    ['2001:DB8::1', '2001:db8:0:0::/64'],
    ['2001:db8:0:0:ffff:ffff:ffff:ffff', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
    ['::ffff:0:1', '0.0.0.1'],
    ['', 'unknown'],
    ['nonsense', 'unknown'],
  ])('%s is counted as %s', (address, want) => {
    expect(countedAddress(address)).toBe(want)
  })
})
