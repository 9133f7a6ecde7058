import type { Complaint } from '../case.js'
import type { Exchange } from '../wire/exchange.js'
import type { CheckContext } from './check-context.js'
import { judgeHttp } from './http.js'
import { judgeLeaks } from './leaks.js'
import { checkMissing } from './no-response.js'
import { readExchange } from './read.js'
import { judgeTwice } from './repeated-headers.js'
import { judgeRpc } from './rpc.js'

/** What is due of every answer, whatever was asked, sent or recorded. */
export const checkExchange = (judging: CheckContext, exchange: Exchange): readonly Complaint[] => {
  const reading = readExchange(judging.api, judging.target, exchange)
  return [
    ...checkMissing(judging, exchange, reading),
    ...judgeLeaks(judging, exchange, reading),
    ...judgeTwice(exchange, reading),
    ...(reading.kind === 'rpc' ? judgeRpc(judging, exchange, reading.request) : []),
    ...(reading.kind === 'http' ? judgeHttp(judging, exchange, reading) : []),
  ]
}
