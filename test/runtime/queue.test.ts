import { expect, it } from 'vitest'
import { createQueue } from '../../src/runtime/shared/queue.js'
import { cpuClock } from '../cpu-time.js'

it('returns values in their order, whenever they are added', () => {
  const queue = createQueue<{ readonly at: number }>()
  const seen: unknown[] = []
  for (let at = 0; at < 10; at += 1) {
    queue.push({ at })
    if (at % 3 === 0) seen.push(queue.take()?.at)
  }
  for (let one = queue.take(); one !== undefined; one = queue.take()) seen.push(one.at)
  expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(queue.take()).toBe(undefined)
})

it('removes the first value that fulfils a condition, and keeps the others', () => {
  const queue = createQueue<{ readonly at: number }>()
  for (const at of [1, 2]) queue.push({ at })
  expect(queue.take()).toEqual({ at: 1 })
  for (const at of [3, 4]) queue.push({ at })
  expect(queue.take(({ at }) => at > 3)).toEqual({ at: 4 })
  expect(queue.take(({ at }) => at > 3)).toBe(undefined)
  expect(queue.take(({ at }) => at === 2)).toEqual({ at: 2 })
  expect(queue.take()).toEqual({ at: 3 })
})

it('is emptied in a time that grows with its length alone', () => {
  const queue = createQueue<{ readonly at: number }>()
  const used = cpuClock()
  for (let at = 0; at < 200_000; at += 1) queue.push({ at })
  for (let at = 0; at < 200_000; at += 1) queue.take()
  // `shift` takes minutes.
  expect(used()).toBeLessThan(2_000)
})
