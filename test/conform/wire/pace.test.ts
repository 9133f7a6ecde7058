import { expect, it } from 'vitest'
import { createPace } from '../../../src/conform/wire/pace.js'

it('lets through what waits, once, where the run is ended', async () => {
  const ending = new AbortController()
  let slept = 0
  const sleep = async () => {
    slept += 1
    ending.abort()
    // As a sleeper does that wakes for the end of a run.
    if (slept > 100) throw new Error('it goes on sleeping')
  }
  const pace = createPace(1, { now: () => 0, sleep, signal: ending.signal })
  await Promise.all([pace.take(1), pace.take(1), pace.take(1)])
  expect(slept).toBe(1)
})
