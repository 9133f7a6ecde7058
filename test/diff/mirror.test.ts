import { describe, expect, test } from 'vitest'
import type { Finding } from '../../src/model/finding.js'
import { NARROWED, type SchemaChange } from './schema-changes.js'
import { changesOf, method, orders } from './versions.js'

const HTTP = {
  request: (schema: string) =>
    orders(`requestBody: { content: { application/json: { schema: ${schema} } } }`),
  response: (schema: string) =>
    orders(
      `responses: { '200': { description: ok, content: { application/json: { schema: ${schema} } } } }`,
    ),
}

const RPC = {
  request: (schema: string) => method(`params: [{ name: order, schema: ${schema} }]`),
  response: (schema: string) => method(`result: { name: order, schema: ${schema} }`),
}

const WIDENED: readonly SchemaChange[] = NARROWED.map(([check, before, after]) => [
  check,
  after,
  before,
])

describe.each([
  ['request', 'narrowed', NARROWED],
  ['response', 'widened', WIDENED],
] as const)('a %s that is %s breaks, over HTTP as over JSON-RPC', (direction, _, changes) => {
  test.each(changes)('%s', async (_check, before, after) => {
    const [http, rpc] = await Promise.all(
      [HTTP, RPC].map(async (side) =>
        (await changesOf(side[direction](before), side[direction](after))).map(verdict),
      ),
    )
    expect(rpc).toEqual(http)
    expect(http?.some(({ level }) => level !== 'note')).toBe(true)
  })
})

describe.each([
  ['request', 'widened', WIDENED],
  ['response', 'narrowed', NARROWED],
] as const)('a %s that is %s is reported alike over HTTP and JSON-RPC', (direction, _, changes) => {
  test.each(changes)('%s', async (_check, before, after) => {
    const [http, rpc] = await Promise.all(
      [HTTP, RPC].map(async (side) =>
        (await changesOf(side[direction](before), side[direction](after))).map(verdict),
      ),
    )
    expect(rpc).toEqual(http)
  })
})

const verdict = ({ rule, level, witness }: Finding) => ({ rule, level, witness })
