import type { ClientOptions } from '../client-options.js'

/** Throws a TypeError for an option of a client that cannot work, with what was expected. */
export const checkOptions = (
  options: Pick<ClientOptions, 'timeout' | 'retry' | 'validate' | 'fetch' | 'onWarning'> & Hooks,
): void => {
  const { timeout = 0, retry = {}, validate = {} } = options
  expect('timeout', isDuration(timeout), 'a number of milliseconds, or Infinity')
  expect('retry', typeof retry === 'object', 'an object: { attempts, delay, longest }')
  const { attempts = 1, delay = 0, longest = 0 } = retry
  expect('retry.attempts', attempts >= 1, 'a number from 1')
  expect('retry.delay', isDuration(delay), 'a number of milliseconds')
  expect('retry.longest', isDuration(longest), 'a number of milliseconds')
  expect('validate', typeof validate === 'object', 'an object: { request, response }')
  for (const [key, value] of Object.entries(validate)) {
    const words = Object.hasOwn(VALIDATE, key) ? VALIDATE[key] : undefined
    const due =
      words === undefined ? 'left out: there are request and response' : words.join(' or ')
    expect(`validate.${key}`, value === undefined || words?.includes(value) === true, due)
  }
  for (const name of ['fetch', 'onWarning', 'onRequest', 'onResponse', 'onError'] as const) {
    const all = [options[name]].flat().filter((one) => one !== undefined)
    expect(
      name,
      all.every((one) => typeof one === 'function'),
      'a function',
    )
  }
}

/** Each is a function or a list of them. */
type Hooks = { readonly [name in 'onRequest' | 'onResponse' | 'onError']?: unknown }

const VALIDATE: Readonly<Record<string, readonly unknown[]>> = {
  request: ['strict', 'off'],
  response: ['tolerant', 'strict', 'off'],
}

const isDuration = (value: unknown): boolean => typeof value === 'number' && value >= 0

const expect = (name: string, holds: boolean, due: string): void => {
  if (!holds) throw new TypeError(`options.${name} must be ${due}`)
}
