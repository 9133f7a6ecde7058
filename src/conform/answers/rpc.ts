import type { Complaint } from '../case.js'
import type { Exchange } from '../exchange.js'
import type { Judging } from './judge.js'
import type { RpcRequest } from './read.js'

/** What is due of every answer to a JSON-RPC request. */
export const judgeRpc = (
  _judging: Judging,
  _exchange: Exchange,
  _request: RpcRequest,
): readonly Complaint[] => []
