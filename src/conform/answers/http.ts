import type { Complaint } from '../case.js'
import type { Exchange } from '../exchange.js'
import type { Judging } from './judge.js'
import type { Reading } from './read.js'

/** What is due of every answer of a documented operation. */
export const judgeHttp = (
  _judging: Judging,
  _exchange: Exchange,
  _reading: Extract<Reading, { kind: 'http' }>,
): readonly Complaint[] => []
