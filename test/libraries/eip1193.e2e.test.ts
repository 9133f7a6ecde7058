import { BrowserProvider, Contract, ContractFactory, isError, Wallet } from 'ethers'
import { createPublicClient, custom } from 'viem'
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest'
import { createProvider } from '../../generated/eip1193.js'
import { chains } from '../../generated/viem.js'
import { type Scene, startScene } from '../trials/client-scene.js'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

test("ethers' BrowserProvider deploys, writes, waits, reads and finds logs", async () => {
  // ethers keeps answers for 250 ms, in which the service mines: the second write would take the nonce of the first.
  const provider = new BrowserProvider(createProvider({ server: scene.withKey }), undefined, {
    cacheTimeout: -1,
  })
  const wallet = Wallet.createRandom(provider)
  const factory = new ContractFactory(scene.abi as never, scene.bytecode, wallet)
  const made = await factory.deploy(5n)
  await made.waitForDeployment()
  const tally = new Contract(await made.getAddress(), scene.abi as never, wallet)
  const call = (name: string, ...args: unknown[]) => tally.getFunction(name)(...args)
  expect(await call('sum')).toBe(5n)
  const sent = await call('add', 7n)
  expect((await sent.wait())?.status).toBe(1)
  expect(await call('sum')).toBe(12n)
  const [event] = await tally.queryFilter('Added', 0)
  expect(event && 'args' in event && [...event.args]).toEqual([wallet.address, 7n])
  const refused = await tally
    .getFunction('add')
    .staticCall(1_001n)
    .catch((error) => error)
  expect(isError(refused, 'CALL_EXCEPTION') && refused.revert?.name).toBe('TooMuch')
  expect((await provider.getNetwork()).chainId).toBe(BigInt(scene.chainId))
  provider.destroy()
})

test('viem takes it as a wallet', async () => {
  const transport = custom(createProvider({ server: scene.readOnly }))
  const client = createPublicClient({ chain: chains.testnet, transport })
  expect(await client.getChainId()).toBe(chains.testnet.id)
})

test('what the documents know is typed, and refusals have codes', async () => {
  const provider = createProvider({ server: scene.readOnly })
  const tokens = await provider.request({ method: 'chain_getSupportedTokens' })
  expectTypeOf(tokens).toEqualTypeOf<{ code: number; value: `0x${string}`[] }>()
  expect(tokens.code).toBe(200)
  const refused = (method: string, params?: unknown[]) =>
    provider.request({ method, params }).catch((error: unknown) => error)
  const name = 'ProviderRpcError'
  expect(await refused('eth_requestAccounts')).toMatchObject({ name, code: 4200 })
  expect(await refused('eth_getBalance', ['0x'])).toMatchObject({ name, code: -32602 })
  expect(await refused('eth_sendRawTransaction', ['0x00'])).toMatchObject({
    name,
    code: expect.any(Number),
    message: expect.stringContaining('key'),
  })
})
