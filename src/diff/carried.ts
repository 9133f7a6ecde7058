import { type Gap, saying } from '../schema/contain/gap.js'
import type { SchemaObject } from '../schema/schema.js'

/** What carries a text of a request or a response, where not every text can be sent in it. */
export type Carrier = 'path' | 'header'

/** The gap as the documents know it: they do not say what can be sent. */
export const asDocumented = (gap: Gap): Gap => {
  const { node } = gap.inner
  const isWritten =
    node === undefined || !Object.values(SENDABLE).some((one) => one === node.schema)
  return isWritten ? gap : { ...gap, inner: saying(undefined) }
}

/** The values that can be sent: the others are no reason for a finding, whatever a schema says of them. */
export const SENDABLE: Readonly<Record<Carrier, SchemaObject>> = {
  // An empty segment is not one that a path template matches (OpenAPI, Path Templating).
  path: { minLength: 1, minItems: 1, minProperties: 1 },
  // RFC 9110, 5.5: a field value has no control characters but tabs, and no space at its ends.
  header: {
    pattern:
      '^(?:[^\\s\\u0000-\\u001f\\u007f](?:[^\\u0000-\\u0008\\u000a-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f])?)?$',
  },
}
