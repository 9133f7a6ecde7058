import { describe, expect, it } from 'vitest'
import { HTTP_RULES } from '../../../src/conform/http/rules.js'
import { changed, isFull, lends, looks, ok, status, text, within } from './changes.js'
import { type Change, judgeLibrary } from './judge-library.js'

const BROKEN: readonly (readonly [rule: string, what: string, which: RegExp, change: Change])[] = [
  [
    'odd-request-breaks-the-server',
    'falls over deep JSON',
    /deeply nested/,
    changed(
      (asked) => text(asked).startsWith('[['),
      () => 'silence',
    ),
  ],
  [
    'malformed-body-is-taken',
    'reads a comma too many',
    /comma/,
    changed((asked) => text(asked).includes(',}'), ok),
  ],
  [
    'malformed-body-is-taken',
    'needs no body',
    /no body/,
    changed((asked) => lends(asked) && text(asked) === '', ok),
  ],
  [
    'malformed-body-is-taken',
    'reads Latin-1',
    /UTF-8/,
    changed(({ body }) => body?.includes(0xff) === true, ok),
  ],
  [
    'malformed-body-is-no-bad-request',
    'says 422',
    /truncated/,
    changed((_, right) => right.status === 400, status(422)),
  ],
  [
    'body-of-another-shape-is-taken',
    'takes null',
    /null for/,
    changed((asked) => text(asked) === 'null', ok),
  ],
  [
    'undeclared-media-type-is-taken',
    'takes all types',
    /text\/plain/,
    changed(({ headers }) => headers['content-type'] === 'text/plain', ok),
  ],
  [
    'media-type-is-told-by-its-spelling',
    'knows small letters alone',
    /APPLICATION/,
    changed(({ headers }) => headers['content-type'] === 'APPLICATION/JSON', status(415)),
  ],
  [
    'payload-limit-is-lower-than-promised',
    'has room for 1,999',
    /of 2000 bytes/,
    changed(({ body }) => body?.length === 2_000, status(413)),
  ],
  [
    'payload-limit-is-not-kept',
    'has room for more',
    /of 2001 bytes/,
    changed((_, right) => right.status === 413, ok),
  ],
  [
    'payload-limit-is-not-kept',
    'counts no chunks',
    /2001 bytes in chunks/,
    changed(({ headers }, right) => 'transfer-encoding' in headers && right.status === 413, ok),
  ],
  [
    'payload-limit-is-not-kept',
    'says 400',
    /of 2001 bytes/,
    changed((_, right) => right.status === 413, status(400)),
  ],
  [
    'oversized-payload-is-read-whole',
    'reads it all',
    /of 20000 bytes$/,
    changed(
      (_, right) => right.status === 413,
      (_, right) => ({ ...right, isLate: true }),
    ),
  ],
  [
    'undeclared-method-is-not-refused',
    'puts',
    /^PUT .*loans$/,
    changed(({ method }) => method === 'PUT', ok),
  ],
  [
    'rejection-has-the-wrong-code',
    'finds nothing',
    /^DELETE/,
    changed(({ method }) => method === 'DELETE', status(404)),
  ],
  [
    'allow-is-missing',
    'says 405 alone',
    /^PATCH/,
    changed(
      (_, right) => right.status === 405,
      (_, right) => ({ ...right, headers: {} }),
    ),
  ],
  [
    'allow-leaves-out-a-method',
    'names another',
    /^PATCH .*loans$/,
    changed(
      (_, right) => right.status === 405,
      (_, right) => ({ ...right, headers: { allow: 'PUT' } }),
    ),
  ],
  [
    'trace-is-answered',
    'traces',
    /^TRACE/,
    changed(({ method }) => method === 'TRACE', status(200)),
  ],
  [
    'foreign-key-is-taken',
    'knows each key',
    /nobody has/,
    changed(({ path }) => path.startsWith('/desks/'), ok),
  ],
  [
    'foreign-keys-are-told-apart',
    'has keys of two letters',
    /nobody has/,
    changed(({ path }) => path === '/desks/x/loans', status(400)),
  ],
  [
    'foreign-key-is-refused-otherwise',
    'says 400',
    /nobody has/,
    changed((_, right) => right.status === 401, status(400)),
  ],
  ['public-operation-asks-for-a-key', 'hides loans', /without a key/, changed(looks, status(401))],
  [
    'unknown-identifier-is-found',
    'has every loan',
    /unknown UUID$/,
    changed(looks, (asked) => ({ status: 200, body: { id: asked.path, state: 'lent' } })),
  ],
  [
    'unknown-identifier-is-refused-otherwise',
    'says 400',
    /unknown UUID$/,
    changed(looks, status(400)),
  ],
  [
    'malformed-identifier-is-not-refused',
    'looks for anything',
    /no UUID/,
    changed(looks, status(200)),
  ],
  [
    'identifier-is-told-by-its-letter-case',
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
    'condition-is-met-by-nothing',
    'says 304',
    /condition/,
    changed(
      ({ headers }) => headers['if-none-match'] !== undefined,
      () => ({ status: 304 }),
    ),
  ],
  [
    'limit-is-not-explained',
    'says 429 alone',
    /lend, more often/,
    changed(({ at }) => at > 20, status(429)),
  ],
  [
    'limit-counts-wrongly',
    'counts up',
    /lend, more often/,
    (asked, right) => ({ ...right, headers: { ratelimit: `"a";r=${asked.at};t=9` } }),
  ],
  [
    'writes-at-once-are-mixed-up',
    'gives one id to two',
    /at once/,
    changed(isFull, within({ id: 'one' })),
  ],
  [
    'writes-at-once-break-the-server',
    'breaks',
    /at once/,
    changed(({ at }) => at > 20, status(500)),
  ],
]

/** The library opens its desks by a key in the path: credentials have a test of their own. */
const IN_CREDENTIALS = [
  'caller-without-credentials-is-let-in',
  'wrong-credentials-are-taken',
  'challenge-is-missing',
  'challenge-for-a-key-is-missing',
]

describe('a library that breaks a rule is caught, and by that rule', () => {
  it.each(BROKEN)('%s: one that %s', async (rule, _, which, change) => {
    const { own } = await judgeLibrary(which, change)
    expect(own).toContain(rule)
    expect(new Set(own).size, [...new Set(own)].join()).toBeLessThanOrEqual(2)
  })

  it('each rule has such a library', () => {
    const broken = new Set<string>([...BROKEN.map(([rule]) => rule), ...IN_CREDENTIALS])
    expect(HTTP_RULES.map(({ id }) => id).filter((id) => !broken.has(id))).toEqual([])
  })
})
