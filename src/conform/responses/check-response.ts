import type { Api, Operation } from '../../model/api.js'
import type { Checker } from '../../model/check.js'
import type { Complaint, CoverageKind } from '../case.js'
import type { Target } from '../target.js'
import type { Exchange } from '../wire/exchange.js'
import { judgeHttp } from './http.js'
import { judgeLeaks } from './leaks.js'
import { checkMissing } from './no-response.js'
import { readExchange } from './read.js'
import { judgeTwice } from './repeated-headers.js'
import { judgeRpc } from './rpc.js'

export type CheckContext = {
  readonly api: Api
  readonly target: Target
  readonly checker: Checker
  readonly cover: (kind: CoverageKind, name: string) => void
  /** Reports what is not judged, and why. */
  readonly skip: (what: string, why: string) => void
  /** Reports an operation that the server says it does not have. */
  readonly notOffered: (operation: Operation) => void
}

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
