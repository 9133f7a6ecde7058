import { type Hex, serializeTransaction } from 'viem'
import { describe, expect, it } from 'vitest'
import { account, sign } from './seed.js'
import { scriptNode, startMethods } from './service.js'

const id = 20180427
const hash = `0x${'d'.repeat(64)}`
const to = account.address
const legacy = (chainId?: number): Promise<Hex> =>
  account.signTransaction({
    ...{ type: 'legacy', nonce: 0, gas: 21_000n, gasPrice: 0n, to },
    ...(chainId !== undefined && { chainId }),
  })
const listed = (chainId: number): Promise<Hex> =>
  account.signTransaction({ type: 'eip2930', chainId, nonce: 0, gas: 21_000n, gasPrice: 0n, to })
const large = `0x${'ab'.repeat(500_000)}` as const
const protectedOnly = 'only replay-protected (EIP-155) transactions allowed over RPC'
const foreign = (have: number | string) =>
  `invalid sender: invalid chain id for signer: have ${have} want ${id}`

const send = async (raw: string, method: string, upstream?: string) => {
  // Where nobody's code is, nothing is measured before it is sent.
  const node = scriptNode(({ method }) => ({ result: method === 'eth_getCode' ? '0x' : hash }))
  const { call } = startMethods({ fetch: node.fetch, settings: { upstream } })
  const { error } = await call(method, [raw])
  const asked = node.calls.map((one) => one.method)
  return { message: error?.message, code: error?.code, asked }
}

describe.each(['eth_sendRawTransaction', 'eth_sendRawTransactionSync'])('%s', (method) => {
  const refusals: readonly (readonly [string, () => Hex | Promise<Hex>, string])[] = [
    ['a transaction for another chain', () => sign({ nonce: 0, chainId: 1, to }), foreign(1)],
    ['a large one', () => sign({ nonce: 0, chainId: 1, to, data: large }), foreign(1)],
    ['one with an access list', () => listed(2), foreign(2)],
    ['a legacy one', () => legacy(1), foreign(1)],
    ['one for no chain at all', () => legacy(), protectedOnly],
    ['blobs', () => `0x03${'cac8'}01808080808080${'80c0'}`, foreign(1)],
    [
      'a number beyond all chains',
      () => `0x02ca89${'ff'.repeat(9)}`,
      foreign(String(2n ** 72n - 1n)),
    ],
  ]
  it.each(refusals)('refuses %s', async (_, raw, message) => {
    expect(await send(await raw(), method)).toEqual({ message, code: -32000, asked: [] })
  })

  it('leaves the rest to the node', async () => {
    const mine = [
      sign({ nonce: 0, to }),
      sign({ nonce: 0, to, data: large }),
      legacy(id),
      listed(id),
    ]
    const unreadable = [
      '0x',
      '0x02',
      '0x02c0',
      '0xc0',
      '0x02ff',
      '0xffffffffffff',
      '0x00c101',
      '0x7f',
    ]
    const unsigned = serializeTransaction({ type: 'legacy', to, gasPrice: 0n })
    for (const raw of [...(await Promise.all(mine)), ...unreadable, unsigned]) {
      const { asked } = await send(raw, method)
      expect({ raw, sent: asked.filter((one) => one !== 'eth_getCode') }).toEqual({
        raw,
        sent: [method],
      })
    }
  })

  it('takes one for no chain where the owner of the node decides', async () => {
    const upstream = 'http://node.example'
    expect(await send(await legacy(), method, upstream)).toMatchObject({ asked: [method] })
    expect(await send(await legacy(1), method, upstream)).toMatchObject({ message: foreign(1) })
  })
})
