import { setMaxListeners } from 'node:events'
import { CallError, HttpError, RpcError } from 'twinspec/runtime/errors'
import type { RpcOperation, RpcValidators } from 'twinspec/runtime/operation'
import type { RpcContext } from 'twinspec/runtime/server'
import * as validators from '../../../generated/validators.js'
import { isInternal } from '../node/internal-text.js'
import { boundRaw } from '../node/memory-cost.js'
import { listOfFailure } from './access-list.js'
import { corrections } from './anvil-results.js'
import { boundTrace } from './bounded-trace.js'
import { boundWork } from './bounds.js'
import { refuseForeign } from './chain-id.js'
import { logsByRange } from './logs-by-range.js'
import type { MethodParts } from './method-parts.js'
import { isUnknownBlock, refusalOf } from './node-errors.js'
import { unanswered } from './node-unavailable.js'
import { complete, respell } from './params.js'
import type { Send } from './send.js'
import { sendAndWait } from './send-sync.js'

/**
 * Makes the handlers that ask the node. Params go out as they came, but for what a node needs that the document does not
 * (`params.ts`); what comes back is the node's own, or a refusal in the document's words.
 */
export const forwarder =
  ({ node, embedded, longestWait, callerOf, onTrouble }: ForwardTerms) =>
  (operation: RpcOperation): Forward => {
    const { method } = operation
    const correct = corrections[method]
    const nullable = canBeNull(operation)

    const sendAs =
      (name: string): Send =>
      (params, options) =>
        node.ask(name as 'debug_traceCall', params as never, options)
    const send = sendAs(method)
    const ask: Send = async (params, options) => {
      try {
        return await send(params, options)
      } catch (error) {
        const again = isMisread(error) ? respell(method, params) : undefined
        if (again === undefined) throw error
        return send(again, options)
      }
    }
    const bounded = (name: string, by: Send): Send => (embedded ? boundTrace(name, by, node) : by)
    const trace = bounded('debug_traceCall', sendAs('debug_traceCall'))
    const perform = TRACE.test(method)
      ? bounded(method, ask)
      : embedded && method === 'eth_getLogs'
        ? logsByRange(ask, node.ask)
        : performances[method]?.({ send, trace, node, longestWait })

    return async (given, context) => {
      const { signal } = context
      const options = { signal, caller: callerOf?.(context) }
      const params = complete(method, embedded ? boundWork(method, given) : given)
      // The members of a batch share their caller, and each listens for its leaving.
      setMaxListeners(0, signal)
      try {
        if (SEND.test(method)) {
          refuseForeign(params[0], { id: node.chain.id, embedded })
          if (embedded) await boundRaw(node.ask, params[0], options)
        }
        const result = await (perform ?? ask)(params, options)
        return correct === undefined ? result : correct(result, given)
      } catch (error) {
        if (nullable && isUnknownBlock(error, operation)) return null
        if (error instanceof RpcError) {
          if (isInternal(error.message)) onTrouble?.(error)
          throw refusalOf(error, operation)
        }
        if (!(error instanceof CallError || error instanceof HttpError)) throw error
        if (!signal.aborted) onTrouble?.(error)
        throw unanswered(error, operation)
      }
    }
  }

export type Forward = (params: readonly unknown[], context: RpcContext) => Promise<unknown>

/** Methods that take more than a question and an answer. */
const performances: Readonly<Record<string, (tools: Tools) => Send>> = {
  eth_createAccessList:
    ({ send, trace }) =>
    (params, options) =>
      send(params, options).catch((error: unknown) => {
        if (!(error instanceof RpcError)) throw error
        return listOfFailure(error, trace, params, options)
      }),
  eth_sendRawTransactionSync: ({ send, node, longestWait }) =>
    sendAndWait(send, node.chain, longestWait),
}

type Tools = Pick<ForwardTerms, 'node' | 'longestWait'> & {
  readonly send: Send
  readonly trace: Send
}

type ForwardTerms = Pick<MethodParts, 'node' | 'callerOf' | 'onTrouble'> & {
  /** The node is the chain of our own, which sets its callers no bounds. */
  readonly embedded: boolean
  /** Milliseconds for which a caller may have a transaction waited for. */
  readonly longestWait: number
}

const TRACE = /^debug_trace/

const SEND = /^eth_sendRawTransaction/

/** The node could not read the params, so nothing has been done. */
const isMisread = (error: unknown): boolean => error instanceof RpcError && error.code === -32602

const canBeNull = ({ id }: RpcOperation): boolean =>
  (validators as unknown as Readonly<Record<string, RpcValidators>>)[id]?.result.check(null) ===
  true
