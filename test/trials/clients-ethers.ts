import {
  type BaseContract,
  Contract,
  ContractFactory,
  isError,
  JsonRpcProvider,
  Wallet,
} from 'ethers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Scene } from './client-scene.js'

export const ethersTrials = (scene: () => Scene): void => {
  let provider: JsonRpcProvider
  const open: JsonRpcProvider[] = []
  beforeAll(() => {
    provider = providerOf(scene().withKey)
  })
  afterAll(() => {
    for (const one of open) one.destroy()
  })

  const providerOf = (url: string) => {
    // 40 is what the service takes; ethers itself would send 100.
    const made = new JsonRpcProvider(url, undefined, {
      batchMaxCount: 40,
      pollingInterval: 50,
      cacheTimeout: -1,
    })
    open.push(made)
    return made
  }

  /** New, and so without a balance. */
  const deployed = async () => {
    const wallet = new Wallet(Wallet.createRandom().privateKey, provider)
    const factory = new ContractFactory(scene().abi as never, scene().bytecode, wallet)
    const made = await factory.deploy(7n)
    await made.waitForDeployment()
    return { wallet, contract: new Contract(await made.getAddress(), scene().abi as never, wallet) }
  }

  const call = (contract: BaseContract, name: string) => contract.getFunction(name)

  test('connects, and finds a wallet without a balance and a network without fees', async () => {
    expect((await provider.getNetwork()).chainId).toBe(BigInt(scene().chainId))
    expect(await provider.getBalance(Wallet.createRandom().address)).toBe(0n)
    expect(await provider.getFeeData()).toMatchObject({ gasPrice: 0n })
    expect(await provider.getBlockNumber()).toBeGreaterThanOrEqual(0)
  })

  test('deploys, reads, writes, waits and finds its logs', async () => {
    const { contract, wallet } = await deployed()
    expect(await call(contract, 'sum')()).toBe(7n)
    expect(await call(contract, 'add').staticCall(5n)).toBe(12n)
    const sent = await call(contract, 'add')(5n)
    const receipt = await sent.wait()
    expect(receipt).toMatchObject({ status: 1, hash: sent.hash, gasPrice: 0n })
    expect(await call(contract, 'sum')()).toBe(12n)

    const address = await contract.getAddress()
    const [log, ...others] = await contract.queryFilter('Added', receipt.blockNumber)
    expect(others).toEqual([])
    expect(log).toMatchObject({ transactionHash: sent.hash, address, args: [wallet.address, 5n] })
    expect(await provider.getBlock(receipt.blockNumber)).toMatchObject({
      transactions: [sent.hash],
    })
    expect(await provider.getTransaction(sent.hash)).toMatchObject({ to: address, nonce: 1 })
    expect(await provider.getTransactionCount(wallet.address)).toBe(2)
    expect(await provider.getCode(address)).toMatch(/^0x6080/)
    expect(BigInt(await provider.getStorage(address, 0))).toBe(12n)
  })

  test('receives an event that it listens to, by a filter', async () => {
    const { contract } = await deployed()
    let heard: (amount: bigint) => void = () => {}
    const seen = new Promise<bigint>((resolve) => {
      heard = resolve
    })
    await contract.once('Added', (_by, amount) => heard(amount))
    // The filter is made a moment after the listener is there.
    await new Promise((resolve) => setTimeout(resolve, 100))
    await call(contract, 'add')(9n)
    expect(await seen).toBe(9n)
  })

  test('50 reads at once', async () => {
    const { contract } = await deployed()
    const address = await contract.getAddress()
    const slots = Array.from({ length: 50 }, (_, slot) => provider.getStorage(address, slot))
    expect((await Promise.all(slots)).map(BigInt)).toEqual([
      7n,
      ...Array.from({ length: 49 }, () => 0n),
    ])
  })

  test('50 reads in a batch of 50 are refused, every one', async () => {
    const eager = new JsonRpcProvider(scene().withKey, scene().chainId, { staticNetwork: true })
    open.push(eager)
    const blocks = Array.from({ length: 50 }, () => eager.send('eth_blockNumber', []))
    const errors = (await Promise.allSettled(blocks)).map((one) =>
      one.status === 'rejected' ? String(one.reason) : 'answered',
    )
    expect(errors.filter((text) => text === 'answered')).toEqual([])
  })

  test('reads why a contract refuses', async () => {
    const { contract } = await deployed()
    const refusal = async (work: Promise<unknown>) => {
      const error = await work.then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      if (!isError(error, 'CALL_EXCEPTION')) throw error
      return error.revert
    }
    const words = { name: 'Error', args: ['amount is zero'] }
    expect(await refusal(call(contract, 'add').staticCall(0n))).toMatchObject(words)
    // The estimate of its gas is refused, so nothing is sent.
    expect(await refusal(call(contract, 'add')(0n))).toMatchObject(words)
    expect(await refusal(call(contract, 'add').staticCall(2000n))).toMatchObject({
      name: 'TooMuch',
      args: [1000n],
    })
  })

  test('is refused what is not offered', async () => {
    const code = (method: string) =>
      provider.send(method, []).then(
        () => undefined,
        (error: { error?: { code: number } }) => error.error?.code,
      )
    expect(await code('eth_nonsense')).toBe(-32601)
    expect(await code('anvil_mine')).toBe(-32601)
    expect(await code('eth_blobBaseFee')).toBe(-32601)
  })

  test('reads without a key, and writes nothing', async () => {
    const { contract } = await deployed()
    const reader = providerOf(scene().readOnly)
    const stranger = contract.connect(new Wallet(Wallet.createRandom().privateKey, reader))
    expect(await call(stranger as Contract, 'sum')()).toBe(7n)
    await expect(call(stranger as Contract, 'add')(1n)).rejects.toThrow(/key/)
    expect(await call(stranger as Contract, 'sum')()).toBe(7n)
  })
}
