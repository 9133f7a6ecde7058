import { afterEach, describe, expect, it, vi } from 'vitest'
import { createTurns, NoTurn } from '../../src/service/turns.js'

const ann = { name: 'ann', isKeyed: false }
const bob = { name: 'bob', isKeyed: false }
const key = { name: 'key', isKeyed: true }

/** Work that ends when it is asked to. */
const bench = (options: Partial<Parameters<typeof createTurns>[0]> = {}) => {
  const turns = createTurns({ atOnce: 1, waiting: 4, share: 3, milliseconds: 60_000, ...options })
  const order: string[] = []
  const ends: (() => void)[] = []
  const take = (name: string, caller: typeof ann, signal?: AbortSignal) =>
    turns(
      () => {
        order.push(name)
        return new Promise<void>((resolve) => ends.push(resolve))
      },
      { caller, signal },
    )
  const finish = async () => {
    ends.shift()?.()
    await new Promise((resolve) => setTimeout(resolve))
  }
  return { order, take, finish }
}

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

describe('createTurns', () => {
  it('serves callers in turn, and those with a key first', async () => {
    const { order, take, finish } = bench()
    const all = [
      take('ann 1', ann),
      take('ann 2', ann),
      take('ann 3', ann),
      take('bob 1', bob),
      take('key 1', key),
    ]
    for (let i = 0; i < 5; i += 1) await finish()
    await Promise.all(all)
    expect(order).toEqual(['ann 1', 'key 1', 'bob 1', 'ann 2', 'ann 3'])
  })

  it('rejects what finds no place, and callers without a key take none from those with one', async () => {
    const { take, finish } = bench()
    const all = [take('runs', ann), take('1', ann), take('2', ann), take('3', ann)]
    await expect(take('past its share', ann)).rejects.toBeInstanceOf(NoTurn)
    all.push(take('4', bob))
    await expect(take('past all', bob)).rejects.toBeInstanceOf(NoTurn)
    all.push(take('key', key))
    for (let i = 0; i < 6; i += 1) await finish()
    await Promise.all(all)
  })

  it('answers a caller who leaves at once, and gives the turn to the next when the work has ended', async () => {
    const { order, take, finish } = bench()
    const leaving = new AbortController()
    const left = take('ann', ann, leaving.signal)
    const next = take('bob', bob)
    leaving.abort(new Error('gone'))
    await expect(left).rejects.toThrow('gone')
    expect(order).toEqual(['ann'])
    await finish()
    expect(order).toEqual(['ann', 'bob'])
    await finish()
    await next
  })

  it('rests after a piece without a key, as many times as long as it took; callers with a key do not wait', async () => {
    vi.useFakeTimers()
    const ends: (() => void)[] = []
    const turns = createTurns({ atOnce: 1, waiting: 4, share: 3, milliseconds: 60_000, rest: 2 })
    const first = turns(() => new Promise<void>((resolve) => ends.push(resolve)), { caller: ann })
    await vi.advanceTimersByTimeAsync(100)
    ends.shift()?.()
    await first
    const began: string[] = []
    const later = turns(async () => void began.push('bob'), { caller: bob })
    await vi.advanceTimersByTimeAsync(150)
    expect(began).toEqual([])
    await turns(async () => void began.push('key'), { caller: key })
    expect(began).toEqual(['key'])
    await vi.advanceTimersByTimeAsync(60)
    await later
    expect(began).toEqual(['key', 'bob'])
  })

  it('goes on after a rest, though the timer fires before its time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
    let ahead = 0
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() - ahead)
    const turns = createTurns({ atOnce: 1, waiting: 4, share: 3, milliseconds: 60_000, rest: 2 })
    await Promise.all([
      turns(() => new Promise<void>((resolve) => setTimeout(resolve, 100)), { caller: ann }),
      vi.advanceTimersByTimeAsync(100),
    ])
    const began: string[] = []
    const later = turns(async () => void began.push('bob'), { caller: bob })
    ahead = 5
    await vi.advanceTimersByTimeAsync(300)
    expect(began).toEqual(['bob'])
    await later
  })

  it('forgets what its caller gives up, and what waits too long', async () => {
    const { order, take, finish } = bench({ milliseconds: 20 })
    const running = take('runs', ann)
    const gone = new AbortController()
    const left = take('gone', bob, gone.signal)
    gone.abort(new Error('the caller has gone'))
    await expect(left).rejects.toThrow('the caller has gone')
    await expect(take('late', bob)).rejects.toBeInstanceOf(NoTurn)
    await finish()
    await running
    const next = take('next', bob)
    await finish()
    await next
    expect(order).toEqual(['runs', 'next'])
  })
})
