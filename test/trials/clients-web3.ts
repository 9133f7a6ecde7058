import { beforeAll, expect, test } from 'vitest'
import { Web3 } from 'web3'
import type { Scene } from './client-scene.js'

export const web3Trials = (scene: () => Scene): void => {
  let web3: Web3
  beforeAll(() => {
    web3 = clientOf(scene().withKey)
  })

  const clientOf = (url: string) => {
    const made = new Web3(url)
    made.eth.transactionPollingInterval = 50
    made.eth.transactionReceiptPollingInterval = 50
    return made
  }

  /** From a wallet that is new, and so without a balance. */
  const deployed = async () => {
    const account = web3.eth.accounts.create()
    web3.eth.accounts.wallet.add(account)
    const contract = await new web3.eth.Contract(scene().abi as never)
      .deploy({ data: scene().bytecode, arguments: ['7'] as never })
      .send({ from: account.address })
    return { contract, account, address: String(contract.options.address) }
  }

  test('connects, and finds a wallet without a balance and a network without fees', async () => {
    expect(await web3.eth.getChainId()).toBe(BigInt(scene().chainId))
    expect(await web3.eth.net.getId()).toBe(BigInt(scene().chainId))
    expect(await web3.eth.net.isListening()).toBe(true)
    expect(await web3.eth.getBalance(web3.eth.accounts.create().address)).toBe(0n)
    expect(await web3.eth.getGasPrice()).toBe(0n)
    expect(await web3.eth.getFeeHistory(1, 'latest', [50])).toMatchObject({
      baseFeePerGas: [0n, 0n],
    })
  })

  test('deploys, reads, writes, waits and finds its logs', async () => {
    const { contract, account, address } = await deployed()
    const { sum, add } = contract.methods as never as Methods
    expect(await sum().call()).toBe(7n)
    const receipt = await add('5').send({ from: account.address })
    expect(receipt).toMatchObject({ status: 1n, effectiveGasPrice: 0n })
    expect(await sum().call()).toBe(12n)

    const { transactionHash: hash, blockNumber } = receipt
    const logs = await contract.getPastEvents('allEvents', { fromBlock: blockNumber })
    expect(logs).toMatchObject([
      { event: 'Added', transactionHash: hash, returnValues: { by: account.address, amount: 5n } },
    ])
    expect(await web3.eth.getPastLogs({ address, fromBlock: blockNumber })).toHaveLength(1)
    expect(await web3.eth.getBlock(blockNumber)).toMatchObject({ transactions: [hash] })
    expect(await web3.eth.getTransaction(hash)).toMatchObject({ nonce: 1n, hash })
    expect(await web3.eth.getTransactionReceipt(hash)).toMatchObject({ status: 1n })
    expect(await web3.eth.getTransactionCount(account.address)).toBe(2n)
    expect(await web3.eth.getCode(address)).toMatch(/^0x6080/)
    expect(BigInt(await web3.eth.getStorageAt(address, 0))).toBe(12n)
  })

  test('50 reads at once, and 40 in a batch of its own', async () => {
    const { address } = await deployed()
    const wanted = (count: number) => [7n, ...Array.from({ length: count - 1 }, () => 0n)]
    const slots = Array.from({ length: 50 }, (_, slot) => web3.eth.getStorageAt(address, slot))
    expect((await Promise.all(slots)).map(BigInt)).toEqual(wanted(50))

    const batch = new web3.BatchRequest()
    const members = Array.from({ length: 40 }, (_, slot) =>
      batch.add({
        method: 'eth_getStorageAt',
        params: [address, `0x${slot.toString(16)}`, 'latest'],
      } as never),
    )
    await batch.execute()
    expect((await Promise.all(members)).map((word) => BigInt(String(word)))).toEqual(wanted(40))
  })

  test('reads why a contract refuses', async () => {
    const { contract, account } = await deployed()
    const { add } = contract.methods as never as Methods
    const from = account.address
    const refusal = (work: PromiseLike<unknown>) =>
      Promise.resolve(work).then(
        () => undefined,
        (error: { message: string; cause?: { message: string; errorName?: string } }) =>
          [error.message, error.cause?.message, error.cause?.errorName].join(' '),
      )
    expect(await refusal(add('0').call({ from }))).toContain('amount is zero')
    expect(await refusal(add('0').send({ from }))).toContain('amount is zero')
    expect(await refusal(add('2000').call({ from }))).toContain('TooMuch')
  })

  test('is refused what is not offered', async () => {
    const send = (method: string) =>
      web3.provider?.request({ jsonrpc: '2.0', id: '1', method, params: [] } as never)
    for (const method of ['eth_nonsense', 'anvil_mine', 'eth_blobBaseFee']) {
      expect(await send(method)).toMatchObject({ error: { code: -32601 } })
    }
  })

  test('reads without a key, and writes nothing', async () => {
    const { address } = await deployed()
    const reader = clientOf(scene().readOnly)
    const account = reader.eth.accounts.create()
    reader.eth.accounts.wallet.add(account)
    const contract = new reader.eth.Contract(scene().abi as never, address)
    const { sum, add } = contract.methods as never as Methods
    expect(await sum().call()).toBe(7n)
    await expect(Promise.resolve(add('1').send({ from: account.address }))).rejects.toThrow(/key/)
    expect(await sum().call()).toBe(7n)
  })
}

type Methods = {
  readonly sum: () => { readonly call: () => Promise<bigint> }
  readonly add: (amount: string) => {
    readonly call: (options: { readonly from: string }) => Promise<bigint>
    readonly send: (options: {
      readonly from: string
    }) => Promise<{ readonly transactionHash: string; readonly blockNumber: bigint }>
  }
}
