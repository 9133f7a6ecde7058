import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderOf, twinspec } from '../cli/command-line.js'
import { findingsIn } from '../report/report-of.js'
import { call, DESK, harOf, notify, receive, result, send } from '../traffic/desk.js'

type Method = (typeof DESK.methods)[number] & {
  readonly params?: readonly object[]
  readonly result?: object
}

/** The document with a method that is another one now; without it if there is none. */
const withMethod = (name: string, become: (method: Method) => object | undefined) => ({
  ...DESK,
  methods: (DESK.methods as readonly Method[]).flatMap((one) =>
    Object(one).name === name ? (become(one) ?? []) : one,
  ),
})

const MESSAGES = [
  send(call(1, 'add', [1, 2])),
  receive(result(1, 3)),
  send(notify('log', ['x'])),
  receive(notify('log', ['x'])),
  receive(notify('log', ['x'])),
  ...[1, 2, 3].map((value) => receive(notify('item', { subscription: 's', value }))),
  receive(call(1, 'confirm', ['?'])),
  send(result(1, true)),
]

/** The rule, the verdict and the words about recorded messages, and the exit code of `--fail-on used`. */
const compared = async (after: object, messages: readonly object[] = MESSAGES) => {
  const folder = await folderOf({
    'old.json': JSON.stringify(DESK),
    'new.json': JSON.stringify(after),
    'a.har': harOf({ messages }),
  })
  const at = (file: string) => join(folder, file)
  await twinspec('usage', at('a.har'), '--openrpc', at('old.json'), '--out', at('u.json'))
  const diff = [
    ...['diff', '--openrpc', at('new.json'), '--against', at('old.json')],
    ...['--usage', at('u.json'), '--fail-on', 'used'],
  ]
  const { code } = await twinspec(...diff)
  const { stdout } = await twinspec(...diff, '--format', 'json')
  const found = findingsIn(stdout).filter(({ level }) => level !== 'note')
  return {
    code,
    found: found.map(({ rule, usage, details = [] }) => [
      rule,
      usage?.verdict,
      details.find(({ label }) => label === 'usage:')?.words,
    ]),
  }
}

const AGENT = '1 consumer (user-agent:Mozilla/5.0 Chrome/140.0.0.0) on 2026-09-21'
const READS = 'the recordings do not show who reads it'

describe('changes of what the server sends, by recorded messages', () => {
  it.each<readonly [string, object, readonly (readonly unknown[])[]]>([
    [
      'a notification that is gone',
      withMethod('item', () => undefined),
      [
        [
          'server-method-removed',
          'sent',
          `it was in 3 of 3 recorded messages of the server, to ${AGENT}; ${READS}`,
        ],
      ],
    ],
    [
      'one that was never sent',
      withMethod('progress', () => undefined),
      [['server-method-removed', 'sent', 'no message of the method was recorded']],
    ],
    [
      'a method that both sides sent, and only clients send now',
      withMethod('log', (one) => ({ ...one, 'x-direction': 'client' })),
      [['method-direction-changed', 'used', `1 of 1 recorded request would be affected: ${AGENT}`]],
    ],
    [
      'a param of it',
      withMethod('confirm', (one) => ({ ...one, params: [] })),
      [
        [
          'server-param-removed',
          'sent',
          `it was in 1 of 1 recorded message of the server, to ${AGENT}; ${READS}`,
        ],
      ],
    ],
    [
      'a reply that may be accepted no longer',
      withMethod('confirm', (one) => ({
        ...one,
        result: { name: 'yes', schema: { const: false } },
      })),
      [
        [
          'request-value-removed',
          'possible',
          `up to 1 of 1 recorded message of the server may be affected, which counts do not decide: ${AGENT}`,
        ],
      ],
    ],
    [
      'a param that clients send',
      withMethod('add', (one) => ({ ...one, params: one.params?.slice(0, 1) })),
      [['param-removed', 'used', `1 of 1 recorded request would be affected: ${AGENT}`]],
    ],
  ])('%s', async (_, after, found) => {
    expect((await compared(after)).found).toEqual(expect.arrayContaining([...found]))
  })

  it('are counted for both senders of one method', async () => {
    const { found } = await compared(
      withMethod('log', (one) => ({
        ...one,
        params: [{ name: 'text', required: true, schema: { type: 'string', maxLength: 0 } }],
      })),
    )
    expect(found).toEqual([
      [
        expect.stringMatching(/^request-/),
        'used',
        `1 of 1 recorded request would be affected: ${AGENT}`,
      ],
    ])
  })

  it.each([
    ['used', MESSAGES, 1],
    ['unused', [receive(notify('progress', [1]))], 0],
  ] as const)('fail with --fail-on used if they are: %s', async (verdict, messages, code) => {
    const after = withMethod('confirm', (one) => ({
      ...one,
      result: { name: 'yes', schema: { type: 'string' } },
    }))
    const compare = await compared(after, messages)
    expect(compare.found).toEqual([[expect.any(String), verdict, expect.any(String)]])
    expect(compare.code).toBe(code)
  })
})
