import type { CallError, HttpError, RpcError } from 'twinspec/runtime/errors'
import type { Context } from 'twinspec/runtime/server'
import type { rpcService } from '../../../generated/operations.js'
import type { Handlers } from '../../../generated/server.js'
import type { NodeCallOptions } from '../node/ask.js'
import type { ChainNode } from '../node/node.js'
import type { Settings } from '../setting-rows.js'
import type { Caller } from '../turns.js'

export type MethodParts = {
  readonly node: Pick<ChainNode, 'ask' | 'tracing' | 'chain'>
  /** Wire names of documented methods that the node does not have. */
  readonly lacking: ReadonlySet<string>
  readonly settings: Pick<
    Settings,
    'upstream' | 'notOffered' | 'tokens' | 'validators' | 'activeValidators' | 'waitSeconds'
  >
  /** The caller of a request, for turns of expensive calls. */
  readonly callerOf?: ((context: Context) => Caller) | undefined
  /** Called with every error of the node whose text callers do not see, and with every call that has no readable response. */
  readonly onError?: ((error: CallError | HttpError | RpcError) => void) | undefined
}

export type Methods = Pick<Handlers, keyof typeof rpcService.operations>

export type SendCall = (params: readonly unknown[], options: NodeCallOptions) => Promise<unknown>
