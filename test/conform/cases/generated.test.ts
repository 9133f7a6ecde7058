import { expect, test } from 'vitest'
import { REJECTED } from '../../../src/conform/cases/evaluate.js'
import { generatedCasesOf } from '../../../src/conform/cases/generated.js'
import '../../fixed-seed.js'
import { each, type Fault, run } from './store.js'

test('another seed makes other values', async () => {
  const { texts } = await run(each(generatedCasesOf))
  expect((await run(each(generatedCasesOf), undefined, { seed: 2 })).texts).not.toEqual(texts)
})

test('a generated failure is made small', async () => {
  const failing: Fault = ({ body, isRight }) => {
    const { text = '' } = (body ?? {}) as { readonly text?: string }
    return isRight && text.length >= 3 ? { status: 500 } : undefined
  }
  const { reported } = await run(each(generatedCasesOf), failing, { maxExamples: 120 })
  const [caught] = reported.filter(({ rule }) => rule === 'valid-value-server-error')
  const { text } = JSON.parse(String(caught?.exchange.sent.body))
  expect(text).toHaveLength(3)
})

test('right values that are refused are not said to be taken, once for a part of a request', async () => {
  const { reported, seen } = await run(each(generatedCasesOf), ({ body, isRight }) =>
    isRight && body !== undefined ? { status: 400 } : undefined,
  )
  expect(reported).toEqual([])
  expect([...(seen.skipped.get(REJECTED) ?? [])]).toContain(
    'putNote, body application/json: a generated value',
  )
})

test('a success that only the default response describes is no rejection of the value by the server', async () => {
  const { seen } = await run(each(generatedCasesOf), ({ body, isRight }) =>
    isRight && body !== undefined ? { status: 202 } : undefined,
  )
  expect([...seen.skipped.keys()]).toContain(
    'the response has the status 202, which only the default response describes: declare it if it is a success',
  )
  expect(seen.skipped.get(REJECTED)).toBeUndefined()
})

test('what is gone or stands in the way is no refusal of a value', async () => {
  const { seen } = await run(each(generatedCasesOf), ({ isRight, url }) =>
    isRight && url.includes('/notes/') ? { status: 404 } : undefined,
  )
  expect(seen.skipped.get(REJECTED)).toBeUndefined()
})
