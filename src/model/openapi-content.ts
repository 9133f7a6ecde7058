import type { Example, JsonObject, MediaType } from './api.js'
import { entriesOf } from './json.js'
import { type Reading, text } from './reading.js'

/** The media types of a body or an answer. */
export function readContent(holder: JsonObject, reading: Reading): readonly MediaType[] {
  return entriesOf(holder.content).flatMap(([type, value]) => {
    const media = reading.resolve(value)
    if (!media) return []
    return {
      type,
      schema: media.schema === undefined ? true : reading.schema(media.schema, media, 'schema'),
      examples: readExamples(media, reading),
      source: reading.source(media),
    }
  })
}

/** The examples beside a schema, one or named. */
export function readExamples(holder: JsonObject, reading: Reading): readonly Example[] {
  if (holder.example !== undefined) {
    const source = reading.source(holder, 'example')
    return [{ name: 'example', summary: undefined, value: holder.example, source }]
  }
  return entriesOf(holder.examples).flatMap(([name, entry]) => {
    const example = reading.resolve(entry)
    // An externalValue stands behind a URL, which is never fetched.
    if (!example || example.value === undefined) return []
    const { value } = example
    return { name, summary: text(example.summary), value, source: reading.source(example, 'value') }
  })
}
