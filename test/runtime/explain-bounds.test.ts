import { describe, expect, it } from 'vitest'
import { type Validator, validator } from '../../src/runtime/validate.js'

describe('explain', () => {
  it('stops after as many faults as the caller asks for', () => {
    const closed: Validator = validator(() => ({
      type: 'object',
      properties: { size: { type: 'integer' } },
      required: ['size'],
      additionalProperties: false,
    }))
    const names = Array.from({ length: 1_000 }, (_, index) => `unknown-${index}`)
    const body = Object.fromEntries(names.map((name) => [name, 1]))
    expect(closed.explain(body, 3)).toHaveLength(3)
    expect(closed.explain(body, 3)[0]).toMatchObject({ pointer: '', keyword: 'required' })
    expect(closed.explain(body)).toHaveLength(100)
  })

  it('looks at no more items than it has faults to find', () => {
    let seen = 0
    const items = new Proxy(Array(50_000).fill('no number'), {
      get: (target, key) => {
        if (typeof key === 'string' && /^\d+$/.test(key)) seen += 1
        return Reflect.get(target, key)
      },
    })
    const numbers: Validator = validator(() => ({ type: 'array', items: { type: 'number' } }))
    expect(numbers.explain(items, 20)).toHaveLength(20)
    expect(seen).toBeLessThan(1_000)
  })
})
