import { describe, expect, it } from 'vitest'
import { HTTP_RULES } from '../../../src/conform/http/cases.js'
import { changed, isFull, lends, looks, ok, status, text, within } from './changes.js'
import { type Change, judgeLibrary } from './judge-library.js'

const BROKEN: readonly (readonly [rule: string, what: string, which: RegExp, change: Change])[] = [
  [
    'malformed-request-server-error',
    'falls over deep JSON',
    /deeply nested/,
    changed(
      (asked) => text(asked).startsWith('[['),
      () => 'silence',
    ),
  ],
  [
    'malformed-body-accepted',
    'reads a comma too many',
    /comma/,
    changed((asked) => text(asked).includes(',}'), ok),
  ],
  [
    'malformed-body-accepted',
    'needs no body',
    /no body/,
    changed((asked) => lends(asked) && text(asked) === '', ok),
  ],
  [
    'malformed-body-accepted',
    'reads Latin-1',
    /UTF-8/,
    changed(({ body }) => body?.includes(0xff) === true, ok),
  ],
  [
    'malformed-body-wrong-status',
    'says 422',
    /truncated/,
    changed((_, right) => right.status === 400, status(422)),
  ],
  [
    'body-of-wrong-type-accepted',
    'takes a deep array',
    /deeply nested/,
    changed((asked) => text(asked).startsWith('[['), ok),
  ],
  [
    'undeclared-media-type-accepted',
    'takes all types',
    /text\/plain/,
    changed(({ headers }) => headers['content-type'] === 'text/plain', ok),
  ],
  [
    'media-type-spelling-significant',
    'knows small letters alone',
    /APPLICATION/,
    changed(({ headers }) => headers['content-type'] === 'APPLICATION/JSON', status(415)),
  ],
  [
    'payload-limit-too-low',
    'has room for 1,999',
    /of 2000 bytes/,
    changed(({ body }) => body?.length === 2_000, status(413)),
  ],
  [
    'payload-limit-not-enforced',
    'has room for more',
    /of 2001 bytes/,
    changed((_, right) => right.status === 413, ok),
  ],
  [
    'payload-limit-not-enforced',
    'counts no chunks',
    /2001 bytes in chunks/,
    changed(({ headers }, right) => 'transfer-encoding' in headers && right.status === 413, ok),
  ],
  [
    'payload-limit-not-enforced',
    'says 400',
    /of 2001 bytes/,
    changed((_, right) => right.status === 413, status(400)),
  ],
  [
    'oversized-payload-read-whole',
    'reads it all',
    /of 20000 bytes$/,
    changed(
      (_, right) => right.status === 413,
      (_, right) => ({ ...right, isLate: true }),
    ),
  ],
  [
    'undeclared-method-accepted',
    'puts',
    /^PUT .*loans$/,
    changed(({ method }) => method === 'PUT', ok),
  ],
  [
    'rejection-wrong-code',
    'finds nothing',
    /^DELETE/,
    changed(({ method }) => method === 'DELETE', status(404)),
  ],
  [
    'allow-header-missing',
    'says 405 alone',
    /^PATCH/,
    changed(
      (_, right) => right.status === 405,
      (_, right) => ({ ...right, headers: {} }),
    ),
  ],
  [
    'allow-header-incomplete',
    'names another',
    /^PATCH .*loans$/,
    changed(
      (_, right) => right.status === 405,
      (_, right) => ({ ...right, headers: { allow: 'PUT' } }),
    ),
  ],
  ['trace-answered', 'traces', /^TRACE/, changed(({ method }) => method === 'TRACE', status(200))],
  [
    'invalid-api-key-accepted',
    'knows each key',
    /nobody has/,
    changed(({ path }) => path.startsWith('/desks/'), ok),
  ],
  [
    'invalid-api-keys-distinguished',
    'has keys of two letters',
    /nobody has/,
    changed(({ path }) => path === '/desks/x/loans', status(400)),
  ],
  [
    'invalid-api-key-wrong-status',
    'says 400',
    /nobody has/,
    changed((_, right) => right.status === 401, status(400)),
  ],
  ['public-operation-requires-key', 'hides loans', /without a key/, changed(looks, status(401))],
  [
    'unknown-identifier-found',
    'has every loan',
    /unknown UUID$/,
    changed(looks, (asked) => ({ status: 200, body: { id: asked.path, state: 'lent' } })),
  ],
  ['unknown-identifier-wrong-status', 'says 400', /unknown UUID$/, changed(looks, status(400))],
  ['malformed-identifier-accepted', 'looks for anything', /no UUID/, changed(looks, status(200))],
  [
    'identifier-case-sensitive',
    'knows small letters alone',
    /in capitals/,
    changed(({ path }) => /[A-F]/.test(path), status(400)),
  ],
  [
    'head-differs-from-get',
    'knows no HEAD',
    /by HEAD/,
    changed(({ method }) => method === 'HEAD', status(405)),
  ],
  [
    'etag-precondition-wrong',
    'says 304',
    /condition/,
    changed(
      ({ headers }) => headers['if-none-match'] !== undefined,
      () => ({ status: 304 }),
    ),
  ],
  [
    'rate-limit-not-explained',
    'says 429 alone',
    /lend, more often/,
    changed(({ at }) => at > 20, status(429)),
  ],
  [
    'rate-limit-counter-wrong',
    'counts up',
    /lend, more often/,
    (asked, right) => ({ ...right, headers: { ratelimit: `"a";r=${asked.at};t=9` } }),
  ],
  [
    'concurrent-writes-mixed-up',
    'gives one id to two',
    /at once/,
    changed((asked, right) => asked.at > 20 && isFull(asked, right), within({ id: 'one' })),
  ],
  [
    'concurrent-writes-server-error',
    'breaks',
    /at once/,
    changed(({ at }) => at > 20, status(500)),
  ],
]

/** The library opens its desks by a key in the path: credentials have a test of their own. */
const IN_CREDENTIALS = [
  'missing-credentials-accepted',
  'wrong-credentials-accepted',
  'challenge-missing',
  'challenge-for-api-key-missing',
]

/** Broken in `test/conform/http/streams.test.ts`: they need a socket. */
const IN_STREAMS = ['stream-outlives-its-reader']

/** Broken in `test/examples/recordings.e2e.test.ts`: the library has no files. */
const IN_EXAMPLE = ['range-ignored', 'range-invalid', 'range-beyond-end-accepted']

/** The library has no forms. */
const IN_FORMS = ['form-media-type-rejected', 'malformed-form-accepted', 'form-limit-not-enforced']

/** Broken in `test/conform/seeded/shelf`: the library has neither ETags nor lengths. */
const IN_SHELF = [
  'head-content-length-wrong',
  'etag-precondition-ignored',
  'not-modified-without-etag',
  'etag-changes',
]

describe('a library that breaks a rule is caught, and by that rule', () => {
  it.each(BROKEN)('%s: one that %s', async (rule, _, which, change) => {
    const { own } = await judgeLibrary(which, change)
    expect(own).toContain(rule)
    expect(new Set(own).size, [...new Set(own)].join()).toBeLessThanOrEqual(2)
  })

  it('each rule has such a library', () => {
    const broken = new Set<string>([
      ...BROKEN.map(([rule]) => rule),
      ...IN_CREDENTIALS,
      ...IN_FORMS,
      ...IN_STREAMS,
      ...IN_EXAMPLE,
      ...IN_SHELF,
    ])
    expect(HTTP_RULES.map(({ id }) => id).filter((id) => !broken.has(id))).toEqual([])
  })
})
