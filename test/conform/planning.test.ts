import { expect, it } from 'vitest'
import { conform } from '../../src/conform/conform.js'
import { apiOf } from '../read/api-of.js'
import { notesDocument, startNotes } from './notes.js'

it('a signal ends a run while its cases are made', async () => {
  const url = await startNotes(() => 200)
  const ending = new AbortController()
  setTimeout(() => ending.abort(), 0)
  let planned = 0
  const verdict = await conform(await apiOf({ openapi: notesDocument(200) }), {
    url,
    signal: ending.signal,
    onPlan: ({ cases }) => {
      planned = cases
    },
  })
  expect(verdict.cutShort?.by).toBe('ended')
  // Each operation has a case of bounds for each of three parameters, and two of generated values.
  expect(planned).toBeLessThan(1_000)
})

it('a run whose time is up while its cases are made tests those that were made', async () => {
  const url = await startNotes(() => 200)
  let clock = 0
  const verdict = await conform(await apiOf({ openapi: notesDocument(50) }), {
    url,
    maxSeconds: 120,
    now: () => {
      clock += 1_000
      return clock
    },
  })
  expect(verdict.cutShort?.by).toBe('time')
  expect(verdict.requests).toBeGreaterThan(0)
  const left = verdict.notTested.find(({ why }) => why.includes('before its cases were generated'))
  expect(left?.what).toContain('readNotes49, generated values')
})
