import { type Hex, keccak256, serializeTransaction } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Anvil, startAnvil } from '../anvil.js'
import { account, seed, sign } from './seed.js'
import { type Service, scriptNode, startMethods } from './service.js'

const sponsor = privateKeyToAccount(generatePrivateKey())
const stranger = privateKeyToAccount(generatePrivateKey())

let anvil: Anvil
let chain: Awaited<ReturnType<typeof seed>>
let service: Service

beforeAll(async () => {
  anvil = await startAnvil()
  chain = await seed(anvil.url)
  service = startMethods({ url: anvil.url })
})
afterAll(async () => anvil?.stop())

const consent = (raw: Hex, signer = sponsor): Promise<Hex> =>
  signer.signMessage({
    message: `I consent to be a sponsor of transaction: ${keccak256(raw)}`,
  })

const send = (raw: string, by: string, signature: string) =>
  service.call('chain_sendSponsoredTransaction', [raw, by, signature])

const refusal = (message: string) => ({ error: { code: 1, message } })
const notSigned = refusal('the sponsor did not sign its consent to this transaction')

describe('a sponsored transaction', () => {
  const types = ['legacy', 'eip2930', 'eip1559'] as const
  it.each(types)('of type %s is mined once its sponsor has signed', async (type) => {
    const price =
      type === 'eip1559' ? { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n } : { gasPrice: 0n }
    const nonce = Number((await service.call('eth_getTransactionCount', [account.address])).result)
    const raw = await account.signTransaction({
      ...price,
      type,
      chainId: 20180427,
      nonce,
      gas: 300_000n,
      to: chain.stores,
    } as Parameters<typeof account.signTransaction>[0])
    const { result } = await send(raw, sponsor.address.toLowerCase(), await consent(raw))
    expect(result).toBe(keccak256(raw))
    await expect
      .poll(async () => (await service.call('eth_getTransactionReceipt', [result])).result)
      .toMatchObject({ status: '0x1' })
  })

  it('may set the code of its sender (EIP-7702)', async () => {
    const nonce = Number((await service.call('eth_getTransactionCount', [account.address])).result)
    const authorizationList = [
      await account.signAuthorization({
        address: chain.answers,
        chainId: 20180427,
        nonce: nonce + 1,
      }),
    ]
    const raw = await account.signTransaction({
      type: 'eip7702',
      chainId: 20180427,
      nonce,
      gas: 300_000n,
      maxFeePerGas: 0n,
      maxPriorityFeePerGas: 0n,
      to: chain.stores,
      authorizationList,
    })
    expect(await send(raw, sponsor.address, await consent(raw))).toEqual({ result: keccak256(raw) })
    await expect
      .poll(async () => (await service.call('eth_getTransactionReceipt', [keccak256(raw)])).result)
      .toMatchObject({ status: '0x1' })
  })

  it('may be consented to in the compact form (EIP-2098) and by a contract (EIP-1271)', async () => {
    const nonce = Number((await service.call('eth_getTransactionCount', [account.address])).result)
    const first = await sign({ nonce, to: chain.stores })
    const whole = await consent(first)
    const parity = whole.slice(-2) === '1c' ? 0x80n << 248n : 0n
    const s = (BigInt(`0x${whole.slice(66, 130)}`) | parity).toString(16).padStart(64, '0')
    expect(await send(first, sponsor.address, `${whole.slice(0, 66)}${s}`)).toEqual({
      result: keccak256(first),
    })
    const second = await sign({ nonce: nonce + 1, to: chain.stores })
    expect(await send(second, chain.agrees, '0x1234')).toEqual({ result: keccak256(second) })
  })

  it('is not sent without the consent to that very transaction', async () => {
    const raw = await sign({ nonce: 1_000, to: chain.stores })
    const other = await sign({ nonce: 1_001, to: chain.stores })
    const { address } = sponsor
    expect(await send(raw, address, await consent(raw, stranger))).toEqual(notSigned)
    expect(await send(raw, address, await consent(other))).toEqual(notSigned)
    expect(await send(raw, address, '0x')).toEqual(notSigned)
    expect(await send(raw, address, `0x${'ff'.repeat(65)}`)).toEqual(notSigned)
    expect(await send(raw, chain.reverts, await consent(raw))).toEqual(notSigned)
    expect(await send(raw, chain.answers, await consent(raw))).toEqual(notSigned)
    expect(await send(raw, chain.loops, await consent(raw))).toEqual(notSigned)
    const known = await service.call('eth_getTransactionByHash', [keccak256(raw)])
    expect(known).toEqual({ result: null })
  })

  it('is refused with a reason where it is none of this chain', async () => {
    const { address } = sponsor
    const foreign = await sign({ nonce: 0, chainId: 1, to: chain.stores })
    expect(await send(foreign, address, await consent(foreign))).toEqual(
      refusal('the transaction is for chain 1: this one is 20180427'),
    )
    const homeless = await account.signTransaction({
      type: 'legacy',
      nonce: 0,
      gas: 21_000n,
      gasPrice: 0n,
      to: chain.stores,
    })
    expect(await send(homeless, address, await consent(homeless))).toEqual(
      refusal('the transaction is signed for no chain: this one is 20180427'),
    )
    expect(await send(UNSIGNED, address, await consent(UNSIGNED))).toEqual(
      refusal('the transaction is not signed'),
    )
    for (const none of ['0x', '0x00', '0xff1234', '0x02', '0xc0', `0x${'f8'.repeat(900)}`])
      expect(await send(none, address, '0x00')).toEqual(refusal('invalid raw transaction'))
    const spent = await sign({ nonce: 0, to: chain.stores })
    expect(await send(spent, address, await consent(spent))).toEqual(refusal('nonce too low'))
    expect(service.unexpected).toEqual([])
  })

  it('is not judged where the node does not answer', async () => {
    const raw = await sign({ nonce: 0, to: chain.stores })
    const away = startMethods({ fetch: () => Promise.reject(new Error('connect ECONNREFUSED')) })
    const params = [raw, sponsor.address, await consent(raw)]
    expect(await away.call('chain_sendSponsoredTransaction', params)).toEqual({
      error: { code: -32603, message: 'the node does not answer' },
    })
  })
})

const UNSIGNED = serializeTransaction({ type: 'eip1559', chainId: 20180427 })

describe('the lists of the network', () => {
  const lists = { tokens: [sponsor.address], validators: [account.address, stranger.address] }
  const unknown = `0x${'d'.repeat(64)}`

  it('come from the settings, as of every block that the node knows', async () => {
    const node = scriptNode(() => ({ result: null }))
    const known = startMethods({ url: anvil.url, settings: lists })
    const value = lists.validators
    expect(await known.call('chain_getSupportedTokens')).toEqual({
      result: { code: 200, value: lists.tokens },
    })
    expect(await known.call('chain_getValidatorList')).toEqual({ result: { code: 200, value } })
    expect(await known.call('chain_getValidatorList', [chain.block])).toEqual({
      result: { code: 200, value },
    })
    expect(await known.call('chain_getActiveValidatorList')).toEqual({
      result: { code: 200, value: [] },
    })
    expect(await known.call('chain_getActiveValidatorList', [unknown])).toEqual({
      error: { code: 1, message: 'runtime error', data: 'the block is not known' },
    })
    const idle = startMethods({
      fetch: node.fetch,
      settings: lists,
      lacking: ['chain_getValidatorList'],
    })
    expect(await idle.call('chain_getValidatorList')).toEqual({ result: { code: 200, value } })
    expect(node.calls).toEqual([])
  })
})

describe('what is not offered', () => {
  it('is refused as the document declares, and nobody asks the node', async () => {
    const node = scriptNode(() => ({ result: '0x1' }))
    const { call } = startMethods({
      fetch: node.fetch,
      lacking: ['eth_baseFee', 'eth_getHeaderByHash'],
      settings: { notOffered: ['debug_traceTransaction', 'eth_gasPrice'] },
    })
    const declared = { code: -32601, message: 'the method does not exist or is not available' }
    const from = account.address
    expect(await call('eth_baseFee')).toEqual({ error: declared })
    expect(await call('eth_getHeaderByHash', [unknownHash])).toEqual({ error: declared })
    expect(await call('eth_fillTransaction', [{ from }])).toEqual({ error: declared })
    expect(await call('eth_sendTransaction', [{ from }])).toEqual({ error: declared })
    expect(
      await call('eth_signTransaction', [{ from, gas: '0x1', nonce: '0x0', gasPrice: '0x0' }]),
    ).toEqual({ error: declared })
    expect(await call('eth_sign', [from, '0x00'])).toEqual({ error: declared })
    expect(await call('eth_resend', [{ from, nonce: '0x1' }])).toEqual({ error: declared })
    expect((await call('debug_traceTransaction', [unknownHash])).error?.code).toBe(-32601)
    expect((await call('eth_gasPrice')).error?.code).toBe(-32601)
    expect(node.calls).toEqual([])
  })
})

const unknownHash = `0x${'d'.repeat(64)}`
