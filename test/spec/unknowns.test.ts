import { describe, expect, it } from 'vitest'
import { httpOperations, methods, type Written, written } from './documents.js'

/** What a mark says, and where it stands if its text alone would not tell it from others. */
type Open = RegExp | readonly [place: string, text: RegExp]

/** What the description of the service calls "not shown": its clause, where the documents say so, and what they chose there. */
const NOT_SHOWN: readonly (readonly [clause: string, open: Open, chosen: RegExp])[] = [
  [
    '2.6 which form is answered with a queueId',
    /^The submissions whose response has a queueId/,
    /^Any write may have one/,
  ],
  [
    '2.6 the full field list beside a queueId',
    /the other fields of that response\.$/,
    /with or without a hash/,
  ],
  ['3 transitions', /^The order of the states/, /from pending to processing, .* which are final/],
  [
    '4.1 chain_getValidatorList',
    ['chain_getValidatorList', /^Parameters and result/],
    /^An optional block hash/,
  ],
  [
    '4.1 chain_getActiveValidatorList',
    ['chain_getActiveValidatorList', /^Parameters and result/],
    /^An optional block hash/,
  ],
  [
    '4.1 chain_sendSponsoredTransaction',
    ['chain_sendSponsoredTransaction', /^Parameters, result/],
    /^The signed transaction, the sponsor/,
  ],
  [
    '4.2 the receipt of wait',
    /^The fields of the receipt/,
    /^The object of eth_getTransactionReceipt/,
  ],
  ['5 authentication of the lookup', /^Whether a lookup needs authentication/, /^It needs none/],
  ['6 events', /^Whether the service announces events/, /^It announces none/],
  [
    '7 JSON-RPC error objects and codes',
    /^The JSON-RPC error objects and codes/,
    /^The five codes of JSON-RPC 2\.0/,
  ],
  ['7 HTTP status of a validation error', /^The HTTP status of a validation error/, /^400/],
  ['7 HTTP status of an unknown key', /^The HTTP status for an unknown key/, /^401/],
  ['7 HTTP status of an unknown queueId', /^The HTTP status of an unknown queueId/, /^404/],
  [
    '7 error body of a submission',
    /^The fields of an error, and whether its HTTP status can be 200/,
    /^The fields that services of this family/,
  ],
  ['7 error body of a lookup', /^The body of a rejected lookup/, /the one field/],
  [
    '8 limit of try-it-out',
    ['paths/zkt.yaml/TryItOut', /numeric rate limit/],
    /^No number is declared/,
  ],
  [
    '8 limit of the lookup',
    /^The numeric limit of the status lookup/,
    /the number is not declared/,
  ],
  [
    '9 V1 and V2, and how a request selects one',
    /^How the request schemas V1 and V2 differ, and how/,
    /^V1 is the message, and V2/,
  ],
]

/** What the description of the service leaves open without the words, by the row of the assumptions that answers it. */
const ASSUMED: readonly (readonly [row: string, open: Open, chosen: RegExp])[] = [
  [
    '2 a mixture of variants',
    /^The response to a mixture of variants/,
    /^Both are validation errors/,
  ],
  ['6 a warning', /^Whether there are warnings/, /success with an error text/],
  ['7 output of a read', /^The format of numbers and tuples/, /^A single string is accepted too/],
  ['8 id', /^Whether an id may have a type other than number/, /^A number or a string/],
  ['9 items of arguments', /^The JSON values that an argument may have/, /^Any/],
  [
    '12 an absent errorMessage',
    /^Whether a record without an error has the field/,
    /^Both are accepted/,
  ],
  ['17 a wrong HTTP method', /^The HTTP status for a wrong HTTP method/, /^405/],
  ['17 a wrong Content-Type', /^The HTTP status for a wrong Content-Type/, /^415/],
  ['17 too many requests', /^The numeric limits of the submission endpoints/, /^429/],
  ['5 a part that is down', /^The response while a part of the service is down/, /^503/],
  [
    '19 what a batch counts',
    /^Whether a batch counts as one request/,
    /^Each request of a batch counts/,
  ],
  ['20 no key', /^The path segment that replaces the key/, /submission endpoint/],
  ['20 accounts of the node', /^Whether the node has accounts/, /^It has none/],
  ['22 the size of 1 MB', /^How many bytes "1 MB" is/, /^A body of 1,048,576 bytes is accepted/],
  ['23 gas prices', /^The gas prices of the networks/, /^Always 0x0/],
  [
    '24 id and wait of a deployment',
    /^Whether a deployment accepts `id` or `wait`/,
    /^It accepts `id`, but not `wait`/,
  ],
  [
    '26 kinds of keys',
    /^The format of a key, and the effect of a public key/,
    /public key may be in a web page/,
  ],
]

const marks = written.filter(({ node }) => 'x-not-shown' in node)
const placeOf = ({ file, pointer }: Written) => `${file}${pointer}`

describe('what the description of the service does not show is open in the documents', () => {
  it.each(NOT_SHOWN)('%s', (_, open, chosen) => expectMark(open, chosen))
})

describe('what it leaves open otherwise is open too', () => {
  it.each(ASSUMED)('assumption %s', (_, open, chosen) => expectMark(open, chosen))
})

describe('marks', () => {
  it('are many, each a text', () => {
    expect(marks.length).toBeGreaterThanOrEqual(60)
    for (const { node } of marks) expect(String(node['x-not-shown'])).toMatch(/^[A-Z].*\.$/s)
  })

  it('stand with what was chosen, but where nothing had to be', () => {
    const bare = marks.filter(({ node }) => typeof node['x-assumption'] !== 'string')
    expect(bare.map(placeOf)).toEqual([
      'schemas/eth/client.yaml/RpcModules',
      'schemas/eth/trace.yaml/TracerName',
      'schemas/eth/trace.yaml/TracerConfig',
      'schemas/eth/trace.yaml/ForkOverrides',
      'schemas/eth/trace.yaml/OtherTrace',
    ])
  })

  it('are never an assumption about nothing', () => {
    const groundless = written.filter(
      ({ node }) => 'x-assumption' in node && !('x-not-shown' in node),
    )
    expect(groundless.map(placeOf)).toEqual([])
  })

  it('reach the Api, so that lint and reference can list them', () => {
    const own = [...httpOperations, ...methods].filter(({ notShown }) => notShown !== undefined)
    expect(own.map(({ id, assumption }) => [id, typeof assumption])).toEqual(
      own.map(({ id }) => [id, 'string']),
    )
    expect(own.map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        'tryZkt',
        'submitZkt',
        'getZktTransaction',
        'chainGetActiveValidatorList',
        'chainGetSupportedTokens',
        'chainGetValidatorList',
        'chainSendSponsoredTransaction',
      ]),
    )
  })

  it('are at every HTTP status but 200: the description of the service shows none', () => {
    const refusals = written.filter(({ file, pointer }) =>
      /^\/[A-Z]\w+$/.test(pointer) && file === 'paths/refusals.yaml'
        ? true
        : /\/responses\/[45]\d\d$/.test(pointer),
    )
    const shown = refusals.filter(({ node }) => !('$ref' in node) && !('x-not-shown' in node))
    expect(refusals.length).toBeGreaterThanOrEqual(12)
    expect(shown.map(placeOf)).toEqual([])
  })
})

function expectMark(open: Open, chosen: RegExp) {
  const [place, text] = open instanceof RegExp ? ['', open] : open
  const found = marks.filter(
    (mark) => placeOf(mark).includes(place) && text.test(String(mark.node['x-not-shown'])),
  )
  expect(found.map(placeOf), `no x-not-shown ${place} reads ${text}`).not.toEqual([])
  for (const mark of found) expect(mark.node['x-assumption'], placeOf(mark)).toMatch(chosen)
}
