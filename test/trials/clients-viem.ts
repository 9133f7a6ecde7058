import {
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  defineChain,
  http,
  parseAbi,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, expect, test } from 'vitest'
import type { Scene } from './client-scene.js'

const abi = parseAbi([
  'constructor(uint256 start)',
  'function sum() view returns (uint256)',
  'function add(uint256 amount) returns (uint256)',
  'event Added(address indexed by, uint256 amount)',
  'error TooMuch(uint256 most)',
])
/** New, and so without a balance. */
const account = privateKeyToAccount(generatePrivateKey())

export const viemTrials = (scene: () => Scene): void => {
  let clients: ReturnType<typeof clientsOf>
  beforeAll(() => {
    clients = clientsOf(scene().withKey)
  })

  const clientsOf = (url: string, batchSize?: number) => {
    const chain = defineChain({
      id: scene().chainId,
      name: 'trial',
      nativeCurrency: { name: 'nothing', symbol: 'NIL', decimals: 18 },
      rpcUrls: { default: { http: [url] } },
    })
    const transport = http(url, batchSize === undefined ? {} : { batch: { batchSize } })
    const options = { chain, transport, pollingInterval: 20, cacheTime: 0 }
    return {
      reader: createPublicClient(options),
      writer: createWalletClient({ ...options, account }),
    }
  }

  const deployed = async () => {
    const { reader, writer } = clients
    const hash = await writer.deployContract({ abi, bytecode: scene().bytecode, args: [7n] })
    const { contractAddress, status } = await reader.waitForTransactionReceipt({ hash })
    expect(status).toBe('success')
    if (!contractAddress) throw new Error('no contract')
    return contractAddress
  }

  test('connects, and finds a wallet without a balance and a network without fees', async () => {
    const { reader } = clients
    expect(await reader.getChainId()).toBe(scene().chainId)
    expect(await reader.getBalance({ address: account.address })).toBe(0n)
    expect(await reader.getGasPrice()).toBe(0n)
    expect(await reader.estimateFeesPerGas()).toMatchObject({
      maxFeePerGas: 0n,
      maxPriorityFeePerGas: 0n,
    })
    expect(await reader.getFeeHistory({ blockCount: 1, rewardPercentiles: [50] })).toMatchObject({
      baseFeePerGas: [0n, 0n],
    })
  })

  test('deploys, reads, writes and waits', async () => {
    const { reader, writer } = clients
    const address = await deployed()
    const contract = { address, abi } as const
    expect(await reader.readContract({ ...contract, functionName: 'sum' })).toBe(7n)
    const { request, result } = await reader.simulateContract({
      ...contract,
      account,
      functionName: 'add',
      args: [5n],
    })
    expect(result).toBe(12n)
    const hash = await writer.writeContract(request)
    const receipt = await reader.waitForTransactionReceipt({ hash })
    expect(receipt).toMatchObject({ status: 'success', effectiveGasPrice: 0n })
    expect(await reader.readContract({ ...contract, functionName: 'sum' })).toBe(12n)

    const block = await reader.getBlock({
      blockNumber: receipt.blockNumber,
      includeTransactions: true,
    })
    expect(block.transactions.map((transaction) => transaction.hash)).toEqual([hash])
    expect(await reader.getTransaction({ hash })).toMatchObject({
      to: address,
      blockHash: block.hash,
    })
    expect(await reader.getTransactionCount({ address: account.address })).toBe(2)
    expect(await reader.getCode({ address })).toMatch(/^0x6080/)
    expect(BigInt((await reader.getStorageAt({ address, slot: '0x0' })) ?? 0)).toBe(12n)
  })

  test('finds its logs by range and by filter', async () => {
    const { reader, writer } = clients
    const address = await deployed()
    const contract = { address, abi } as const
    const filter = await reader.createContractEventFilter({ ...contract, eventName: 'Added' })
    const blocks = await reader.createBlockFilter()
    const hash = await writer.writeContract({ ...contract, functionName: 'add', args: [5n] })
    const { blockNumber, blockHash } = await reader.waitForTransactionReceipt({ hash })
    const wanted = [
      { args: { by: account.address, amount: 5n }, transactionHash: hash, blockNumber },
    ]
    expect(await reader.getContractEvents({ ...contract, fromBlock: blockNumber })).toMatchObject(
      wanted,
    )
    expect(await reader.getFilterChanges({ filter })).toMatchObject(wanted)
    expect(await reader.getFilterChanges({ filter })).toEqual([])
    expect(await reader.getFilterLogs({ filter })).toMatchObject(wanted)
    expect(await reader.getFilterChanges({ filter: blocks })).toEqual([blockHash])
    expect(await reader.uninstallFilter({ filter })).toBe(true)
    expect(await reader.uninstallFilter({ filter })).toBe(false)
  })

  test('receives an event that it watches', async () => {
    const { reader, writer } = clients
    const contract = { address: await deployed(), abi } as const
    let stop = () => {}
    const seen = new Promise((resolve, reject) => {
      stop = reader.watchContractEvent({
        ...contract,
        onLogs: ([log]) => resolve(log?.args.amount),
        onError: reject,
      })
    })
    // The filter is made a moment after the watch begins.
    await new Promise((resolve) => setTimeout(resolve, 100))
    await writer.writeContract({ ...contract, functionName: 'add', args: [9n] })
    expect(await seen).toBe(9n)
    stop()
  })

  test.each([undefined, 40, 7])('50 reads at once, in batches of %s', async (batchSize) => {
    const { reader } = clientsOf(scene().withKey, batchSize)
    const address = await deployed()
    const slots = Array.from({ length: 50 }, (_, slot) =>
      reader.getStorageAt({ address, slot: `0x${slot.toString(16)}` }),
    )
    expect((await Promise.all(slots)).map((word) => BigInt(word ?? 0))).toEqual([
      7n,
      ...Array.from({ length: 49 }, () => 0n),
    ])
  })

  test('a batch with a failing member fails for that member alone', async () => {
    const { reader } = clientsOf(scene().withKey, 40)
    const contract = { address: await deployed(), abi } as const
    const answers = await Promise.allSettled([
      reader.getChainId(),
      reader.simulateContract({ ...contract, functionName: 'add', args: [0n] }),
      reader.readContract({ ...contract, functionName: 'sum' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  test('reads why a contract refuses', async () => {
    const { reader, writer } = clients
    const contract = { address: await deployed(), abi, functionName: 'add' } as const
    const reverted = async (work: Promise<unknown>) => {
      const error = await work.then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      const cause =
        error instanceof BaseError
          ? error.walk((one) => one instanceof ContractFunctionRevertedError)
          : error
      if (!(cause instanceof ContractFunctionRevertedError)) throw error
      return cause.data?.errorName === 'Error' ? cause.reason : cause.data
    }
    expect(await reverted(reader.simulateContract({ ...contract, args: [0n] }))).toBe(
      'amount is zero',
    )
    expect(await reverted(writer.writeContract({ ...contract, args: [0n] }))).toBe('amount is zero')
    expect(await reverted(reader.simulateContract({ ...contract, args: [2000n] }))).toMatchObject({
      errorName: 'TooMuch',
      args: [1000n],
    })
  })

  test('is refused what is not offered, by an error that it knows', async () => {
    const { reader } = clients
    const named = (method: string) =>
      reader.request({ method: method as 'eth_chainId' }).then(
        () => undefined,
        ({ name, code }: { name: string; code: number }) => `${name} ${code}`,
      )
    expect(await named('eth_nonsense')).toBe('MethodNotFoundRpcError -32601')
    expect(await named('anvil_mine')).toBe('MethodNotFoundRpcError -32601')
    await expect(reader.getBlobBaseFee()).rejects.toThrow(/eth_blobBaseFee/)
  })

  test('reads without a key, and writes nothing', async () => {
    const address = await deployed()
    const { reader, writer } = clientsOf(scene().readOnly)
    expect(await reader.readContract({ address, abi, functionName: 'sum' })).toBe(7n)
    const write = writer.writeContract({ address, abi, functionName: 'add', args: [1n] })
    await expect(write).rejects.toThrow(/key/)
    expect(await reader.readContract({ address, abi, functionName: 'sum' })).toBe(7n)
  })

  test('is refused with a key that nobody has', async () => {
    const { reader } = clientsOf(`${scene().url}/zgt/nobodys-key`)
    // viem prefers the error in the body to the status of 401.
    await expect(reader.getChainId()).rejects.toThrow('the API key is not known')
  })
}
