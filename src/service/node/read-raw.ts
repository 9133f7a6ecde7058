import {
  type Hex,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized,
} from 'viem'

/** A signed transaction and its sender, which is undefined where the signature is not valid; undefined where it is none. */
export const readRaw = async (raw: unknown): Promise<ReadRaw | undefined> => {
  const transaction = parseRaw(raw)
  if (transaction === undefined) return undefined
  const serializedTransaction = raw as TransactionSerialized
  const from = await recoverTransactionAddress({ serializedTransaction }).catch(() => undefined)
  return { transaction, from }
}

export type ReadRaw = { readonly transaction: Parsed; readonly from: Hex | undefined }

export type Parsed = {
  readonly to?: Hex | null | undefined
  readonly data?: Hex | undefined
  readonly gas?: bigint
  readonly authorizationList?: readonly unknown[]
}

/** Undefined where it cannot be read. */
export const parseRaw = (raw: unknown): Parsed | undefined => {
  try {
    return parseTransaction(raw as TransactionSerialized) as Parsed
  } catch {
    return undefined
  }
}
