import type { Hex } from 'viem'
import { type Load, rpcBody } from './load.js'

/** Of each account the count of its mined transactions. It is one request, however many blocks there are. */
export const noncesOf = async (
  load: Load,
  url: string,
  addresses: readonly Hex[],
): Promise<readonly number[]> => {
  const calls = addresses.map((address, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'eth_getTransactionCount',
    params: [address, 'latest'],
  }))
  const answers = JSON.parse(await load.post(url, JSON.stringify(calls))) as Answer[]
  const byId = new Map(answers.map(({ id, result }) => [id, Number(result)]))
  return addresses.map((address, id) => {
    const nonce = byId.get(id)
    if (nonce === undefined) throw new Error(`the node did not tell the nonce of ${address}`)
    return nonce
  })
}

/** Waits until the accounts have so many transactions together, and rejects where there are more, or too few for long. */
export const untilMined = async (
  load: Load,
  url: string,
  addresses: readonly Hex[],
  count: number,
): Promise<void> => {
  const deadline = performance.now() + 120_000
  let mined = -1
  for (let still = 0; ; still += 1) {
    const found = sum(await noncesOf(load, url, addresses))
    if (found === count) return
    if (found > count) throw new Error(`${found - count} were mined that nobody sent`)
    if (performance.now() > deadline) throw new Error(`${count - found} were not mined`)
    if (found > mined) still = 0
    mined = found
    if (still === STRANDED) {
      // What anvil strands in a burst is freed as the supervisor of the embedded chain does it.
      await load.post(url, rpcBody('evm_mine', []))
      still = 0
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 5)
    })
  }
}

export const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0)

/** Looks without anything new, after which a block is asked for. */
const STRANDED = 20

type Answer = { readonly id: number; readonly result: Hex }
