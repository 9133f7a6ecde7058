import type { JsonObject } from '../../../src/runtime/validate/json-value.js'

/**
 * A block with 200 transactions, 345 KB as JSON: the document's own block, its transactions of all five kinds in turn, each
 * with a number, hashes and call data of its own. The same in every run.
 */
export function blockOf(projected: JsonObject): JsonObject {
  const block = resultOf(projected, 'eth_getBlockByNumber', 'block-with-hashes')
  const kinds = KINDS.map((kind) => resultOf(projected, 'eth_getTransactionByHash', kind))
  const hex = hexDigits(20180427)
  const transactions = Array.from({ length: 200 }, (_, index) => ({
    ...kinds[index % kinds.length],
    hash: `0x${hex(64)}`,
    blockHash: block.hash,
    blockNumber: block.number,
    transactionIndex: `0x${index.toString(16)}`,
    from: `0x${hex(40)}`,
    nonce: `0x${(index * 37).toString(16)}`,
    value: `0x1${hex(15)}`,
    input: `0x${hex(8 + 64 * (index % 29))}`,
    r: `0x1${hex(63)}`,
    s: `0x1${hex(63)}`,
  }))
  const withdrawals = Array.from({ length: 16 }, (_, index) => ({
    index: `0x${(4096 + index).toString(16)}`,
    validatorIndex: `0x${(90_000 + index * 11).toString(16)}`,
    address: `0x${hex(40)}`,
    amount: `0x1${hex(7)}`,
  }))
  return { ...block, transactions, withdrawals }
}

const KINDS = ['legacy', 'with-access-list', 'dynamic-fee', 'with-blobs', 'sets-code']

/** What an example of the document answers. */
function resultOf(projected: JsonObject, method: string, example: string): JsonObject {
  const { paths } = projected as { readonly paths: Readonly<Record<string, Answering>> }
  const media = paths[`/${method}`]?.post.responses[200].content['application/json']
  const result = media?.examples[example]?.value.result
  if (result === undefined) throw new Error(`${method} shows no ${example}`)
  return result
}

type Answering = {
  readonly post: {
    readonly responses: {
      readonly 200: { readonly content: Readonly<Record<string, Exemplified>> }
    }
  }
}

type Exemplified = {
  readonly examples: Readonly<Record<string, { readonly value: { readonly result: JsonObject } }>>
}

/** Digits that look random, by Marsaglia's xorshift32. */
function hexDigits(seed: number): (count: number) => string {
  let state = seed
  return (count) => {
    let digits = ''
    while (digits.length < count) {
      state ^= state << 13
      state ^= state >>> 17
      state ^= state << 5
      digits += (state >>> 0).toString(16).padStart(8, '0')
    }
    return digits.slice(0, count)
  }
}
