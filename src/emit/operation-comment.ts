import type { Operation } from '../model/api.js'

/** The paragraphs of an operation's comment. */
export function operationComment(operation: Operation): readonly (string | undefined)[] {
  const { summary, description, stability, access, deprecated, sunset, replacedBy } = operation
  const marks = [
    stability && stability !== 'stable' ? `stability ${stability}` : undefined,
    access === 'key' ? 'needs a key' : undefined,
  ].filter(Boolean)
  return [
    summary,
    description === summary ? undefined : description,
    [routeLine(operation), ...marks].join(', '),
    deprecated
      ? `@deprecated${replacedBy ? ` Use ${replacedBy} instead.` : ''}${sunset ? ` Ends on ${sunset}.` : ''}`
      : undefined,
  ]
}

/** `GET /orders/{id}` or the name of the method, as code. */
export const routeLine = (operation: Operation): string =>
  operation.kind === 'http'
    ? `\`${operation.method} ${operation.path}\``
    : `\`${operation.method}\``
