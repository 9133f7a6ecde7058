import { describe, expect, it } from 'vitest'
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

/** A clock that only sleep moves, and what the pace let through. */
const passed = async (
  perMinute: number,
  count: number,
  options: { readonly deadline?: number },
) => {
  let time = 0
  const sleep = async (milliseconds: number) => {
    time += milliseconds
  }
  const pace = createPace(perMinute, { now: () => time, sleep, ...options })
  const times: number[] = []
  const refused: unknown[] = []
  for (let index = 0; index < count; index++)
    await pace.take(1).then(
      () => times.push(time),
      (error: unknown) => refused.push(error),
    )
  return { times, refused, time }
}

describe('a rate of 60 a minute', () => {
  it('holds in any minute, uses nearly all of it, and never leaves half a minute without a request', async () => {
    const { times } = await passed(60, 400, {})
    const most = Math.max(
      ...times.map((from) => times.filter((at) => at >= from && at < from + 60_000).length),
    )
    expect(most).toBe(60)
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0))
    expect(Math.max(...gaps)).toBeLessThan(5_000)
    expect(times.at(-1)).toBeLessThan(7 * 61_000)
  })

  it('is not waited for beyond the deadline', async () => {
    const { times, refused, time } = await passed(60, 61, { deadline: 5_000 })
    expect(time).toBe(5_000)
    expect(times.length).toBeGreaterThan(29)
    expect(refused[0]).toMatchObject({ stop: { kind: 'time up' } })
  })

  it('is not spread where all that is to come fits into a minute', async () => {
    let slept = 0
    const sleep = async (milliseconds: number) => {
      slept += milliseconds
    }
    const pace = createPace(60, { now: () => slept, sleep })
    pace.expect(60)
    for (let index = 0; index < 60; index++) await pace.take(1)
    expect(slept).toBe(0)
  })
})
