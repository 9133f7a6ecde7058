import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createNode } from '../../../src/service/node/node.js'

/** A chain with a contract for each way in which a call can end, and a transaction to each that succeeds or reverts. */
export async function seed(url: string) {
  const { chain } = createNode({ url, chainId: 20180427, timeout: 10_000 })
  let nonce = await chain.nonce(account.address, 'latest')
  const mine = async (raw: Hex) => {
    const hash = await chain.send(raw)
    for (let tries = 0; tries < 6_000; tries += 1) {
      const receipt = await chain.receipt(hash)
      if (receipt !== null) return { ...receipt, hash }
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    throw new Error(`${hash} was not mined`)
  }
  const next = (request: Partial<Draft>): Promise<Hex> => {
    nonce += 1
    return sign({ nonce: nonce - 1, ...request })
  }
  const deploy = async (runtime: string): Promise<Hex> => {
    const size = (runtime.length / 2).toString(16).padStart(4, '0')
    const receipt = await mine(await next({ data: `0x61${size}80600a3d393df3${runtime}` }))
    return receipt.contractAddress as Hex
  }
  const contracts = {
    answers: await deploy('602a60005260206000f3'),
    stores: await deploy('602a600055602a60005260ff60206000a100'),
    reverts: await deploy(
      `6308c379a060e01b6000526020600452600a60245269${USER_ERROR}60b01b60445260646000fd`,
    ),
    invalid: await deploy('fe'),
    loops: await deploy('5b600056'),
    /** Has 1,000 words on its stack, and loops. */
    deep: await deploy(`${'5a'.repeat(1_000)}5b6103e856`),
    /** Has 100 KB of memory, and calls nobody with all of it, over and over. */
    wide: await deploy(`6001620186a0525b60006000620186a06000600073${'ff'.repeat(20)}5af150600756`),
    /** Says yes to every signature (EIP-1271). */
    agrees: await deploy('631626ba7e60e01b60005260206000f3'),
  }
  // sstore(0, 42), call `stores`, revert
  const touches = await deploy(
    `602a6000556000600060006000600073${contracts.stores.slice(2)}5af160006000fd`,
  )
  const done = await mine(await next({ to: contracts.stores }))
  const undone = await mine(await next({ to: contracts.reverts }))
  const heavy = await mine(await next({ to: contracts.deep, gas: 60_000_000n }))
  const hungry = await mine(await next({ to: contracts.deep, gas: 40_000n }))
  const block = undone.blockHash as Hex
  return {
    ...contracts,
    touches,
    done: done.hash,
    undone: undone.hash,
    heavy: { hash: heavy.hash, block: heavy.blockHash as Hex, number: heavy.blockNumber as Hex },
    hungry: hungry.hash,
    block,
    next,
    nonce: () => nonce,
  }
}

export const account = privateKeyToAccount(`0x${'5'.repeat(64)}`)

/** Signed for the chain of the tests, for nothing. */
export const sign = (request: Partial<Draft>): Promise<Hex> =>
  account.signTransaction({
    type: 'eip1559',
    chainId: 20180427,
    gas: 300_000n,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
    ...request,
  })

type Draft = {
  readonly nonce: number
  readonly to: Hex
  readonly data: Hex
  readonly value: bigint
  readonly gas: bigint
  readonly chainId: number
  readonly maxFeePerGas: bigint
}

const USER_ERROR = Buffer.from('user error').toString('hex')
