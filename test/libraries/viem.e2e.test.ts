import {
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  decodeEventLog,
  getContract,
  type Hex,
  type PublicClient,
  parseAbi,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest'
import { isHttpError } from '../../generated/http.client.js'
import { chains, rpcSchema, rpcTransport, statusActions, zktActions } from '../../generated/viem.js'
import { type Scene, startScene } from '../trials/client-scene.js'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

/** Every request that goes out, as it goes over the wire. */
const watched = () => {
  const sent: unknown[] = []
  const watch = async (url: string | URL | Request, init?: RequestInit) => {
    sent.push(JSON.parse(String(init?.body)))
    return fetch(url, init)
  }
  return { sent, fetch: watch }
}

const ABI = parseAbi([
  'constructor(uint256 start)',
  'event Added(address indexed by, uint256 amount)',
  'error TooMuch(uint256 most)',
  'function sum() view returns (uint256)',
  'function add(uint256 amount) returns (uint256)',
])

const clients = () => {
  const chain = chains.testnet
  const account = privateKeyToAccount(generatePrivateKey())
  const transport = rpcTransport({ server: scene.withKey })
  return {
    reader: createPublicClient({ chain, transport, rpcSchema, pollingInterval: 50 }),
    writer: createWalletClient({ chain, transport, account }),
    account,
  }
}

const deployed = async () => {
  const { reader, writer, account } = clients()
  const hash = await writer.deployContract({ abi: ABI, bytecode: scene.bytecode, args: [5n] })
  const { contractAddress } = await reader.waitForTransactionReceipt({ hash })
  if (!contractAddress) throw new Error('nothing was deployed')
  return { reader, writer, account, address: contractAddress }
}

test('a contract is deployed, written to, waited for and read, and its logs are found', async () => {
  const { reader, writer, account, address } = await deployed()
  const tally = getContract({ abi: ABI, address, client: { public: reader, wallet: writer } })
  expect(await tally.read.sum()).toBe(5n)
  const hash = await tally.write.add([7n])
  const receipt = await reader.waitForTransactionReceipt({ hash })
  expect(receipt.status).toBe('success')
  expect(await tally.read.sum()).toBe(12n)
  const [event] = await tally.getEvents.Added({ by: account.address }, { fromBlock: 0n })
  expect(event?.args).toEqual({ by: account.address, amount: 7n })
  expect(await reader.getLogs({ address, fromBlock: 0n })).toHaveLength(1)
  const [log] = receipt.logs
  expect(log && decodeEventLog({ abi: ABI, ...log }).args).toEqual(event?.args)
  expect(await reader.getChainId()).toBe(chains.testnet.id)
})

test('the reason of a revert is decoded', async () => {
  const { reader, account, address } = await deployed()
  const refused = async (amount: bigint) => {
    const call = { abi: ABI, address, functionName: 'add', args: [amount], account } as const
    const error = await reader.simulateContract(call).catch((thrown) => thrown)
    const reverted = error.walk((one: unknown) => one instanceof ContractFunctionRevertedError)
    return [reverted?.data?.errorName, reverted?.data?.args, reverted?.reason]
  }
  expect(await refused(1_001n)).toEqual(['TooMuch', [1_000n], undefined])
  expect(await refused(0n)).toEqual(['Error', ['amount is zero'], 'amount is zero'])
})

test('calls of one turn go out as batches no larger than the document allows', async () => {
  const { sent, fetch } = watched()
  const transport = rpcTransport({ server: scene.readOnly, fetch })
  const reader = createPublicClient({ chain: chains.testnet, transport })
  const addresses = Array.from({ length: 50 }, (_, at): Hex => `0x${String(at).padStart(40, '0')}`)
  const balances = await Promise.all(addresses.map((address) => reader.getBalance({ address })))
  expect(balances).toEqual(addresses.map(() => 0n))
  expect(sent.map((body) => (body as unknown[]).length)).toEqual([40, 10])
})

test('the methods of the document are typed beside those of viem', async () => {
  const { reader } = clients()
  const tokens = await reader.request({ method: 'chain_getSupportedTokens' })
  expectTypeOf(tokens).toEqualTypeOf<{ code: number; value: Hex[] }>()
  expect(tokens.code).toBe(200)
  const block = await reader.request({ method: 'eth_blockNumber' })
  expectTypeOf(block).toEqualTypeOf<Hex>()
  const list = await reader.request({ method: 'chain_getValidatorList', params: [] })
  expectTypeOf(list.value).toEqualTypeOf<Hex[]>()
  // @ts-expect-error there is no such method
  const unknown = reader.request({ method: 'chain_getSupportedToken' })
  await expect(unknown).rejects.toMatchObject({ name: 'MethodNotFoundRpcError', code: -32601 })
  // @ts-expect-error a block hash is a text
  const wrong = reader.request({ method: 'chain_getValidatorList', params: [7] })
  await expect(wrong).rejects.toMatchObject({ name: 'InvalidParamsRpcError', code: -32602 })
  expectTypeOf(reader).toExtend<PublicClient>()
})

test('messages, calls, deployments and the status are actions of a client', async () => {
  const auth = { apiKey: scene.key }
  const client = clients()
    .reader.extend(zktActions({ server: scene.url, auth }))
    .extend(statusActions({ server: scene.url }))
  const code = 'contract Sum { uint256 public sum; function add(uint256 by) public { sum += by; } }'
  const made = await client.submitZkt({ body: { code } })
  if (!('contractAddress' in made)) throw new Error('nothing was deployed')
  const call = { to: made.contractAddress, arguments: [] }
  const written = await client.submitZkt({
    body: { ...call, abi: ['function add(uint256 by)'], method: 'add', arguments: ['7'] },
  })
  if (!('queueId' in written) || !written.queueId) throw new Error('nothing was queued')
  const { queueId } = written
  const states: string[] = []
  for await (const { status } of client.getZktTransaction.poll({ path: { queueId } }))
    states.push(status)
  expect(states.at(-1)).toBe('completed')
  const abi = ['function sum() view returns (uint256)']
  const read = await client.tryZkt({ body: { ...call, abi, method: 'sum' } })
  expect(read).toMatchObject({ output: ['7'] })
  // @ts-expect-error a message has no contract
  const mixed = client.submitZkt({ body: { arguments: 'hello', to: made.contractAddress } })
  await expect(mixed).rejects.toThrow('must not have the property `to`')
  const refused = client.submitZkt({ body: { arguments: 'hello' }, path: { apiKey: 'nobody' } })
  expect(isHttpError(await refused.catch((error) => error), 'submitZkt', 401)).toBe(true)
})
