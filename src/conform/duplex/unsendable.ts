import type { Target } from '../target.js'
import { isDuplexUrl } from './address.js'

/** Why a body cannot be sent over the connection to a server; undefined if it can. */
export const whyUnsendable = (
  { rpc, stdio }: Pick<Target, 'rpc' | 'stdio'>,
  body: string | Uint8Array | undefined,
): string | undefined => {
  if (typeof body === 'object' && isDuplexUrl(rpc))
    return `a text ${stdio ? 'over standard input' : 'of a WebSocket'} is always valid UTF-8`
  if (stdio?.framing !== 'lines' || typeof body !== 'string') return undefined
  if (body.trim() === '') return 'an empty line is no message'
  return /[\r\n]/.test(body) ? 'a line cannot contain the end of a line' : undefined
}
