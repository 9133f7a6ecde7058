import { expect, it } from 'vitest'
import { findingsOf, method } from './versions.js'

const A =
  '{ type: object, required: [a], properties: { a: { type: string }, b: { type: string } } }'
const B = '{ type: object, required: [b], properties: { b: { type: string } } }'
const OTHER = '{ type: object, required: [a], properties: { a: { type: string } } }'

const taking = (schema: string) =>
  method(`params: [{ name: order, required: true, schema: ${schema} }]`)
const answering = (schema: string) => method(`result: { name: order, schema: ${schema} }`)

it('what fitted one alternative and fits a second one now is refused', async () => {
  expect(
    await findingsOf(taking(`{ oneOf: [${A}] }`), taking(`{ oneOf: [${A}, ${B}] }`)),
  ).toMatchInlineSnapshot(`
    "error request-alternatives-overlap
      the param \`order\` of order_get has alternatives that overlap now: a value that matches two of them is rejected (oneOf): callers may be rejected
      at new.openrpc.yaml:6 (old.openrpc.yaml:6)
      shown by: {"a":"","b":""}
      instead: make the alternatives disjoint: a property with a const of its own in each"
  `)
})

it('what fits a second one by what nobody declared is nobody’s promise', async () => {
  expect(
    await findingsOf(taking(`{ oneOf: [${OTHER}] }`), taking(`{ oneOf: [${OTHER}, ${B}] }`)),
  ).toMatchInlineSnapshot(`
    "note request-property-added
      \`b\` in the param \`order\` of order_get is new
      at new.openrpc.yaml:6 (old.openrpc.yaml:6)"
  `)
})

it('readers get what fits the second alone', async () => {
  expect(
    await findingsOf(answering(`{ oneOf: [${A}] }`), answering(`{ oneOf: [${A}, ${B}] }`)),
  ).toMatchInlineSnapshot(`
    "error response-alternative-added
      the result of order_get may be a new alternative, which has no \`a\`: clients do not expect it
      at new.openrpc.yaml:6 (old.openrpc.yaml:6)
      shown by: {"b":""}
      instead: send the new alternative in an operation, or with a status, of its own
    note response-alternatives-overlap
      the result of order_get has alternatives that overlap now: a value that matches two of them is rejected (oneOf)
      at new.openrpc.yaml:6 (old.openrpc.yaml:6)"
  `)
})

it('readers take what fitted two alternatives for either, also when one of them is gone', async () => {
  expect(
    await findingsOf(answering(`{ oneOf: [${A}, ${B}] }`), answering(`{ oneOf: [${A}] }`)),
  ).toMatchInlineSnapshot(`
    "note response-alternatives-no-longer-overlap
      the result of order_get has alternatives that no longer overlap: a value that matched two of them is valid now (oneOf)
      at new.openrpc.yaml:6 (old.openrpc.yaml:6)"
  `)
})

it('what may fit several at once is refused where one alone may hold', async () => {
  expect(
    await findingsOf(taking(`{ anyOf: [${OTHER}, ${B}] }`), taking(`{ oneOf: [${OTHER}, ${B}] }`)),
  ).toMatchInlineSnapshot(`
    "error request-alternatives-overlap
      the param \`order\` of order_get has alternatives that overlap now: a value that matches two of them is rejected (oneOf): callers may be rejected
      at new.openrpc.yaml:6 (old.openrpc.yaml:6)
      shown by: {"a":"","b":""}
      instead: make the alternatives disjoint: a property with a const of its own in each"
  `)
})

it('both what fits none and what fits two are reported', async () => {
  const open = '{ type: object, properties: { a: { type: string }, b: { type: string } } }'
  expect(
    await findingsOf(taking(open), taking(`{ oneOf: [${OTHER}, ${B}] }`)),
  ).toMatchInlineSnapshot(`
    "error request-alternatives-overlap
      the param \`order\` of order_get has alternatives that overlap now: a value that matches two of them is rejected (oneOf): callers may be rejected
      at new.openrpc.yaml:6 (old.openrpc.yaml:6)
      shown by: {"a":"","b":""}
      instead: make the alternatives disjoint: a property with a const of its own in each
    error request-property-became-required
      \`a\` in an alternative of the param \`order\` of order_get is required now: callers may be rejected
      at new.openrpc.yaml:6 (old.openrpc.yaml:6)
      shown by: {}
      instead: keep it optional, and describe what its absence means"
  `)
})
