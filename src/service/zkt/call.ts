import type { HttpContext } from 'twinspec/runtime/server'
import { type Abi, type AbiFunction, type Hex, size } from 'viem'
import type { TryZktVariants } from '../../../generated/http.types.js'
import { clip } from '../clip.js'
import type { TransactionDraft } from '../node/chain.js'
import { inThread, LARGE } from '../thread/in-thread.js'
import { signatureOf } from './abi/choose-function.js'
import {
  enqueueSubmission,
  followIds,
  followTransaction,
  signerOf,
  type ZktParts,
} from './follow.js'
import { errorOfNode } from './node-error.js'
import { gasWithMargin, prepareCall } from './prepare.js'
import { RejectedSubmission } from './rejected.js'
import { DecodingError, decodeOutput, MOST_DECODED } from './values/values-out.js'

/** Calls a `view` or `pure` function, which needs no transaction, and sends a transaction for any other function. */
export const submitCall = async (parts: ZktParts, context: HttpContext, body: CallBody) => {
  const { abi, entry, data } = await prepare(body)
  const signer = signerOf(parts, context)
  const draft = { from: signer.address, to: body.to as Hex, data }
  const reads = entry.stateMutability === 'view' || entry.stateMutability === 'pure'
  if (reads) return read(parts, context, draft, entry, abi)
  const { gas, innerBytes } = await simulate(parts, context, draft, abi)
  const submission = {
    kind: 'call' as const,
    wallet: signer.index,
    to: draft.to,
    data,
    gas: gasWithMargin(gas),
  }
  const accepted = await enqueueSubmission(parts, context, submission, innerBytes)
  const answer = { success: true as const, ...followIds(accepted) }
  if (body.wait !== true) return answer
  const { receipt, warning } = await followTransaction(parts, context, accepted)
  if (warning) return warning
  if (receipt === undefined)
    return {
      ...answer,
      error: 'the transaction was mined, and its receipt is too large to be sent',
      errorCode: 'RECEIPT_TOO_LARGE',
    }
  return { ...answer, receipt }
}

type CallBody = TryZktVariants['call']['input']['body']

const prepare = async ({ abi, method, arguments: args }: CallBody) => {
  const json = JSON.stringify({ abi, method, arguments: args })
  return json.length < LARGE ? prepareCall(json) : inThread('prepareCall', json)
}

type Target = TransactionDraft & { readonly to: Hex }

const read = async (
  { chain }: ZktParts,
  { signal }: HttpContext,
  draft: Target,
  entry: AbiFunction,
  abi: Abi,
) => {
  const returned = await chain.call(draft, { signal }).catch((error: unknown) => {
    throw errorOfNode(error, abi, 'the call') ?? error
  })
  // At an address without code, a call succeeds and returns nothing; precompiled contracts return data and have no code.
  if (returned === '0x' && (await chain.code(draft.to, { signal })) === '0x') throw noCode()
  if (size(returned) > MOST_DECODED) throw tooLong(entry, size(returned))
  try {
    return { success: true as const, output: decodeOutput(entry.outputs, returned) }
  } catch (error) {
    if (!(error instanceof DecodingError)) throw error
    const what = `what ${clip(signatureOf(entry))} returned ${error.message}`
    throw new RejectedSubmission('INVALID_BODY', `${what}, so the ABI is not the contract's`, {
      details: [{ pointer: '/abi', message: 'must give the outputs that the contract returns' }],
      cause: error,
    })
  }
}

const tooLong = (entry: AbiFunction, bytes: number): RejectedSubmission =>
  new RejectedSubmission(
    'INVALID_BODY',
    `${clip(signatureOf(entry))} returned ${bytes} bytes, and no more than ${MOST_DECODED} are decoded`,
    { details: [{ pointer: '/arguments', message: 'must ask for less at a time' }] },
  )

/** The gas of a write, and the bytes of inner calls that our own chain would keep. Rejects a write that would revert. */
const simulate = async (
  { chain }: ZktParts,
  { signal }: HttpContext,
  draft: Target,
  abi: Abi,
): Promise<{ readonly gas: bigint; readonly innerBytes: number }> => {
  let innerBytes = 0
  const onInnerBytes = (bytes: number): void => {
    innerBytes = bytes
  }
  // Called together, so that both are in one batch. A transaction to an address without code succeeds and does nothing.
  const [code, gas] = await Promise.all([
    chain.code(draft.to, { signal }),
    chain.estimateGas(draft, { signal, onInnerBytes }).catch((error: unknown) => {
      throw errorOfNode(error, abi, 'the call') ?? error
    }),
  ])
  if (code === '0x') throw noCode()
  return { gas, innerBytes }
}

const noCode = (): RejectedSubmission =>
  new RejectedSubmission('NO_CODE_AT_ADDRESS', 'there is no contract at that address', {
    details: [{ pointer: '/to', message: 'must be the address of a contract' }],
  })
