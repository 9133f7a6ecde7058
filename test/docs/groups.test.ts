import { expect, it } from 'vitest'
import { operationGroups } from '../../src/docs/groups.js'
import type { OperationGroup } from '../../src/docs/site.js'
import { apiOf, openapiOf } from '../read/api-of.js'

const groupsIn = async (tags: readonly object[], ...used: readonly string[]) => {
  const get = { operationId: 'one', tags: used, responses: { 200: { description: 'One.' } } }
  return operationGroups(
    await apiOf({ openapi: openapiOf({ version: '3.2.0', tags, paths: { '/a': { get } } }) }),
  )
}

const names = (groups: readonly OperationGroup[]): readonly unknown[] =>
  groups.map(({ name, groups: within }) => (within.length === 0 ? name : [name, names(within)]))

it('a tag is within its parent, unless that is not declared or a circle', async () => {
  const shop = { name: 'shop' }
  const books = { name: 'books', parent: 'shop' }
  expect(names(await groupsIn([shop, books], 'books'))).toEqual([['shop', ['books']]])
  expect(names(await groupsIn([books], 'books'))).toEqual(['books'])
  const circle = [books, { name: 'shop', parent: 'books' }]
  expect(names(await groupsIn(circle, 'books'))).toEqual([['shop', ['books']]])
})

it('a chain of 20,000 tags is shown by its last levels', async () => {
  const tags = Array.from({ length: 20_000 }, (_, at) => ({ name: `t${at}`, parent: `t${at - 1}` }))
  const groups = await groupsIn(tags, 't19999')
  const depthOf = (all: readonly OperationGroup[]): number =>
    all.length === 0 ? 0 : 1 + Math.max(...all.map(({ groups: within }) => depthOf(within)))
  expect(depthOf(groups)).toBe(20)
})
