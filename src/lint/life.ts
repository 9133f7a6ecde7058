import type { Operation } from '../model/api.js'
import { dayOf } from '../model/day.js'
import type { FindingDetails } from '../model/finding.js'
import { nameOf } from '../model/operation-name.js'
import { successorOf } from '../model/successor.js'
import type { LintRule, Survey } from './survey.js'

/** Rules for deprecation: its date, its end, and the replacement. */
export const LIFE_RULES: readonly LintRule[] = [
  {
    id: 'deprecation-has-no-date',
    level: 'warning',
    purpose: 'Callers need to know the date on which a deprecated operation ends.',
    find: undated,
  },
  {
    id: 'sunset-has-no-deprecation',
    level: 'warning',
    purpose: 'Clients warn about deprecated operations; a sunset date alone causes no warning.',
    find: unwarned,
  },
  {
    id: 'deprecation-has-no-successor',
    level: 'note',
    purpose: 'Callers need to know which operation replaces a deprecated one.',
    find: unreplaced,
  },
  {
    id: 'successor-is-unknown',
    level: 'warning',
    purpose:
      'Servers, clients and the reference direct callers to the replacement that x-replaced-by names.',
    find: unknownSuccessors,
  },
  {
    id: 'sunset-has-passed',
    level: 'warning',
    purpose: 'The document declares a sunset date that is in the past.',
    find: ended,
  },
  {
    id: 'sunset-precedes-deprecation',
    level: 'error',
    purpose: 'RFC 9745: the sunset date must not be earlier than the deprecation date.',
    find: endedEarly,
  },
  {
    id: 'life-date-is-invalid',
    level: 'error',
    purpose: 'A date that is not in the calendar is invalid, so servers and clients omit it.',
    find: impossibleDays,
  },
]

function* undated({ everyOperation }: Survey): Generator<FindingDetails> {
  for (const operation of everyOperation) {
    const { deprecated, sunset, source } = operation
    if (!deprecated || sunset !== undefined) continue
    yield {
      location: source.locate('deprecated'),
      message: `${nameOf(operation)} is deprecated and has no end: add x-sunset with a date`,
    }
  }
}

function* unwarned({ everyOperation }: Survey): Generator<FindingDetails> {
  for (const operation of everyOperation) {
    const { deprecated, sunset, source } = operation
    if (deprecated || sunset === undefined) continue
    yield {
      location: source.locate('x-sunset'),
      message: `${nameOf(operation)} ends on ${sunset} and is not marked as deprecated: add deprecated: true`,
    }
  }
}

function* unreplaced({ api }: Survey): Generator<FindingDetails> {
  for (const operation of api.operations) {
    const { deprecated, sunset, replacedBy, source } = operation
    if (!(deprecated || sunset !== undefined) || replacedBy !== undefined) continue
    if (namesSuccessor(operation, api.operations)) continue
    yield {
      location: source.locate(deprecated ? 'deprecated' : 'x-sunset'),
      message: `${nameOf(operation)} ${deprecated ? 'is deprecated' : `ends on ${sunset}`} and names no successor: add x-replaced-by, or name the successor in the description`,
    }
  }
}

/** Whether the summary or the description names another operation, or has a link to an explanation. */
const namesSuccessor = (
  { id, summary = '', description = '' }: Operation,
  operations: readonly Operation[],
): boolean => {
  const text = `${summary}\n${description}`
  if (/https?:\/\/|\]\(/.test(text)) return true
  const words = new Set(
    text.match(/[^\s`'"()[\],;]+/g)?.map((word) => word.replace(/(?<![.:!?])[.:!?]+$/, '')),
  )
  return operations.some(
    (one) =>
      one.id !== id &&
      (one.kind === 'http' ? [one.id, one.path] : [one.id, one.method]).some((name) =>
        words.has(name),
      ),
  )
}

function* unknownSuccessors({ api }: Survey): Generator<FindingDetails> {
  for (const operation of api.operations) {
    const { replacedBy, source } = operation
    if (replacedBy === undefined || successorOf(operation, api) !== undefined) continue
    const own = [operation.id, nameOf(operation)].includes(replacedBy)
    yield {
      location: source.locate('x-replaced-by'),
      message: own
        ? `${nameOf(operation)} is said to replace itself: name another operation, or a URL`
        : `x-replaced-by names ${JSON.stringify(replacedBy)}, which is no other operation of the documents: write an operationId, \`GET /path\`, the name of a method, or a URL`,
    }
  }
}

function* ended({ everyOperation, today }: Survey): Generator<FindingDetails> {
  for (const operation of everyOperation) {
    const { sunset, source } = operation
    const day = sunset === undefined ? undefined : dayOf(sunset)
    if (day === undefined || day >= today) continue
    yield {
      location: source.locate('x-sunset'),
      message: `${nameOf(operation)} ended on ${day} and is still documented: remove it, or move x-sunset to a later day`,
    }
  }
}

function* endedEarly({ everyOperation }: Survey): Generator<FindingDetails> {
  for (const operation of everyOperation) {
    const { deprecatedAt = '', sunset = '', source } = operation
    const [since, end] = [dayOf(deprecatedAt), dayOf(sunset)]
    if (since === undefined || end === undefined || end >= since) continue
    yield {
      location: source.locate('x-sunset'),
      message: `${nameOf(operation)} ends on ${end}, before it is deprecated on ${since}: correct x-sunset or x-deprecated-at`,
    }
  }
}

/** Reports texts in the format of a date that are not valid dates; other formats are `extension-invalid`. */
function* impossibleDays({ everyOperation }: Survey): Generator<FindingDetails> {
  for (const operation of everyOperation) {
    const { deprecatedAt, sunset, source } = operation
    const dates = { 'x-deprecated-at': deprecatedAt, 'x-sunset': sunset }
    for (const [name, written] of Object.entries(dates)) {
      if (written === undefined || !/^\d{4}-\d\d-\d\d/.test(written)) continue
      if (dayOf(written) !== undefined) continue
      yield {
        location: source.locate(name),
        message: `the ${name} of ${nameOf(operation)} is ${written}, which is not a date: write a day such as 2027-01-31`,
      }
    }
  }
}
