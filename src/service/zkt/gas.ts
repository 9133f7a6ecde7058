/**
 * Units of gas for calldata that runs no code: 21,000, and for each byte the higher of the price of EIP-2028 (16, or 4 for a
 * zero) and the floor of EIP-7623 (40, or 10 for a zero), so that it suffices on chains with and without that floor.
 */
export const gasOfData = (data: Uint8Array): bigint => {
  let tokens = 0
  for (const byte of data) tokens += byte === 0 ? 1 : 4
  return BigInt(INTRINSIC + Math.max(4 * tokens, 10 * tokens))
}

const INTRINSIC = 21_000

/**
 * Other transactions may change the contract between the estimate and the block, so more is allowed: a quarter, and two
 * writes to fresh slots. What is not used is not paid for. The addition never passes the most that one transaction may take
 * (EIP-7825), where the estimate itself does not.
 */
export const gasWithMargin = (estimate: bigint): bigint => {
  const ample = estimate + estimate / 4n + 44_200n
  if (ample <= MOST_OF_TRANSACTION) return ample
  return estimate > MOST_OF_TRANSACTION ? estimate : MOST_OF_TRANSACTION
}

const MOST_OF_TRANSACTION = 2n ** 24n
