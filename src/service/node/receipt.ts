/** A receipt as the documents have it: anvil 1.7.1 says `blockTimestamp` too, and says it as a number. Null and all else stay. */
export const plainReceipt = <T>(receipt: T): T => {
  if (typeof receipt !== 'object' || receipt === null || !('blockTimestamp' in receipt))
    return receipt
  const { blockTimestamp, ...rest } = receipt
  return rest as T
}
