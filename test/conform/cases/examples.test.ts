import { describe, expect, test } from 'vitest'
import { REJECTED } from '../../../src/conform/cases/evaluate.js'
import { exampleCases } from '../../../src/conform/cases/examples.js'
import '../../fixed-seed.js'
import { answered, type Fault, run } from './store.js'

test('by name another answer than by position is reported, unless the world changes', async () => {
  const byName: Fault = ({ params }) => (Array.isArray(params) ? undefined : answered(5))
  expect((await run(exampleCases, byName)).reported.map(({ rule }) => rule)).toEqual([
    'named-params-differ',
  ])
  let count = 0
  const growing: Fault = ({ isRight }) => (isRight ? answered(++count) : undefined)
  expect((await run(exampleCases, growing)).reported).toEqual([])
})

const refusing =
  (isIt: (request: Parameters<Fault>[0]) => boolean): Fault =>
  (request) => {
    if (!request.isRight || !isIt(request)) return undefined
    if (request.url.includes('/notes/')) return { status: 400 }
    const error = { code: -32602, message: 'no' }
    return { status: 200, value: { jsonrpc: '2.0', id: 1, error } }
  }

describe('an example that is refused as a wrong request', () => {
  test('is reported where the method does not declare that', async () => {
    const { reported } = await run(
      exampleCases,
      refusing(({ method }) => method === 'store_put'),
    )
    expect(reported.map(({ rule }) => rule)).toEqual(['example-values-rejected'])
  })

  test('is not said to be right where the document declares refusals', async () => {
    const { reported, seen } = await run(
      exampleCases,
      refusing(({ url }) => url.includes('/notes/')),
    )
    expect(reported).toEqual([])
    expect([...(seen.skipped.get(REJECTED) ?? [])]).toEqual([
      'putNote, example example with example with example: as the document shows it',
    ])
  })
})
