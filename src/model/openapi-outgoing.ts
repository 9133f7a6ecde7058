import type { OutgoingRequest } from './api.js'
import { entriesOf } from './json.js'
import { readBody, readResponses } from './openapi.js'
import { readParameters } from './openapi-parameters.js'
import { operationsIn } from './path-item.js'
import { promises, type Reading } from './reading.js'

/**
 * The webhooks (OpenAPI 3.1, OpenAPI Object) and the callbacks (Operation Object) of a document that `bundle` has made
 * self-contained.
 */
export function readOutgoingRequests(reading: Reading): readonly OutgoingRequest[] {
  const root = reading.document.value
  const webhooks = entriesOf(root.webhooks).flatMap(([name, item]) =>
    requestsOf(item, { kind: 'webhook', name, callback: undefined }, reading),
  )
  const callbacks = entriesOf(root.paths).flatMap(([path, item]) =>
    operationsIn(item).flatMap(({ method, node }) =>
      entriesOf(node.callbacks).flatMap(([name, value]) =>
        entriesOf(reading.resolve(value)).flatMap(([url, target]) =>
          requestsOf(target, { kind: 'callback', name, callback: { method, path, url } }, reading),
        ),
      ),
    ),
  )
  return [...webhooks, ...callbacks]
}

/** The requests of one path item. */
function requestsOf(
  value: unknown,
  place: Pick<OutgoingRequest, 'kind' | 'name' | 'callback'>,
  reading: Reading,
): readonly OutgoingRequest[] {
  const item = reading.resolve(value)
  return operationsIn(item).map(({ method, node }) => {
    const body = readBody(node, reading)
    const { stability, deprecated, sunset } = promises(node)
    return {
      ...place,
      method,
      // The address is the subscriber's, so no parameter has a place in a path.
      parameters: readParameters(node, item ?? {}, '', reading).parameters,
      body: body && { ...body, source: reading.source(reading.resolve(node.requestBody) ?? node) },
      responses: readResponses(node, reading),
      ...{ stability, deprecated, sunset },
      source: reading.source(node),
    }
  })
}
