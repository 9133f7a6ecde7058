import {
  type Hex,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized,
} from 'viem'

/** A signed transaction with its sender; undefined if it is invalid, or not `isCostly`. */
export const readCostly = async (raw: unknown): Promise<Sent | undefined> => {
  const transaction = parseRaw(raw)
  if (!transaction || !isCostly(transaction)) return undefined
  const serializedTransaction = raw as TransactionSerialized
  const from = await recoverTransactionAddress({ serializedTransaction }).catch(() => undefined)
  return from && { ...transaction, from }
}

type Sent = ParsedTransaction & { readonly from: Hex }

export type ParsedTransaction = {
  readonly to?: Hex | null | undefined
  readonly data?: Hex | undefined
  readonly gas?: bigint
  readonly authorizationList?: readonly unknown[]
}

/** Undefined if it cannot be parsed. */
export const parseRaw = (raw: unknown): ParsedTransaction | undefined => {
  try {
    return parseTransaction(raw as TransactionSerialized) as ParsedTransaction
  } catch {
    return undefined
  }
}

/**
 * Whether a transaction has gas for code that makes the chain store much data. That is its gas minus the price of its
 * data, and minus the floor of EIP-7623.
 */
export const isCostly = ({
  gas = 0n,
  data = '0x',
}: Pick<ParsedTransaction, 'gas' | 'data'> = {}): boolean => {
  if (gas <= 21_000n + UNMEASURED) return false
  let cost = 21_000
  for (let at = 2; at < data.length; at += 2)
    cost += data.charCodeAt(at) === ZERO && data.charCodeAt(at + 1) === ZERO ? 4 : 16
  return gas > BigInt(cost) + UNMEASURED
}

/** Units of gas beyond those for data. With these, no code creates more than 60 MB, and most calls need no more. */
const UNMEASURED = 100_000n

/** The digit. */
const ZERO = 48
