import { describe, expect, it } from 'vitest'
import { createKeyCache } from '../../../src/service/access/keys.js'

const tried = () => {
  const asked: string[] = []
  const clock = { now: 0 }
  const cache = createKeyCache(
    async (id: string) => {
      asked.push(id)
      return id.startsWith('no') ? undefined : { id }
    },
    { now: () => clock.now, most: 3 },
  )
  return { asked, clock, cache }
}

describe('the cache of keys', () => {
  it('forgets the one that was read the longest ago where there are too many', async () => {
    const { asked, cache } = tried()
    for (const id of ['a', 'b', 'c', 'd']) await cache.find(id)
    for (const id of ['b', 'c', 'd', 'a']) await cache.find(id)
    expect(asked).toEqual(['a', 'b', 'c', 'd', 'a'])
  })

  it('remembers no more of those that do not exist, which drive out none that do', async () => {
    const { asked, cache } = tried()
    await cache.find('a')
    for (let index = 0; index < 100; index++) await cache.find(`no ${index}`)
    expect(asked).toHaveLength(101)
    await cache.find('a')
    await cache.find('no 99')
    expect(asked).toHaveLength(101)
    await cache.find('no 0')
    expect(asked).toHaveLength(102)
  })

  it('does not keep what was read before it was told to forget', async () => {
    let answer: (row: undefined) => void = () => undefined
    const rows = [new Promise<undefined>((resolve) => (answer = resolve)), Promise.resolve({})]
    const cache = createKeyCache(() => rows.shift() ?? Promise.reject(new Error('asked again')))
    const early = cache.find('a')
    cache.forget('a')
    expect(await cache.find('a')).toEqual({})
    answer(undefined)
    expect(await early).toBeUndefined()
    await new Promise(setImmediate)
    expect(await cache.find('a')).toEqual({})
  })
})
