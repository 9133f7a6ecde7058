import '../fixed-seed.js'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { redactor } from '../../src/runtime/shared/redact.js'
import { redactCause } from '../../src/runtime/shared/redact-value.js'

const secrets = fc
  .string({ unit: fc.constantFrom(...'aZ9/+ &%"ü$.=?#'), minLength: 1, maxLength: 12 })
  .map((text) => `k3y${text}x`)

const encodings: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  encodeURIComponent,
  encodeURI,
  (secret) => JSON.stringify(secret).slice(1, -1),
  (secret) => Buffer.from(secret).toString('base64'),
  (secret) => Buffer.from(secret).toString('base64url'),
  (secret) => new URLSearchParams({ '': secret }).toString().slice(1),
]

class ErrorWithUrl extends Error {
  readonly #url: string
  constructor(message: string, url: string) {
    super(message)
    this.#url = url
  }
  get url(): string {
    return this.#url
  }
}

/** Everything that a fetch of one's own may throw, the secret anywhere within. */
const thrown = (secret: string): fc.Arbitrary<unknown> => {
  const text = fc
    .constantFrom(...encodings.map((encode) => encode(secret)), 'nothing')
    .map((words) => `of ${words}.`)
  const url = `http://h.test/${encodeURIComponent(secret)}?q=${encodeURIComponent(secret)}`
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      text,
      fc
        .constantFrom<() => unknown>(
          () => 7,
          () => new URL(url),
          () => new URL(url).searchParams,
          () => new Request(url, { headers: { authorization: 'Bearer of' } }),
          () => new Headers({ 'x-key': encodeURIComponent(secret) }),
          () => Buffer.from(secret),
          () => Object.assign(() => secret, { secret }),
          () => Symbol(secret),
          () => Object.create({ secret }, { own: { value: secret } }),
          () => new ErrorWithUrl('clean', url),
          () => Object.assign(new Date(0), { secret }),
        )
        .map((make) => make()),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.tuple(tie('value'), tie('value')).map((pair) => new Map([pair])),
      fc.dictionary(text, tie('value'), { maxKeys: 3 }),
      tie('error'),
    ),
    error: fc
      .record({ text, cause: tie('value'), more: tie('value'), shape: fc.nat(8) })
      .map(({ text, cause, more, shape }) => {
        const error = new TypeError(text, { cause })
        if (shape === 1) return new AggregateError([cause, more], text)
        if (shape === 2) return Object.assign(error, { request: more, [text]: 1 })
        if (shape === 3) return Object.defineProperty(error, 'hidden', { value: more })
        if (shape === 4) return Object.defineProperty(error, 'got', { get: () => more })
        if (shape === 5) return Object.assign(error, { [Symbol(text)]: more })
        if (shape === 6) return Object.assign(error, { self: error, list: [error, more] })
        if (shape === 7) return Object.assign(new Error('a', { cause: error }), { name: text })
        if (shape === 8) {
          const other = new Error(text, { cause: error })
          return Object.assign(error, { cause: other })
        }
        return error
      }),
  }))
  return value as fc.Arbitrary<unknown>
}

const printed = (error: unknown): string =>
  [false, true]
    .map((getters) => inspect(error, { depth: 10, showHidden: true, getters }))
    .join('\n')

test('nothing that can be printed of what was thrown holds the secret, in any spelling', () => {
  const cases = secrets.chain((secret) => fc.tuple(fc.constant(secret), thrown(secret)))
  fc.assert(
    fc.property(cases, ([secret, error]) => {
      const output = printed(redactCause(error, redactor([secret])))
      for (const encode of encodings) expect(output).not.toContain(encode(secret))
    }),
    { numRuns: Number(process.env.RUNS ?? 1_000) },
  )
})

test.each<[title: string, make: () => unknown, want: unknown]>([
  [
    'causes in a circle',
    () => {
      const inner = new Error('in')
      const outer = new Error('out', { cause: inner })
      inner.cause = outer
      return outer
    },
    { message: 'out', cause: { message: 'in', cause: '[circular]' } },
  ],
  [
    'an AggregateError',
    () => new AggregateError([new Error('at k3y'), new Error('clean')], 'all failed'),
    { message: 'all failed', errors: [{ message: 'at [redacted]' }, { message: 'clean' }] },
  ],
  [
    'objects of other classes',
    () =>
      Object.assign(new Error('no'), {
        url: new URL('http://h/k3y'),
        request: new Request('http://h/k3y'),
      }),
    { message: 'no', url: 'http://h/[redacted]', request: '[object Request]' },
  ],
  [
    'a getter that throws',
    () =>
      new (class extends Error {
        get url(): string {
          throw new Error('k3y')
        }
      })('no'),
    { message: 'the thrown value cannot be read' },
  ],
])('the failure stays readable: %s', (_, make, want) => {
  const clean = redactCause(make(), redactor(['k3y']))
  expect(clean).toMatchObject(want as object)
  expect(printed(clean)).not.toContain('k3y')
})

test('what holds no secret keeps its class and its identity', () => {
  const cause = Object.assign(new AggregateError([new RangeError('in')], 'out'), {
    code: 'ECONNREFUSED',
    [Symbol('kind')]: true,
  })
  const errors = [
    new DOMException('stopped', 'AbortError'),
    new TypeError('fetch failed', { cause }),
    new ErrorWithUrl('no', 'http://h'),
  ]
  for (const error of errors) expect(redactCause(error, redactor(['k3y']))).toBe(error)
  const odd = Object.assign(new Error('odd'), { at: new Map() })
  expect(redactCause(odd, redactor([]))).toBe(odd)
})
