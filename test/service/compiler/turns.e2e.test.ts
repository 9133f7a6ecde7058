import { beforeAll, expect, test } from 'vitest'
import { nameOf, started } from './started.js'

const compiler = started()
beforeAll(() => compiler.ready())

/** Asks for each of them in order, and tells in which order they are answered. */
const endings = () => {
  const order: string[] = []
  const ask = async (caller: string): Promise<void> => {
    await compiler.compile('contract A{}', { caller })
    order.push(caller)
  }
  return { order, ask }
}

test('callers take turns, even at one process', async () => {
  const { order, ask } = endings()
  await Promise.all(['ann', 'ann', 'ann', 'bob', 'bob', 'eve'].map(ask))
  expect(order).toEqual(['ann', 'bob', 'eve', 'ann', 'bob', 'ann'])
})

test('who has just been served does not go before who has waited since', async () => {
  const { order, ask } = endings()
  await Promise.all([ask('kim'), ask('kim'), ask('lea').then(() => ask('lea')), ask('max')])
  expect(order).toEqual(['kim', 'lea', 'max', 'kim', 'lea'])
})

test('S15: callers with a key are served before those without one, and have places of their own', async () => {
  const order: string[] = []
  const ask = async (caller: string, isKeyed: boolean): Promise<void> => {
    await compiler.compile('contract A{}', { caller, isKeyed })
    order.push(caller)
  }
  const crowd = Array.from({ length: 32 }, (_, index) => ask(`address ${index % 8}`, false))
  await Promise.all([...crowd, ask('address 9', false), ask('key', true)])
  // The first of the crowd had begun.
  expect(order.indexOf('key')).toBe(1)
})

test('one caller may have a quarter of the places that wait', async () => {
  const work = Array.from({ length: 10 }, () =>
    nameOf(compiler.compile('contract A{}', { caller: 'ann' })),
  )
  const modest = nameOf(compiler.compile('contract A{}', { caller: 'bob' }))
  expect(await Promise.all(work)).toEqual([...Array(9).fill('compiled'), 'NoTurn'])
  expect(await modest).toBe('compiled')
})
