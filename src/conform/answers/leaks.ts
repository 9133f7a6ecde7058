import type { Complaint } from '../case.js'
import type { Exchange } from '../exchange.js'
import type { Judging } from './judge.js'
import type { Reading } from './read.js'

/** What no answer may tell: a key, a stack trace, a path of the machine. */
export const judgeLeaks = (
  _judging: Judging,
  _exchange: Exchange,
  _reading: Reading,
): readonly Complaint[] => []
