import { quoted } from '../report/shown.js'
import { lateWords } from '../wire/exchange.js'
import type { Failure } from '../wire/failure.js'
import { callText } from '../wire/write-request.js'
import type { StdioServer } from './command.js'
import type { DuplexConnection } from './connection.js'

/**
 * Why a program that was started has no response to a call: it ended, what it writes is no message, or it is silent. A silent one
 * is only late, because a call that it does not know may be all that it ignores. Undefined if it responds.
 */
export const failureOfFirst = async (
  connection: DuplexConnection,
  { framing }: StdioServer,
  milliseconds: number,
): Promise<Failure | undefined> => {
  // The name is reserved by JSON-RPC, so that the call changes nothing.
  await connection.send(callText('rpc.discover', [], '"first"'))
  const first = await connection.until(
    () => connection.messages.find(({ isOfServer }) => !isOfServer),
    milliseconds,
  )
  if (first !== undefined && first.members.length > 0) return undefined
  const output = first?.text ?? connection.program?.output() ?? ''
  const cause = 'unreachable'
  if (output.trim() !== '') return { failure: notMessage(output.trim(), framing), cause }
  const why = connection.whyClosed()
  if (why === undefined) return { failure: lateWords(milliseconds), cause: 'late' }
  const log = connection.program?.log() ?? ''
  const more =
    log === ''
      ? ': a server reads standard input until its end'
      : `. It wrote to standard error: ${log}`
  return { failure: `${why} before it responded${more}`, cause }
}

const notMessage = (output: string, framing: StdioServer['framing']): string => {
  const logs = 'write logs to standard error, because standard output is for messages'
  if (framing === 'content-length')
    return `the program wrote ${quoted(JSON.stringify(output))}, which is no message after a header Content-Length: ${logs}; if it writes one message a line, omit --framing`
  return /^content-(?:length|type) *:/i.test(output)
    ? `the program wrote the header ${quoted(JSON.stringify(output))}: add --framing content-length`
    : `the program wrote the line ${quoted(JSON.stringify(output))}, which is no message of JSON-RPC: ${logs}`
}
