import type { RpcOperation } from 'twinspec/runtime/operation'
import { isRpcError } from 'twinspec/runtime/rpc'
import { rpcService } from '../../../generated/operations.js'
import { isMissingMethod, MISSING_METHOD } from './missing-method.js'
import type { Node } from './node.js'

/**
 * The documented methods that the node does not have, by wire name. Only those are asked for that the document lets a node
 * lack, and only without params, which no node acts upon. Rejects as the client of the node does where it does not answer.
 */
export async function probe(node: Node): Promise<ReadonlySet<string>> {
  const asked = Object.values(rpcService.operations as Record<string, RpcOperation>)
    .filter((operation) => mayLack(operation) && !hasEffect.has(operation.method))
    .map(({ method }) => method)
  const answers = await Promise.allSettled(
    asked.map((method) => node.rpc.request({ method } as { method: 'eth_chainId' })),
  )
  const refusals = answers.map((answer) => (answer.status === 'rejected' ? answer.reason : null))
  const silence = refusals.find((reason) => reason !== null && !isRpcError(reason))
  if (silence !== undefined) throw silence
  return new Set(
    asked.filter((_, index) => {
      const refusal: unknown = refusals[index]
      return isRpcError(refusal) && isMissingMethod(refusal)
    }),
  )
}

const mayLack = ({ errors }: RpcOperation): boolean =>
  errors.some(({ code }) => code === MISSING_METHOD)

/** Asked for wrongly they would do nothing either; but nobody should have to believe that. */
const hasEffect: ReadonlySet<string> = new Set([
  'chain_sendSponsoredTransaction',
  'eth_resend',
  'eth_sendRawTransaction',
  'eth_sendRawTransactionSync',
  'eth_sendTransaction',
  'eth_sign',
  'eth_signTransaction',
])
