import { isNumberToken, sameDecimal } from '../../runtime/server/json-number.js'
import { quoted } from '../report/quoted.js'

/**
 * Whether two JSON texts are one id (JSON-RPC 2.0, 5): a text keeps its characters however they are escaped, a number its
 * value to the last digit, and `1` is not `"1"`.
 */
export const isSameId = (sent: string, came: string): boolean => {
  if (sent === came) return true
  if (sent.startsWith('"') && came.startsWith('"')) return JSON.parse(sent) === JSON.parse(came)
  return isNumberToken(sent) && isNumberToken(came) && sameDecimal(sent, came)
}

/** A string, a number or null (JSON-RPC 2.0, 4 and 5). */
export const isId = (text: string): boolean =>
  text === 'null' || text.startsWith('"') || isNumberToken(text)

/** As it is told to people. */
export const shownId = quoted
