import { CallError, HttpError, RpcError } from 'twinspec/runtime/errors'
import type { MethodParts, Methods } from './method-parts.js'
import { refusalOf } from './node-errors.js'
import { unanswered } from './node-unavailable.js'

/** The lists of the network, as its operator has set them; they are the same as of every block that the node knows. */
export const listHandlers = (node: MethodParts['node'], lists: Lists): ListHandlers => {
  const asOf =
    (value: Lists['validators']): ListHandlers['chainGetValidatorList'] =>
    async ([blockHash], { signal, operation }) => {
      if (blockHash !== undefined) {
        const asked = node.ask('eth_getBlockByHash', [blockHash, false], { signal })
        const block = await asked.catch((error: unknown) => {
          if (error instanceof RpcError) throw refusalOf(error, operation)
          if (error instanceof CallError || error instanceof HttpError)
            throw unanswered(error, operation)
          throw error
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
