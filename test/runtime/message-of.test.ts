import { expect, it } from 'vitest'
import { messageOf } from '../../src/runtime/shared/message-of.js'

const cause = new Error('connect ECONNREFUSED')

it.each([
  ['a cause', new Error('fetch failed', { cause }), 'fetch failed: connect ECONNREFUSED'],
  [
    'a cause that it has',
    new Error('code 1006, connect ECONNREFUSED', { cause }),
    'code 1006, connect ECONNREFUSED',
  ],
  [
    'a cause without a message',
    new Error('fetch failed', { cause: new Error('') }),
    'fetch failed',
  ],
  ['a cause that is no error', new Error('fetch failed', { cause: 'why' }), 'fetch failed'],
  ['no cause', new Error('fetch failed'), 'fetch failed'],
  ['no error', 'why', 'why'],
])('the message of an error with %s', (_, error, message) => {
  expect(messageOf(error)).toBe(message)
})
