import type { FindingDetails } from '../model/finding.js'
import type { LintRule, Survey } from './survey.js'

/** Responses whose media type is a stream of items, such as `text/event-stream`. */
export const STREAM_RULES: readonly LintRule[] = [
  {
    id: 'stream-without-item-schema',
    level: 'note',
    purpose: 'Stream items without a schema are neither typed nor validated.',
    find: undescribed,
  },
  {
    id: 'item-schema-of-a-later-version',
    level: 'note',
    purpose: 'OpenAPI 3.2 added itemSchema, so other tools ignore it in an older document.',
    find: tooEarly,
  },
]

function* undescribed({ http }: Survey): Generator<FindingDetails> {
  for (const { responses } of http) {
    for (const { type, items, source } of responses.flatMap(({ content }) => content)) {
      if (items === undefined || items.isDescribed) continue
      yield {
        location: source.locate(),
        message: `${type} has no schema for its items, so clients do not validate them`,
        advice: 'describe one item in itemSchema, or the list of all in schema',
      }
    }
  }
}

function* tooEarly({ written }: Survey): Generator<FindingDetails> {
  for (const { node, document, section } of written) {
    if (section !== 'mediaTypes' || node.itemSchema === undefined) continue
    const version = String(document.bundled.openapi)
    if (!/^3\.[01]\b/.test(version)) continue
    yield {
      location: document.sourceOf(node).locate('itemSchema'),
      message: `itemSchema requires OpenAPI 3.2, and the document is ${version}: it is read nevertheless`,
      advice: 'write openapi: 3.2.0',
    }
  }
}
