import { RpcError } from 'twinspec/runtime/errors'
import type { RpcOperation } from 'twinspec/runtime/operation'
import {
  compactSignatureToSignature,
  encodeFunctionData,
  type Hex,
  hashMessage,
  keccak256,
  parseAbi,
  parseCompactSignature,
  parseTransaction,
  recoverMessageAddress,
  recoverTransactionAddress,
  serializeSignature,
  serializeTransaction,
  type TransactionSerialized,
} from 'viem'
import { rpcService } from '../../../generated/operations.js'
import type { Chain } from '../node/chain.js'
import { isInternal } from '../node/failure.js'
import { forwarder } from './forward.js'
import type { MethodParts, Methods } from './method-parts.js'
import { asResponse, notAvailable } from './node-errors.js'

/**
 * A handler for every JSON-RPC method of the document. A method without an entry here is forwarded to the node, so a new
 * method in the document needs no code.
 */
export const createMethods = (parts: MethodParts): Methods => {
  const { node, lacking, settings, callerOf, onError } = parts
  const own: OwnHandlers = {
    ...listHandlers(node, settings),
    chainSendSponsoredTransaction: sendSponsored(node),
    ethAccounts: () => [],
    // Gas is free on this chain, but nodes return 1 gwei, which no wallet could pay.
    ethGasPrice: () => '0x0',
    ethMaxPriorityFeePerGas: () => '0x0',
  }
  const forward = forwarder({
    node,
    embedded: settings.upstream === undefined,
    longestWait: settings.waitSeconds * 1_000,
    callerOf,
    onError,
  })
  const closed = new Set([...NEVER, ...settings.notOffered])
  const handlers = rpcOperations.map((operation) => {
    const { id, method } = operation
    const answered = (own as Readonly<Record<string, AnyHandler | undefined>>)[id]
    if (closed.has(method)) return [id, reject(operation)] as const
    if (answered !== undefined) return [id, answered] as const
    return [id, lacking.has(method) ? reject(operation) : forward(operation)] as const
  })
  // There is one handler for each operation, and the types are those of the same operations.
  return Object.fromEntries(handlers) as unknown as Methods
}

type OwnHandlers = Partial<Methods>
type AnyHandler = (params: never, context: never) => unknown

/** The node would need accounts for these methods, or they return fees that no wallet can pay. */
const NEVER = [
  'eth_fillTransaction',
  'eth_resend',
  'eth_sendTransaction',
  'eth_sign',
  'eth_signTransaction',
]

const rpcOperations: readonly RpcOperation[] = Object.values(rpcService.operations)

const reject = (operation: RpcOperation) => (): never => {
  throw notAvailable(operation)
}

/** The lists of the network, from the operator's settings; they are the same for every block that the node knows. */
const listHandlers = (node: MethodParts['node'], lists: Lists): ListHandlers => {
  const asOf =
    (value: Lists['validators']): ListHandlers['chainGetValidatorList'] =>
    async ([blockHash], { signal, operation }) => {
      if (blockHash !== undefined) {
        const asked = node.ask('eth_getBlockByHash', [blockHash, false], { signal })
        const block = await asked.catch((error: unknown) => {
          throw asResponse(error, operation)
        })
        if (block === null) throw unknownBlock()
      }
      return { code: 200, value: [...value] }
    }
  return {
    chainGetSupportedTokens: () => ({ code: 200, value: [...lists.tokens] }),
    chainGetValidatorList: asOf(lists.validators),
    chainGetActiveValidatorList: asOf(lists.activeValidators),
  }
}

type Lists = Pick<MethodParts['settings'], 'tokens' | 'validators' | 'activeValidators'>

type ListHandlers = Pick<
  Methods,
  'chainGetSupportedTokens' | 'chainGetValidatorList' | 'chainGetActiveValidatorList'
>

const unknownBlock = (): RpcError =>
  new RpcError({ code: 1, message: 'runtime error', data: 'the block is not known' })

/**
 * chain_sendSponsoredTransaction broadcasts a transaction of this chain after verification of its sponsor's signature. The
 * signature is by a key or by a contract (EIP-1271). Every rejection is error 1 with its reason.
 */
const sendSponsored =
  ({ chain }: { readonly chain: Chain }): Methods['chainSendSponsoredTransaction'] =>
  async ([transaction, sponsor, sponsorSignature], { signal, operation }) => {
    const raw = transaction as Hex
    const hash = await readTransaction(raw, chain.id)
    try {
      const consent = { sponsor: sponsor as Hex, signature: sponsorSignature as Hex }
      if (!(await isConsent(consent, hash, chain, signal)))
        throw rejection('the sponsor did not sign its consent to this transaction')
      return await broadcast(raw, chain, signal)
    } catch (error) {
      throw error instanceof RpcError && error.code === REJECTED
        ? error
        : asResponse(error, operation)
    }
  }

/** The hash of the transaction. Throws an error if it is invalid, unsigned, or for another chain. */
const readTransaction = async (raw: Hex, chainId: number): Promise<Hex> => {
  const transaction = parse(raw)
  const { r, s, yParity, v, ...unsigned } = transaction
  if (r === undefined || s === undefined) throw rejection('the transaction is not signed')
  if (transaction.chainId === undefined)
    throw rejection(`the transaction is signed for no chain: this one is ${chainId}`)
  if (transaction.chainId !== chainId)
    throw rejection(`the transaction is for chain ${transaction.chainId}: this one is ${chainId}`)
  try {
    await recoverTransactionAddress({ serializedTransaction: raw as TransactionSerialized })
  } catch {
    throw rejection('the signature of the transaction is not valid')
  }
  if (unsigned.sidecars === undefined || unsigned.sidecars === false) return keccak256(raw)
  // Blobs are sent with their transaction, but its hash is that of the transaction alone (EIP-4844).
  const { sidecars, ...bare } = unsigned
  const signature = { r, s, yParity: yParity ?? Number(v ?? 0n) }
  return keccak256(serializeTransaction(bare as typeof unsigned, signature))
}

const parse = (raw: Hex): ReturnType<typeof parseTransaction> & Parsed => {
  try {
    return parseTransaction(raw) as ReturnType<typeof parseTransaction> & Parsed
  } catch {
    throw rejection('invalid raw transaction')
  }
}

type Parsed = {
  readonly r?: Hex
  readonly s?: Hex
  readonly v?: bigint
  readonly yParity?: number
  readonly sidecars?: unknown
}

const isConsent = async (
  { sponsor, signature }: { readonly sponsor: Hex; readonly signature: Hex },
  hash: Hex,
  chain: Chain,
  signal: AbortSignal,
): Promise<boolean> => {
  const message = `I consent to be a sponsor of transaction: ${hash}`
  if ((await recover(message, signature))?.toLowerCase() === sponsor.toLowerCase()) return true
  if ((await chain.code(sponsor, { signal })) === '0x') return false
  const data = encodeFunctionData({ abi: EIP1271, args: [hashMessage(message), signature] })
  try {
    const answer = await chain.call({ from: NOBODY, to: sponsor, data }, { signal })
    return answer.slice(0, 10).toLowerCase() === IS_VALID && answer.length >= 66
  } catch (error) {
    // A contract may also reject a signature by reverting.
    if (error instanceof RpcError) return false
    throw error
  }
}

/** The account whose key signed, with a signature of 65 bytes or of 64 (EIP-2098); undefined for an invalid signature. */
const recover = async (message: string, signature: Hex): Promise<Hex | undefined> => {
  try {
    const whole =
      signature.length === 130
        ? serializeSignature(compactSignatureToSignature(parseCompactSignature(signature)))
        : signature
    return await recoverMessageAddress({ message, signature: whole })
  } catch {
    return undefined
  }
}

const broadcast = async (raw: Hex, chain: Chain, signal: AbortSignal): Promise<Hex> => {
  try {
    return await chain.send(raw, { signal })
  } catch (error) {
    if (!(error instanceof RpcError) || error.code === -32005) throw error
    const [line = ''] = error.message.split('\n', 1)
    throw rejection(isInternal(line) ? 'sponsored transaction refused' : line)
  }
}

const EIP1271 = parseAbi([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
])
const IS_VALID = '0x1626ba7e'
const NOBODY = '0x0000000000000000000000000000000000000000'

const rejection = (message: string): RpcError => new RpcError({ code: REJECTED, message })

const REJECTED = 1
