/** Params as a node needs them: nodes that read the state ask for the block that the document lets callers leave out. */
export const complete = (method: string, params: Params): Params =>
  BLOCK_AT[method] === params.length ? [...params, 'latest'] : params

/**
 * The same params in the only spelling that anvil 1.7.1 reads, for a node that could not read them as they came; undefined
 * where there is no other. Whole words for storage keys are no good to begin with: geth spells its answer like the question.
 */
export const respell = (method: string, params: Params): Params | undefined => {
  const words = SPELLINGS[method]
  if (words === undefined) return undefined
  const again = words(params)
  return JSON.stringify(again) === JSON.stringify(params) ? undefined : again
}

type Params = readonly unknown[]

const BLOCK_AT: Readonly<Record<string, number>> = {
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getProof: 2,
  eth_getStorageAt: 2,
  eth_getStorageValues: 1,
  eth_getTransactionCount: 1,
}

/** `0x1` as 32 bytes. */
const word = (key: unknown): unknown =>
  typeof key === 'string' && /^0x[\da-f]{0,63}$/i.test(key)
    ? `0x${key.slice(2).padStart(64, '0')}`
    : key

const wordsOf = (keys: unknown): unknown => (Array.isArray(keys) ? keys.map(word) : keys)

const mapValues = (value: unknown, change: (member: unknown, key: string) => unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, change(member, key)]))
    : value

const overrides = (value: unknown): unknown =>
  mapValues(value, (member, key) => (key === 'prevRandao' ? word(member) : member))

const inBlocks = (payload: unknown): unknown =>
  mapValues(payload, (blocks, key) =>
    key === 'blockStateCalls' && Array.isArray(blocks)
      ? blocks.map((block) =>
          mapValues(block, (member, name) =>
            name === 'blockOverrides' ? overrides(member) : member,
          ),
        )
      : blocks,
  )

const inCall = (params: Params): Params =>
  params.map((param, index) => (index === 3 ? overrides(param) : param))

const SPELLINGS: Readonly<Record<string, (params: Params) => Params>> = {
  eth_call: inCall,
  eth_estimateGas: inCall,
  eth_getProof: ([address, keys, ...rest]) => [address, wordsOf(keys), ...rest],
  eth_getStorageValues: ([requests, ...rest]) => [mapValues(requests, wordsOf), ...rest],
  eth_simulateV1: ([payload, ...rest]) => [inBlocks(payload), ...rest],
  debug_traceCall: ([call, block, config]) => [
    call,
    block,
    ...(config === undefined
      ? []
      : [
          mapValues(config, (member, key) =>
            key === 'blockOverrides' ? overrides(member) : member,
          ),
        ]),
  ],
}
