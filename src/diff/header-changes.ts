import type { HttpOperation, HttpResponse } from '../model/api.js'
import type { Finding } from '../model/finding.js'
import { change } from './change.js'
import type { Comparison } from './comparison.js'
import { schemaFindings } from './schema-findings.js'

/** The headers of one answer; `what` is that answer: `200 of GET /orders`. */
export function* headerChanges(
  { context }: Comparison<HttpOperation>,
  what: string,
  before: HttpResponse,
  after: HttpResponse,
): Generator<Finding> {
  const found = new Map(before.headers.map((header) => [header.name.toLowerCase(), header]))
  for (const header of after.headers) {
    const twin = found.get(header.name.toLowerCase())
    found.delete(header.name.toLowerCase())
    const places = {
      before: before.source.locate('headers', twin?.name ?? header.name),
      after: after.source.locate('headers', header.name),
    }
    const name = `the header \`${header.name}\` of ${what}`
    if (!twin) {
      yield change('response-header-added', places, `${name} is new`)
      continue
    }
    if (twin.required && !header.required) {
      const message = `${name} may be absent now: clients that need it fail`
      yield change('response-header-became-optional', places, message)
    }
    if (!twin.required && header.required) {
      yield change('response-header-became-required', places, `${name} is always present now`)
    }
    const subject = {
      direction: 'response',
      what: name,
      before: { locate: () => places.before },
      after: { locate: () => places.after },
      isText: true,
      carrier: 'header',
    } as const
    yield* schemaFindings(context, subject, twin.schema, header.schema)
  }
  for (const header of found.values()) {
    const places = {
      before: before.source.locate('headers', header.name),
      after: after.source.locate('headers'),
    }
    const name = `the header \`${header.name}\` of ${what}`
    yield header.required
      ? change(
          'required-response-header-removed',
          places,
          `${name} is removed: clients that need it fail`,
        )
      : change(
          'optional-response-header-removed',
          places,
          `${name} is removed: clients that use it no longer receive it`,
        )
  }
}
