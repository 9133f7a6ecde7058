import type { Api } from '../model/api.js'
import { codecOf } from '../runtime/shared/codecs.js'
import { createEventParser } from '../runtime/streams/event-stream.js'
import { routeOfRecorded } from './address.js'
import { createConnectionReader } from './connection.js'
import { contentTypeOf, sentText, textOf } from './exchange.js'
import type { Recording } from './recording.js'

/**
 * The messages of a JSON-RPC exchange over HTTP whose response is an event stream: a server sends its own messages there before
 * its response, or only those in the response to a GET request. Any other recording is returned as it is.
 */
export const recordedMessages = (api: Api, recording: Recording): readonly Recording[] => {
  const { facts, file, line, pointer, time } = recording
  const { url, headers, lacksHeaders, response } = facts
  if (response === undefined || codecOf(contentTypeOf(response) ?? '') !== 'events')
    return [recording]
  const content = response.content()
  const isOfRpc = url !== undefined && routeOfRecorded(api, 'POST', url)?.operation === 'rpc'
  if (!isOfRpc || content === undefined || !('raw' in content)) return [recording]
  const name = pointer === undefined ? `${file}:${line}` : `${file}#${pointer}`
  const reader = createConnectionReader({ name, file, url, headers, lacksHeaders })
  const place = { line, pointer, time }
  const { body } = recording.sent()
  // Two line ends complete an event that the server did not.
  const events = createEventParser().push(`${textOf(content.raw)}\n\n`)
  return [
    ...(body === undefined
      ? []
      : reader.read({ ...place, sender: 'client', text: sentText(body) })),
    ...events.flatMap(({ data }) =>
      data === '' ? [] : reader.read({ ...place, sender: 'server', text: data }),
    ),
    ...reader.end(),
  ]
}
