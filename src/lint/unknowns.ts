import type { FindingDetails, Location } from '../model/finding.js'
import { isObject } from '../model/json.js'
import { holdsValue } from '../runtime/shared/codecs.js'
import { segmentsOf } from '../runtime/shared/pointer.js'
import { asserted, referredName, type Schema, subschemas } from '../schema/schema.js'
import { isUnread, sourceOf } from '../schema/source.js'
import type { LintRule, Survey, Written } from './survey.js'

/** Rules for open questions, and for decisions without a note. */
export const UNKNOWN_RULES: readonly LintRule[] = [
  {
    id: 'schema-not-shown',
    level: 'note',
    purpose: 'Each x-not-shown marks an open question to the owners of the service.',
    find: questions,
  },
  {
    id: 'assumption-is-missing',
    level: 'warning',
    purpose:
      'If x-not-shown marks an unknown and the document still rejects values, x-assumption must state what was chosen and why.',
    find: unexplained,
  },
  {
    id: 'assumption-without-question',
    level: 'warning',
    purpose:
      'An x-assumption without x-not-shown next to it does not state which open question it answers.',
    find: unasked,
  },
  {
    id: 'schema-accepts-anything',
    level: 'warning',
    purpose:
      'A schema that accepts any value, and does not state that this is intended, probably hides a missing constraint.',
    find: acceptingAnything,
  },
  {
    id: 'limits-are-undeclared',
    level: 'note',
    purpose:
      'Clients use x-limits to split batches and limit their request rate; without it, they learn limits from rejected requests.',
    find: unlimited,
  },
]

const place = ({ node, document }: Written, member: string) =>
  document.sourceOf(node).locate(member)

function* questions({ written }: Survey): Generator<FindingDetails> {
  for (const one of written) {
    const { 'x-not-shown': open, 'x-assumption': assumed } = one.node
    if (one.kind !== 'object' || typeof open !== 'string') continue
    const chosen = typeof assumed === 'string' ? ` Assumed: ${assumed.trim()}` : ''
    yield { location: place(one, 'x-not-shown'), message: `not shown: ${open.trim()}${chosen}` }
  }
}

function* unexplained(survey: Survey): Generator<FindingDetails> {
  for (const one of survey.written) {
    const { node, kind } = one
    if (kind !== 'object' || !('x-not-shown' in node) || 'x-assumption' in node) continue
    if (!isClosed(one)) continue
    yield {
      location: place(one, 'x-not-shown'),
      message:
        'x-not-shown marks an open question, but the document rejects values here: state under x-assumption what was chosen and why, or remove the constraint',
    }
  }
}

/** Whether a schema rejects values, such as undeclared properties or unlisted values. Params by position are always closed. */
function isClosed({ node, section }: Written): boolean {
  if (section === 'methods') return Array.isArray(node.params) && node.params.length > 0
  const schema = section === 'schemas' ? node : node.schema
  if (!isObject(schema)) return false
  return (
    schema.additionalProperties === false ||
    schema.unevaluatedProperties === false ||
    ['enum', 'const', 'pattern', 'not', 'required'].some((key) => key in schema)
  )
}

function* unasked({ written }: Survey): Generator<FindingDetails> {
  for (const one of written) {
    if (one.kind !== 'object' || !('x-assumption' in one.node) || 'x-not-shown' in one.node)
      continue
    yield {
      location: place(one, 'x-assumption'),
      message: 'the assumption has no x-not-shown: add it, and say what the source does not show',
    }
  }
}

function* acceptingAnything({ schemas, api }: Survey): Generator<FindingDetails> {
  const explained = explainedParts(schemas)
  const unexplainedIn = (
    schema: Schema,
    owner: Location | undefined,
  ): readonly FindingDetails[] => {
    if (!isFree(schema) || isExplained(schema)) return []
    const location = sourceOf(schema)?.locate() ?? owner
    const { type } = typeof schema === 'object' ? schema : {}
    const message = `any ${type ?? 'value'} is accepted: describe its shape, or say under x-not-shown why it is open`
    return location ? [{ location, message }] : []
  }
  for (const { schema, source } of schemas) {
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const location = source.locate('properties', name)
      // A name that is only required is reported by required-property-is-undeclared.
      if (segmentsOf(location.pointer).at(-1) === name) yield* unexplainedIn(property, location)
    }
    if (schema.items === undefined || isExplained(schema) || explained.has(schema)) continue
    yield* unexplainedIn(schema.items, source.locate('items'))
  }
  for (const { schema, source } of api.schemas.values())
    yield* unexplainedIn(schema, source.locate())
  for (const operation of api.operations) {
    if (operation.notShown !== undefined) continue
    if (operation.kind === 'rpc') {
      const { result, params } = operation
      // A method without a result is a notification.
      const described = [result, ...params].filter(({ description }) => !isText(description))
      for (const { schema, source } of described) {
        if (schema !== true) yield* unexplainedIn(schema, source.locate())
      }
      continue
    }
    const contents = [operation.body, ...operation.responses].flatMap((one) => one?.content ?? [])
    for (const { schema, source, codec } of contents) {
      if (holdsValue(codec)) yield* unexplainedIn(schema, source.locate())
    }
  }
}

/** The schemas within an explained schema that describe the same value, at any depth of alternatives. */
function explainedParts(schemas: Survey['schemas']): ReadonlySet<Schema> {
  const found = new Set<Schema>()
  const waiting = schemas
    .filter(({ schema }) => isExplained(schema))
    .flatMap(({ schema }) => subschemas(schema, 'in-place'))
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    found.add(one)
    for (const inner of subschemas(one, 'in-place')) waiting.push(inner)
  }
  return found
}

/** Whether a schema accepts any value, or any value of a type that has parts. An explicitly open schema is intended. */
function isFree(schema: Schema): boolean {
  if (schema === true) return true
  if (schema === false || referredName(schema) !== undefined || isUnread(schema)) return false
  const says = asserted(schema)
  if (says.length === 0) return true
  return says.length === 1 && (schema.type === 'object' || schema.type === 'array')
}

const isExplained = (schema: Schema): boolean =>
  typeof schema === 'object' && ('x-not-shown' in schema || isText(schema.description))

const isText = (text: string | undefined) => text !== undefined && text.trim() !== ''

function* unlimited({ documents, api }: Survey): Generator<FindingDetails> {
  for (const { limits, source, kind } of documents) {
    const own = api.operations.filter((operation) => operation.kind === kind)
    const all = [limits, ...own.map((operation) => operation.limits)]
    if (all.some((one) => Object.keys(one).length > 0)) continue
    const such =
      kind === 'rpc'
        ? 'requestsPerMinute, batchSize and payloadBytes'
        : 'requestsPerMinute and payloadBytes'
    yield {
      location: source.locate(),
      message: `the document declares no limits: add ${such} under x-limits`,
    }
  }
}
