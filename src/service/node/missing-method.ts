import type { RpcError } from 'twinspec/runtime/errors'

/**
 * The node says that it does not have the method. Some nodes and the proxies before them have another code for it, but the
 * same words; they begin the sentence, since a contract that reverts may say them further on.
 */
export const isMissingMethod = ({ code, message }: RpcError): boolean =>
  code === MISSING_METHOD || WORDS.test(message)

/** JSON-RPC 2.0, 5.1 */
export const MISSING_METHOD = -32601

const WORDS =
  /^(the |this )?(rpc )?method .*(not found|not supported|does not exist|not available)|^(unsupported|unknown) method/i
