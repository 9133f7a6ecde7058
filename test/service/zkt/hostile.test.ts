import '../../fixed-seed.js'
import fc from 'fast-check'
import { encodeAbiParameters, numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { cpuClock } from '../../cpu-time.js'
import { chainOf, serve } from './fixture.js'

const to = '0x0ca4eedd26f62e932b3e8ff91e48cc0d063546e1'
const answers = [
  ...fc.sample(fc.uint8Array({ maxLength: 400 }), 25),
  ...Array.from({ length: 25 }, (_, words) => new Uint8Array(32 * words)),
]

const type = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.constantFrom('uint256', 'int8', 'bool', 'address', 'bytes', 'string'),
  },
  { weight: 2, arbitrary: fc.constantFrom('S', '(uint8 a, bytes4 b)') },
  { weight: 1, arbitrary: fc.constantFrom('toString', 'fixed', 'uint7') },
)
const dimension = fc.oneof(
  { weight: 10, arbitrary: fc.constantFrom('', '[]', '[2]') },
  { weight: 1, arbitrary: fc.constantFrom('[9999999]', '[', '[0]') },
)
const parameters = fc
  .array(fc.tuple(type, dimension), { maxLength: 2 })
  .map((list) => list.map((parts) => parts.join('')).join(','))
const entry = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .tuple(parameters, fc.constantFrom('', ' view', ' pure'), parameters)
      .map(
        ([given, mutability, returned]) =>
          `function f(${given})${mutability} returns (${returned})`,
      ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'struct S { uint8 a; string b; }',
      'struct S { S[] a; }',
      'error E(bytes a)',
      'event E(uint8)',
    ),
  },
  { weight: 1, arbitrary: fc.string().map((text) => `function ${text}`) },
)
const value: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom(
    to,
    '0x01020304',
    '5',
    '-1',
    7,
    true,
    [1, 2],
    { a: 1, b: 'x' },
    JSON.parse('{"__proto__":1}'),
    '9'.repeat(500),
  ),
)
const body = fc.record(
  {
    abi: fc.array(entry, { minLength: 1, maxLength: 3 }),
    to: fc.constantFrom(to, '0x12', ''),
    method: fc.constantFrom(
      'f',
      'f',
      'f',
      'f(uint256)',
      'f(',
      '__proto__',
      'constructor',
      '('.repeat(2000),
    ),
    arguments: fc.array(value, { maxLength: 3 }),
    id: fc.oneof(fc.integer(), fc.string()),
    wait: fc.boolean(),
  },
  { requiredKeys: ['abi', 'to', 'method', 'arguments'] },
)

test('no body leads to a fault of ours, whatever the contract returns', async () => {
  let calls = 0
  const call = async () => {
    calls += 1
    return `0x${Buffer.from(answers[calls % answers.length] ?? []).toString('hex')}` as const
  }
  const { post } = serve({ chain: chainOf({ call }), waitMilliseconds: 1 })
  const seen = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(body, async (given) => {
      const answer = await post(given)
      expect([200, 400]).toContain(answer.status)
      expect(answer.body.success).toBe(answer.status === 200)
      const kind = answer.body.errorCode ?? (answer.body.output ? 'output' : 'hash')
      seen.set(kind, (seen.get(kind) ?? 0) + 1)
    }),
    { numRuns: 1_500 },
  )
  // Otherwise the bodies were too wild to reach what is behind their validation.
  expect([...seen.keys()]).toEqual(
    expect.arrayContaining([
      'output',
      'hash',
      'ARGUMENTS_MISMATCH',
      'INVALID_BODY',
      'UNKNOWN_METHOD',
    ]),
  )
})

const hundredThousand = Array.from({ length: 100_000 }, () => 0)

const bombs: readonly (readonly [what: string, body: object])[] = [
  ['a hundred thousand items', { abi: ['function f(uint8[] a)'], arguments: [hundredThousand] }],
  [
    'a hundred thousand wrong items',
    { abi: ['function f(bool[] a)'], arguments: [hundredThousand] },
  ],
  ['a hundred thousand arguments', { abi: ['function f()'], arguments: hundredThousand }],
  ['a number of a megabyte', { abi: ['function f(uint a)'], arguments: ['9'.repeat(1_000_000)] }],
  [
    'bytes of a megabyte',
    { abi: ['function f(bytes a)'], arguments: [`0x${'0'.repeat(1_000_000)}`] },
  ],
  [
    'thousands of overloads',
    {
      abi: Array.from({ length: 9_000 }, (_, at) => `function f(uint8[${at + 1}] a)`),
      arguments: [hundredThousand],
    },
  ],
  [
    'sixteen overloads that all fit',
    {
      abi: Array.from({ length: 16 }, (_, at) => `function f(uint${8 * (at + 1)}[] a)`),
      arguments: [hundredThousand.slice(0, 32_000)],
    },
  ],
  [
    'a method of a megabyte',
    { abi: ['function f()'], method: 'f'.repeat(1_000_000), arguments: [] },
  ],
  [
    'thousands of functions',
    { abi: Array.from({ length: 40_000 }, (_, at) => `function f${at}()`), arguments: [] },
  ],
  [
    'structs that double',
    {
      abi: [
        ...Array.from({ length: 40 }, (_, at) => `struct S${at} { S${at + 1} a; S${at + 1} b; }`),
        'struct S40 { bool a; }',
        'function f(S0 a)',
      ],
      arguments: [0],
    },
  ],
]

test.each(bombs)('%s is answered at once', async (_, given) => {
  const used = cpuClock()
  const { status, body: answer } = await serve().post({ to, method: 'f', ...given })
  expect([200, 400]).toContain(status)
  expect(JSON.stringify(answer).length).toBeLessThan(20_000)
  expect(used()).toBeLessThan(30_000)
})

test('a contract that returns one text a thousand times over is not believed', async () => {
  const text = encodeAbiParameters([{ type: 'string' }], ['x'.repeat(60_000)]).slice(66)
  const heads = numberToHex(32 * 2_000, { size: 32 })
    .slice(2)
    .repeat(2_000)
  const [at, length] = [32, 2_000].map((number) => numberToHex(number, { size: 32 }).slice(2))
  const { post } = serve({
    chain: chainOf({ call: async () => `0x${at}${length}${heads}${text}` }),
  })
  const answer = await post({
    to,
    abi: ['function f() view returns (string[])'],
    method: 'f',
    arguments: [],
  })
  expect(answer).toMatchObject({
    status: 400,
    body: {
      errorCode: 'INVALID_BODY',
      error: expect.stringContaining('uses the same bytes again'),
    },
  })
})
