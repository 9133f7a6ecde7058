import { expect, it } from 'vitest'
import { findingsOf, method } from './versions.js'

/** What is reported of one schema that is both a param and the result, and of the way back. */
const bothWays = async (one: string, other: string): Promise<string> => {
  const document = (schema: string) =>
    method(
      [
        'x-stability-level: stable',
        `params: [{ name: order, required: true, schema: ${schema} }]`,
        `result: { name: order, schema: ${schema} }`,
      ].join('\n'),
    )
  const [there, back] = [
    await findingsOf(document(one), document(other)),
    await findingsOf(document(other), document(one)),
  ]
  return `${there}\n\nand back\n${back}`.replace(PLACED, (whole, finding, kind, line) =>
    line === (kind === 'request' ? '7' : '8') ? finding : whole,
  )
}

/** A finding with its place, which is shown only where it is not that of the param or the result in both versions. */
const PLACED =
  /(^\w+ (request|response)-.*\n.*)\n {2}at new\.openrpc\.yaml:(\d+) \(old\.openrpc\.yaml:\3\)/gm

it('types', async () => {
  expect(await bothWays('{ type: [string, integer] }', '{ type: string }')).toMatchInlineSnapshot(`
    "error request-type-narrowed
      the param \`order\` of order_get can no longer be an integer, only a string: callers may be rejected
      shown by: 0
      instead: keep accepting the old values, or offer the new shape in an operation of its own
    note response-type-narrowed
      the result of order_get can no longer be an integer, only a string

    and back
    error response-type-widened
      the result of order_get can be an integer now; it was a string: clients do not expect it
      shown by: 0
      instead: keep responding as before, or offer the new shape in an operation of its own
    note request-type-widened
      the param \`order\` of order_get can be an integer now; it was a string"
  `)
})

it('null', async () => {
  expect(await bothWays('{ type: [string, "null"] }', '{ type: string }')).toMatchInlineSnapshot(`
    "error request-became-not-nullable
      the param \`order\` of order_get can no longer be null: callers may be rejected
      shown by: null
      instead: keep accepting null with the meaning of an absent value
    note response-became-not-nullable
      the result of order_get can no longer be null

    and back
    error response-became-nullable
      the result of order_get can be null now: clients do not expect it
      shown by: null
      instead: omit it instead, where it may be absent
    note request-became-nullable
      the param \`order\` of order_get can be null now"
  `)
})

it('listed values', async () => {
  expect(
    await bothWays('{ type: string, enum: [new, paid] }', '{ type: string, enum: [new] }'),
  ).toMatchInlineSnapshot(`
    "error request-value-removed
      the param \`order\` of order_get can no longer be "paid": callers may be rejected
      shown by: "paid"
      instead: keep accepting the value, with the meaning of another one
    note response-value-removed
      the result of order_get can no longer be "paid"

    and back
    error response-value-added
      the result of order_get can be "paid" now as well: clients do not expect it
      shown by: "paid"
      instead: announce new values before you send them: clients may know only the old ones
    note request-value-added
      the param \`order\` of order_get can be "paid" now as well"
  `)
})

it('a list', async () => {
  expect(
    await bothWays('{ type: string }', '{ type: string, enum: [new] }'),
  ).toMatchInlineSnapshot(`
    "error request-became-enum
      the param \`order\` of order_get must be "new" now: callers may be rejected
      shown by: ""
      instead: keep accepting the old values, or offer the new shape in an operation of its own
    note response-became-enum
      the result of order_get must be "new" now

    and back
    error response-enum-removed
      the result of order_get can be a value other than "new" now: clients do not expect it
      shown by: ""
      instead: keep responding as before, or offer the new shape in an operation of its own
    note request-enum-removed
      the param \`order\` of order_get can be a value other than "new" now"
  `)
})

it('multiples', async () => {
  expect(
    await bothWays('{ type: integer }', '{ type: integer, multipleOf: 5 }'),
  ).toMatchInlineSnapshot(`
    "error request-multiple-of-narrowed
      the param \`order\` of order_get must be a multiple of 5 now: callers may be rejected
      shown by: 1
      instead: keep accepting the old values, or offer the new shape in an operation of its own
    note response-multiple-of-narrowed
      the result of order_get must be a multiple of 5 now

    and back
    error response-multiple-of-widened
      the result of order_get no longer has to be a multiple of 5: clients do not expect it
      shown by: 1
      instead: keep responding as before, or offer the new shape in an operation of its own
    note request-multiple-of-widened
      the param \`order\` of order_get no longer has to be a multiple of 5"
  `)
})

it('a minimum', async () => {
  expect(
    await bothWays('{ type: integer, minimum: 1 }', '{ type: integer, minimum: 2 }'),
  ).toMatchInlineSnapshot(`
    "error request-minimum-raised
      the param \`order\` of order_get must be at least 2 now (it was at least 1): callers may be rejected
      shown by: 1
      instead: keep accepting the old range, or reject it with an error of its own first
    note response-minimum-raised
      the result of order_get must be at least 2 now (it was at least 1)

    and back
    error response-minimum-lowered
      the result of order_get can be as small as 1 now (it was at least 2): clients do not expect it
      shown by: 1
      instead: keep responding as before, or offer the new shape in an operation of its own
    note request-minimum-lowered
      the param \`order\` of order_get can be as small as 1 now (it was at least 2)"
  `)
})

it('a maximum', async () => {
  expect(
    await bothWays('{ type: integer }', '{ type: integer, maximum: 9 }'),
  ).toMatchInlineSnapshot(`
    "error request-maximum-lowered
      the param \`order\` of order_get must be at most 9 now: callers may be rejected
      shown by: 10
      instead: keep accepting the old range, or reject it with an error of its own first
    note response-maximum-lowered
      the result of order_get must be at most 9 now

    and back
    error response-maximum-raised
      the result of order_get can be more than 9 now: clients do not expect it
      shown by: 10
      instead: keep responding as before, or offer the new shape in an operation of its own
    note request-maximum-raised
      the param \`order\` of order_get can be more than 9 now"
  `)
})

it('the shortest text', async () => {
  expect(
    await bothWays('{ type: string }', '{ type: string, minLength: 1 }'),
  ).toMatchInlineSnapshot(`
    "error request-min-length-raised
      the param \`order\` of order_get must not be empty now: callers may be rejected
      shown by: ""
      instead: keep accepting the old values, or offer the new shape in an operation of its own
    note response-min-length-raised
      the result of order_get must not be empty now

    and back
    error response-min-length-lowered
      the result of order_get can be empty now: clients do not expect it
      shown by: ""
      instead: keep responding as before, or offer the new shape in an operation of its own
    note request-min-length-lowered
      the param \`order\` of order_get can be empty now"
  `)
})

it('the longest text', async () => {
  expect(
    await bothWays('{ type: string, maxLength: 5 }', '{ type: string, maxLength: 3 }'),
  ).toMatchInlineSnapshot(`
    "error request-max-length-lowered
      the param \`order\` of order_get must have at most 3 characters now (it was 5): callers may be rejected
      shown by: "aaaa"
      instead: keep accepting the old values, or offer the new shape in an operation of its own
    note response-max-length-lowered
      the result of order_get must have at most 3 characters now (it was 5)

    and back
    error response-max-length-raised
      the result of order_get can have as many as 5 characters now (it was 3): clients do not expect it
      shown by: "aaaa"
      instead: keep responding as before, or offer the new shape in an operation of its own
    note request-max-length-raised
      the param \`order\` of order_get can have as many as 5 characters now (it was 3)"
  `)
})

it('a pattern', async () => {
  expect(
    await bothWays(
      `{ type: string, pattern: '^0x[0-9a-fA-F]+$' }`,
      `{ type: string, pattern: '^0x[0-9a-f]+$' }`,
    ),
  ).toMatchInlineSnapshot(`
    "error request-pattern-narrowed
      the param \`order\` of order_get must match \`^0x[0-9a-f]+$\` now; it had to match \`^0x[0-9a-fA-F]+$\`: callers may be rejected
      shown by: "0xA"
      instead: keep accepting the old values, or offer the new shape in an operation of its own
    note response-pattern-narrowed
      the result of order_get must match \`^0x[0-9a-f]+$\` now; it had to match \`^0x[0-9a-fA-F]+$\`

    and back
    error response-pattern-widened
      the result of order_get only has to match \`^0x[0-9a-fA-F]+$\` now; it had to match \`^0x[0-9a-f]+$\`: clients do not expect it
      shown by: "0xA"
      instead: keep responding as before, or offer the new shape in an operation of its own
    note request-pattern-widened
      the param \`order\` of order_get only has to match \`^0x[0-9a-fA-F]+$\` now; it had to match \`^0x[0-9a-f]+$\`"
  `)
})

it('patterns that nobody can compare', async () => {
  expect(
    await bothWays(
      `{ type: string, pattern: '^(.+)\\1$' }`,
      `{ type: string, pattern: '^(.+)\\1x$' }`,
    ),
  ).toMatchInlineSnapshot(`
    "warning request-change-is-undecided
      cannot decide whether this breaks anybody: the param \`order\` of order_get must match \`^(.+)\\1x$\` now; it had to match \`^(.+)\\1$\`
      instead: check it, and accept it if it is intended
    warning response-change-is-undecided
      cannot decide whether this breaks anybody: the result of order_get only has to match \`^(.+)\\1x$\` now; it had to match \`^(.+)\\1$\`
      instead: check it, and accept it if it is intended

    and back
    warning request-change-is-undecided
      cannot decide whether this breaks anybody: the param \`order\` of order_get must match \`^(.+)\\1$\` now; it had to match \`^(.+)\\1x$\`
      instead: check it, and accept it if it is intended
    warning response-change-is-undecided
      cannot decide whether this breaks anybody: the result of order_get only has to match \`^(.+)\\1$\` now; it had to match \`^(.+)\\1x$\`
      instead: check it, and accept it if it is intended"
  `)
})

it('the shortest list', async () => {
  expect(
    await bothWays(
      '{ type: array, items: { type: integer } }',
      '{ type: array, items: { type: integer }, minItems: 1 }',
    ),
  ).toMatchInlineSnapshot(`
    "error request-min-items-raised
      the param \`order\` of order_get must not be empty now: callers may be rejected
      shown by: []
      instead: keep accepting the old values, or offer the new shape in an operation of its own
    note response-min-items-raised
      the result of order_get must not be empty now

    and back
    error response-min-items-lowered
      the result of order_get can be empty now: clients do not expect it
      shown by: []
      instead: keep responding as before, or offer the new shape in an operation of its own
    note request-min-items-lowered
      the param \`order\` of order_get can be empty now"
  `)
})

it('the longest list', async () => {
  expect(
    await bothWays(
      '{ type: array, items: { type: integer }, maxItems: 2 }',
      '{ type: array, items: { type: integer }, maxItems: 1 }',
    ),
  ).toMatchInlineSnapshot(`
    "error request-max-items-lowered
      the param \`order\` of order_get must have at most 1 item now (it was 2): callers may be rejected
      shown by: [0,0]
      instead: keep accepting the old values, or offer the new shape in an operation of its own
    note response-max-items-lowered
      the result of order_get must have at most 1 item now (it was 2)

    and back
    error response-max-items-raised
      the result of order_get can have as many as 2 items now (it was 1): clients do not expect it
      shown by: [0,0]
      instead: keep responding as before, or offer the new shape in an operation of its own
    note request-max-items-raised
      the param \`order\` of order_get can have as many as 2 items now (it was 1)"
  `)
})

it('items that differ', async () => {
  expect(
    await bothWays(
      '{ type: array, items: { type: integer } }',
      '{ type: array, items: { type: integer }, uniqueItems: true }',
    ),
  ).toMatchInlineSnapshot(`
    "error request-items-became-unique
      the param \`order\` of order_get must not contain the same item twice now: callers may be rejected
      shown by: [0,0]
      instead: keep accepting the old values, or offer the new shape in an operation of its own
    note response-items-became-unique
      the result of order_get must not contain the same item twice now

    and back
    error response-items-no-longer-unique
      the result of order_get may contain the same item twice now: clients do not expect it
      shown by: [0,0]
      instead: keep responding as before, or offer the new shape in an operation of its own
    note request-items-no-longer-unique
      the param \`order\` of order_get may contain the same item twice now"
  `)
})

it('what a list contains', async () => {
  expect(
    await bothWays(
      '{ type: array, items: { type: integer } }',
      '{ type: array, items: { type: integer }, contains: { const: 1 } }',
    ),
  ).toMatchInlineSnapshot(`
    "error request-contains-narrowed
      the param \`order\` of order_get must contain an item now that it did not have to contain (contains): callers may be rejected
      shown by: []
      instead: keep accepting the old values, or offer the new shape in an operation of its own
    note response-contains-narrowed
      the result of order_get must contain an item now that it did not have to contain (contains)

    and back
    error response-contains-widened
      the result of order_get no longer has to contain an item that it had to contain (contains): clients do not expect it
      shown by: []
      instead: keep responding as before, or offer the new shape in an operation of its own
    note request-contains-widened
      the param \`order\` of order_get no longer has to contain an item that it had to contain (contains)"
  `)
})

it('a required property', async () => {
  expect(
    await bothWays(
      '{ type: object, properties: { note: { type: string } } }',
      '{ type: object, properties: { note: { type: string } }, required: [note] }',
    ),
  ).toMatchInlineSnapshot(`
    "error request-property-became-required
      \`note\` in the param \`order\` of order_get is required now: callers may be rejected
      shown by: {}
      instead: keep it optional, and describe what its absence means
    note response-property-became-required
      \`note\` in the result of order_get is required now

    and back
    error response-property-became-optional
      \`note\` in the result of order_get may be absent now; it was always present: clients do not expect it
      shown by: {}
      instead: keep sending it
    note request-property-became-optional
      \`note\` in the param \`order\` of order_get may be absent now; it was always present"
  `)
})

it('a new required property', async () => {
  expect(
    await bothWays(
      '{ type: object, properties: {} }',
      '{ type: object, properties: { note: { type: string } }, required: [note] }',
    ),
  ).toMatchInlineSnapshot(`
    "error request-property-became-required
      \`note\` in the param \`order\` of order_get is new and required: callers may be rejected
      shown by: {}
      instead: keep it optional, and describe what its absence means
    note response-property-added
      \`note\` in the result of order_get is new

    and back
    error response-property-became-optional
      \`note\` in the result of order_get is removed; it was always present: clients do not expect it
      shown by: {}
      instead: keep sending it
    warning request-property-removed
      \`note\` in the param \`order\` of order_get is removed: the service ignores or rejects it
      instead: deprecate it first, with an x-sunset date"
  `)
})

it('a property that a closed object loses', async () => {
  expect(
    await bothWays(
      '{ type: object, properties: { note: { type: string } }, additionalProperties: false }',
      '{ type: object, properties: {}, additionalProperties: false }',
    ),
  ).toMatchInlineSnapshot(`
    "error request-property-rejected
      \`note\` in the param \`order\` of order_get is no longer accepted: callers may be rejected
      shown by: {"note":""}
      instead: keep accepting the property, and ignore it
    warning response-property-removed
      \`note\` in the result of order_get is removed: clients no longer receive it
      instead: deprecate it first, with an x-sunset date

    and back
    note request-property-added
      \`note\` in the param \`order\` of order_get is new
    note response-property-added
      \`note\` in the result of order_get is new"
  `)
})

it('a property that an open object loses', async () => {
  expect(
    await bothWays(
      '{ type: object, properties: { id: { type: string }, note: { type: string } } }',
      '{ type: object, properties: { id: { type: string } } }',
    ),
  ).toMatchInlineSnapshot(`
    "warning request-property-removed
      \`note\` in the param \`order\` of order_get is removed: the service ignores or rejects it
      instead: deprecate it first, with an x-sunset date
    warning response-property-removed
      \`note\` in the result of order_get is removed: clients no longer receive it
      instead: deprecate it first, with an x-sunset date

    and back
    note request-property-added
      \`note\` in the param \`order\` of order_get is new
    note response-property-added
      \`note\` in the result of order_get is new"
  `)
})

it('names of properties', async () => {
  expect(
    await bothWays(
      '{ type: object, additionalProperties: { type: integer } }',
      `{ type: object, additionalProperties: { type: integer }, propertyNames: { pattern: '^[a-z]+$' } }`,
    ),
  ).toMatchInlineSnapshot(`
    "error request-property-names-narrowed
      the param \`order\` of order_get can no longer have some property names: callers may be rejected
      shown by: {"":0}
      instead: keep accepting the old values, or offer the new shape in an operation of its own
    note response-undeclared-narrowed
      the result of order_get restricts properties or items that are not declared (propertyNames)
    note response-property-names-narrowed
      the result of order_get can no longer have some property names

    and back
    error response-property-names-widened
      the result of order_get can have more property names now: clients do not expect it
      shown by: {"":0}
      instead: keep responding as before, or offer the new shape in an operation of its own
    note request-property-names-widened
      the param \`order\` of order_get can have more property names now
    note request-undeclared-widened
      the param \`order\` of order_get no longer restricts properties or items that are not declared (propertyNames)"
  `)
})

it('few properties', async () => {
  expect(
    await bothWays(
      '{ type: object, properties: { a: { type: integer } } }',
      '{ type: object, properties: { a: { type: integer } }, minProperties: 1 }',
    ),
  ).toMatchInlineSnapshot(`
    "error request-min-properties-raised
      the param \`order\` of order_get must not be empty now: callers may be rejected
      shown by: {}
      instead: keep accepting the old values, or offer the new shape in an operation of its own
    note response-min-properties-raised
      the result of order_get must not be empty now

    and back
    error response-min-properties-lowered
      the result of order_get can be empty now: clients do not expect it
      shown by: {}
      instead: keep responding as before, or offer the new shape in an operation of its own
    note request-min-properties-lowered
      the param \`order\` of order_get can be empty now"
  `)
})

it('many properties', async () => {
  expect(
    await bothWays(
      '{ type: object, additionalProperties: { type: integer } }',
      '{ type: object, additionalProperties: { type: integer }, maxProperties: 1 }',
    ),
  ).toMatchInlineSnapshot(`
    "error request-max-properties-lowered
      the param \`order\` of order_get must have at most 1 property now: callers may be rejected
      shown by: {"key1":0,"key2":0}
      instead: keep accepting the old values, or offer the new shape in an operation of its own
    note response-max-properties-lowered
      the result of order_get must have at most 1 property now

    and back
    error response-max-properties-raised
      the result of order_get can have more than 1 property now: clients do not expect it
      shown by: {"key1":0,"key2":0}
      instead: keep responding as before, or offer the new shape in an operation of its own
    note request-max-properties-raised
      the param \`order\` of order_get can have more than 1 property now"
  `)
})

it('a property that needs another', async () => {
  expect(
    await bothWays(
      '{ type: object, properties: { a: { type: integer }, b: { type: integer } } }',
      '{ type: object, properties: { a: { type: integer }, b: { type: integer } }, dependentRequired: { a: [b] } }',
    ),
  ).toMatchInlineSnapshot(`
    "error request-dependent-required-added
      the param \`order\` of order_get must have \`b\` now wherever it has \`a\`: callers may be rejected
      shown by: {"a":0}
      instead: keep accepting the old values, or offer the new shape in an operation of its own
    note response-dependent-required-added
      the result of order_get must have \`b\` now wherever it has \`a\`

    and back
    error response-dependent-required-removed
      the result of order_get may lack \`b\` now where it has \`a\`: clients do not expect it
      shown by: {"a":0}
      instead: keep responding as before, or offer the new shape in an operation of its own
    note request-dependent-required-removed
      the param \`order\` of order_get may lack \`b\` now where it has \`a\`"
  `)
})

it('alternatives', async () => {
  expect(
    await bothWays(
      '{ oneOf: [{ type: object, required: [a], properties: { a: { const: 1 } } }, { type: object, required: [a], properties: { a: { const: 2 } } }] }',
      '{ oneOf: [{ type: object, required: [a], properties: { a: { const: 1 } } }] }',
    ),
  ).toMatchInlineSnapshot(`
    "error request-value-removed
      \`a\` in the param \`order\` of order_get can no longer be 2: callers may be rejected
      shown by: {"a":2}
      instead: keep accepting the value, with the meaning of another one
    note response-value-removed
      \`a\` in the result of order_get can no longer be 2

    and back
    error response-value-added
      \`a\` in the result of order_get can be 2 now as well: clients do not expect it
      shown by: {"a":2}
      instead: announce new values before you send them: clients may know only the old ones
    note request-value-added
      \`a\` in the param \`order\` of order_get can be 2 now as well"
  `)
})

it('alternatives that overlap', async () => {
  expect(
    await bothWays(
      '{ type: integer, minimum: 0 }',
      '{ type: integer, oneOf: [{ minimum: 0 }, { minimum: 5 }] }',
    ),
  ).toMatchInlineSnapshot(`
    "error request-alternatives-overlap
      the param \`order\` of order_get has alternatives that overlap now: a value that matches two of them is rejected (oneOf): callers may be rejected
      shown by: 5
      instead: make the alternatives disjoint: a property with a const of its own in each
    note response-alternatives-overlap
      the result of order_get has alternatives that overlap now: a value that matches two of them is rejected (oneOf)

    and back
    error response-alternatives-no-longer-overlap
      the result of order_get has alternatives that no longer overlap: a value that matched two of them is valid now (oneOf): clients do not expect it
      shown by: 5
      instead: keep responding as before, or offer the new shape in an operation of its own
    note request-alternatives-no-longer-overlap
      the param \`order\` of order_get has alternatives that no longer overlap: a value that matched two of them is valid now (oneOf)"
  `)
})

it('exclusions', async () => {
  expect(
    await bothWays('{ type: string }', '{ type: string, not: { const: x } }'),
  ).toMatchInlineSnapshot(`
    "error request-not-added
      the param \`order\` of order_get can no longer be a value that is excluded now (not): callers may be rejected
      shown by: "x"
      instead: keep accepting the old values, or offer the new shape in an operation of its own
    note response-not-added
      the result of order_get can no longer be a value that is excluded now (not)

    and back
    error response-not-removed
      the result of order_get can be a value now that was excluded (not): clients do not expect it
      shown by: "x"
      instead: keep responding as before, or offer the new shape in an operation of its own
    note request-not-removed
      the param \`order\` of order_get can be a value now that was excluded (not)"
  `)
})

it('a property that is forbidden', async () => {
  expect(
    await bothWays(
      '{ type: object, properties: { a: { type: integer } } }',
      '{ type: object, properties: { a: false } }',
    ),
  ).toMatchInlineSnapshot(`
    "error request-became-forbidden
      \`a\` in the param \`order\` of order_get can no longer have any value: callers may be rejected
      shown by: {"a":0}
      instead: keep accepting the old values, or offer the new shape in an operation of its own
    note response-became-forbidden
      \`a\` in the result of order_get can no longer have any value

    and back
    error response-became-allowed
      \`a\` in the result of order_get can have a value now; it could have none: clients do not expect it
      shown by: {"a":0}
      instead: keep responding as before, or offer the new shape in an operation of its own
    note request-became-allowed
      \`a\` in the param \`order\` of order_get can have a value now; it could have none"
  `)
})

it('what no other keyword looks at', async () => {
  expect(
    await bothWays(
      '{ type: object, properties: { a: { type: integer } } }',
      '{ type: object, properties: {}, unevaluatedProperties: false }',
    ),
  ).toMatchInlineSnapshot(`
    "error request-unevaluated-rejected
      the param \`order\` of order_get can no longer have properties that are not declared: callers may be rejected
      shown by: {"a":0}
      instead: keep accepting the old values, or offer the new shape in an operation of its own
    warning request-property-removed
      \`a\` in the param \`order\` of order_get is removed: the service ignores or rejects it
      instead: deprecate it first, with an x-sunset date
    warning response-property-removed
      \`a\` in the result of order_get is removed: clients no longer receive it
      instead: deprecate it first, with an x-sunset date
    note request-object-closed
      the param \`order\` of order_get can no longer have properties that are not declared
    note response-object-closed
      the result of order_get can no longer have properties that are not declared
    note response-unevaluated-rejected
      the result of order_get can no longer have properties that are not declared

    and back
    note request-object-opened
      the param \`order\` of order_get can have properties now that are not declared
    note request-unevaluated-no-longer-rejected
      the param \`order\` of order_get can have properties now that are not declared
    note request-property-added
      \`a\` in the param \`order\` of order_get is new
    note response-object-opened
      the result of order_get can have properties now that are not declared
    note response-property-added
      \`a\` in the result of order_get is new"
  `)
})

it('defaults', async () => {
  expect(
    await bothWays(
      '{ type: object, properties: { a: { type: integer, default: 1 } } }',
      '{ type: object, properties: { a: { type: integer, default: 2 } } }',
    ),
  ).toMatchInlineSnapshot(`
    "note request-default-changed
      the default of \`a\` in the param \`order\` of order_get is 2 now, and was 1
    note response-default-changed
      the default of \`a\` in the result of order_get is 2 now, and was 1

    and back
    note request-default-changed
      the default of \`a\` in the param \`order\` of order_get is 1 now, and was 2
    note response-default-changed
      the default of \`a\` in the result of order_get is 1 now, and was 2"
  `)
})

it('formats', async () => {
  expect(
    await bothWays(
      '{ type: object, properties: { a: { type: string, format: date } } }',
      '{ type: object, properties: { a: { type: string, format: date-time } } }',
    ),
  ).toMatchInlineSnapshot(`
    "warning request-format-changed
      the format of \`a\` in the param \`order\` of order_get is "date-time" now, and was "date"
      instead: declare what must hold with a pattern or a bound
    warning response-format-changed
      the format of \`a\` in the result of order_get is "date-time" now, and was "date"
      instead: declare what must hold with a pattern or a bound

    and back
    warning request-format-changed
      the format of \`a\` in the param \`order\` of order_get is "date" now, and was "date-time"
      instead: declare what must hold with a pattern or a bound
    warning response-format-changed
      the format of \`a\` in the result of order_get is "date" now, and was "date-time"
      instead: declare what must hold with a pattern or a bound"
  `)
})

it('a format that is new', async () => {
  expect(
    await bothWays(
      '{ type: object, properties: { a: { type: string } } }',
      '{ type: object, properties: { a: { type: string, format: date-time } } }',
    ),
  ).toMatchInlineSnapshot(`
    "warning request-format-added
      the format of \`a\` in the param \`order\` of order_get is "date-time" now, and was none
      instead: keep accepting values without the format, and say so in the description
    note response-format-added
      the format of \`a\` in the result of order_get is "date-time" now, and was none

    and back
    warning response-format-removed
      the format of \`a\` in the result of order_get is none now, and was "date-time"
      instead: keep the format, and send other values in a property of their own
    note request-format-removed
      the format of \`a\` in the param \`order\` of order_get is none now, and was "date-time""
  `)
})

it('properties by pattern', async () => {
  expect(
    await bothWays(
      '{ type: object, properties: { a: { type: integer } } }',
      `{ type: object, properties: { a: { type: integer } }, patternProperties: { '^x-': { type: string } } }`,
    ),
  ).toMatchInlineSnapshot(`
    "warning request-undeclared-narrowed
      the param \`order\` of order_get restricts properties or items that are not declared (patternProperties ^x-): callers who send such may be rejected
    note response-undeclared-narrowed
      the result of order_get restricts properties or items that are not declared (patternProperties ^x-)

    and back
    warning response-undeclared-widened
      the result of order_get no longer restricts properties or items that are not declared (patternProperties ^x-): clients may receive other values there
    note request-undeclared-widened
      the param \`order\` of order_get no longer restricts properties or items that are not declared (patternProperties ^x-)"
  `)
})

it('the type of an integer in generated code', async () => {
  expect(
    await bothWays(
      '{ type: object, properties: { a: { type: integer, x-bigint: true } } }',
      '{ type: object, properties: { a: { type: integer, x-bigint: false } } }',
    ),
  ).toMatchInlineSnapshot(`
    "warning request-bigint-changed
      \`a\` in the param \`order\` of order_get is a number in code now, and was a bigint: code that uses a generated client no longer compiles
      instead: keep x-bigint as it is
    warning response-bigint-changed
      \`a\` in the result of order_get is a number in code now, and was a bigint: code that uses a generated client no longer compiles
      instead: keep x-bigint as it is

    and back
    warning request-bigint-changed
      \`a\` in the param \`order\` of order_get is a bigint in code now, and was a number: code that uses a generated client no longer compiles
      instead: keep x-bigint as it is
    warning response-bigint-changed
      \`a\` in the result of order_get is a bigint in code now, and was a number: code that uses a generated client no longer compiles
      instead: keep x-bigint as it is"
  `)
  expect(
    await bothWays('{ type: integer }', '{ type: integer, x-bigint: false }'),
  ).toMatchInlineSnapshot(`
    "

    and back
    "
  `)
})

it('values that are declared as known', async () => {
  expect(
    await bothWays(
      '{ type: object, properties: { a: { type: string, x-extensible-enum: [new, paid] } } }',
      '{ type: object, properties: { a: { type: string, x-extensible-enum: [new] } } }',
    ),
  ).toMatchInlineSnapshot(`
    "error request-extensible-value-removed
      \`a\` in the param \`order\` of order_get no longer lists "paid" among its known values
      instead: keep accepting it
    note response-extensible-value-removed
      \`a\` in the result of order_get no longer lists "paid" among its known values

    and back
    "
  `)
})

it('a property that is deprecated, and gone in time', async () => {
  expect(
    await bothWays(
      '{ type: object, properties: { id: {}, a: { type: string, deprecated: true, x-sunset: 2026-01-01 } } }',
      '{ type: object, properties: { id: {} } }',
    ),
  ).toMatchInlineSnapshot(`
    "note request-property-removed-after-deprecation
      \`a\` in the param \`order\` of order_get is removed: its x-sunset was 2026-01-01
    note response-property-removed-after-deprecation
      \`a\` in the result of order_get is removed: its x-sunset was 2026-01-01

    and back
    note request-property-added
      \`a\` in the param \`order\` of order_get is new
    note response-property-added
      \`a\` in the result of order_get is new"
  `)
})

it('an alternative', async () => {
  expect(
    await bothWays(
      '{ anyOf: [{ type: string }, { type: integer }, { type: array }] }',
      '{ anyOf: [{ type: string }, { type: array }] }',
    ),
  ).toMatchInlineSnapshot(`
    "error request-alternative-removed
      the param \`order\` of order_get no longer has an alternative that it had: callers may be rejected
      shown by: 0
      instead: keep accepting the alternative
    note response-alternative-removed
      the result of order_get no longer has an alternative that it had

    and back
    error response-alternative-added
      the result of order_get may be a new alternative: clients do not expect it
      shown by: 0
      instead: send the new alternative in an operation, or with a status, of its own
    note request-alternative-added
      the param \`order\` of order_get may be a new alternative"
  `)
})

it('an object that requires what it refuses', async () => {
  const closed = 'type: object, additionalProperties: false, required: [b]'
  expect(
    await bothWays(
      `{ ${closed}, properties: { a: { enum: [1, 2] } } }`,
      `{ ${closed}, properties: { a: { enum: [1] } } }`,
    ),
  ).toMatchInlineSnapshot(`
    "warning request-is-unsatisfiable
      no value is valid for the param \`order\` of order_get: \`b\` is required, but the object is closed and does not declare it
      instead: declare the property, or do not require it
    warning request-value-removed
      \`a\` in the param \`order\` of order_get can no longer be 2: callers may be rejected
      instead: keep accepting the value, with the meaning of another one
    warning response-is-unsatisfiable
      no value is valid for the result of order_get: \`b\` is required, but the object is closed and does not declare it
      instead: declare the property, or do not require it
    note response-value-removed
      \`a\` in the result of order_get can no longer be 2

    and back
    warning request-is-unsatisfiable
      no value is valid for the param \`order\` of order_get: \`b\` is required, but the object is closed and does not declare it
      instead: declare the property, or do not require it
    warning response-is-unsatisfiable
      no value is valid for the result of order_get: \`b\` is required, but the object is closed and does not declare it
      instead: declare the property, or do not require it
    warning response-value-added
      \`a\` in the result of order_get can be 2 now as well: clients do not expect it
      instead: announce new values before you send them: clients may know only the old ones
    note request-value-added
      \`a\` in the param \`order\` of order_get can be 2 now as well"
  `)
})
