import { expect, it } from 'vitest'
import { preferred } from '../../src/runtime/examples/documented.js'

it.each([
  ['code=404', 404],
  ['code=4444', 4444],
  ['code=-32000', -32000],
  ['code=200, example="paid"', 200],
])('Prefer: %s asks for that code, however many digits it has', (header, code) => {
  expect(preferred(header).code).toBe(code)
})
