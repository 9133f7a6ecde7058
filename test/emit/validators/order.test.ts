import { expect, test } from 'vitest'
import type { SchemaObject } from '../../../src/schema/schema.js'
import { runWritten } from './written.js'

const List: SchemaObject = { type: 'array', items: { type: 'string', pattern: '^a' } }
const properties = {
  list: List,
  named: { $ref: '#/components/schemas/List' },
  to: { type: 'string' },
} as const

test.each<[string, SchemaObject]>([
  ['an open object', { type: 'object', required: ['list', 'named', 'to', 'toString'], properties }],
  [
    'a closed one',
    { type: 'object', required: ['list', 'named', 'to'], properties, additionalProperties: false },
  ],
])(
  'no list of %s is walked through before another member is known to be right',
  async (_, schema) => {
    const { Root } = await runWritten({ Root: schema, List })
    let reads = 0
    const list = Object.defineProperty(['a'], 0, {
      get() {
        reads++
        return 'a'
      },
    })
    const others: object = schema.additionalProperties === false ? {} : { toString: 'own' }
    expect(Root?.check({ list, named: list, to: 1, ...others })).toBe(false)
    expect(reads).toBe(0)
    expect(Root?.check({ list, named: list, to: '0x', ...others })).toBe(true)
    expect(reads).toBe(2)
  },
)
