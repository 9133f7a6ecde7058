import type { RpcOperation } from 'twinspec/runtime/operation'
import { rpcService } from '../../../generated/operations.js'
import { forwarder } from './forward.js'
import { listHandlers } from './lists.js'
import type { MethodParts, Methods } from './method-parts.js'
import { notAvailable } from './node-errors.js'
import { sendSponsored } from './sponsored.js'

/**
 * A handler for every JSON-RPC method of the document. What stands in no table here is asked of the node as it came, so
 * that a method which the document gains needs no code.
 */
export const createMethods = (parts: MethodParts): Methods => {
  const { node, lacking, settings, callerOf, onTrouble } = parts
  const own: OwnHandlers = {
    ...listHandlers(node, settings),
    chainSendSponsoredTransaction: sendSponsored(node),
    ethAccounts: () => [],
    // Gas is free here (ASSUMPTIONS 23); nodes offer 1 gwei all the same, which nobody's wallet could pay.
    ethGasPrice: () => '0x0',
    ethMaxPriorityFeePerGas: () => '0x0',
  }
  const forward = forwarder({
    node,
    embedded: settings.upstream === undefined,
    longestWait: settings.waitSeconds * 1_000,
    callerOf,
    onTrouble,
  })
  const closed = new Set([...NEVER, ...settings.notOffered])
  const handlers = rpcOperations.map((operation) => {
    const { id, method } = operation
    const answered = (own as Readonly<Record<string, AnyHandler | undefined>>)[id]
    if (closed.has(method)) return [id, refuse(operation)] as const
    if (answered !== undefined) return [id, answered] as const
    return [id, lacking.has(method) ? refuse(operation) : forward(operation)] as const
  })
  // One handler was made for each operation, and the types are those of the same operations.
  return Object.fromEntries(handlers) as unknown as Methods
}

type OwnHandlers = Partial<Methods>
type AnyHandler = (params: never, context: never) => unknown

/** The node would have to hold accounts for them (ASSUMPTIONS 20), or offers fees that nobody can pay (FACTS). */
const NEVER = [
  'eth_fillTransaction',
  'eth_resend',
  'eth_sendTransaction',
  'eth_sign',
  'eth_signTransaction',
]

const rpcOperations: readonly RpcOperation[] = Object.values(rpcService.operations)

const refuse = (operation: RpcOperation) => (): never => {
  throw notAvailable(operation)
}
