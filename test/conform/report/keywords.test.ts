import { expect, it } from 'vitest'
import { createKeywordRecord } from '../../../src/conform/report/keywords.js'
import { apiOf, method, openrpcOf } from '../../read/api-of.js'

type Try = readonly [side: 'valid' | 'invalid', response: string | undefined, isShown?: boolean]

const api = await apiOf({ openrpc: openrpcOf({ methods: [method('get')] }) })
const [operation] = api.operations
if (operation === undefined) throw new Error('the document has no method')

it.each<readonly [string, readonly string[], readonly Try[], boolean, RegExp | undefined]>([
  ['a rejection beside another response', ['200'], [['invalid', '400']], true, undefined],
  [
    'a rejection like that of a valid request',
    ['400'],
    [['invalid', '400']],
    false,
    /same.*: 400$/,
  ],
  ['a rejection without a valid request', [], [['invalid', '400']], false, /no request that/],
  [
    'a value that was accepted, without a valid request',
    [],
    [['invalid', '200', true]],
    true,
    undefined,
  ],
  ['a response that shows nothing', ['200'], [['invalid', undefined]], false, undefined],
  ['a valid value alone', ['200'], [['valid', '200', true]], true, undefined],
  ['a valid value that was rejected', ['200'], [['valid', '400']], false, undefined],
])('%s', (_, valid, tries, isTested, why) => {
  const record = createKeywordRecord()
  for (const response of valid) record.noteValid(operation, response)
  for (const [side, response, isShown = false] of tries)
    record.note({ operation, name: 'get params minimum', side, response, isShown })
  expect([...record.tested()]).toEqual(isTested ? ['get params minimum'] : [])
  const unproven = record.unproven()
  expect(unproven.map(({ name }) => name)).toEqual(why === undefined ? [] : ['get'])
  if (why !== undefined) expect(unproven[0]?.why).toMatch(why)
})
