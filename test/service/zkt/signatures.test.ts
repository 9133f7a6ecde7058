import '../../fixed-seed.js'
import fc from 'fast-check'
import { parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { readSignatures } from '../../../src/service/zkt/abi/read-signatures.js'
import { cpuClock } from '../../cpu-time.js'

const fn = (
  name: string,
  inputs: unknown[],
  outputs: unknown[] = [],
  stateMutability = 'nonpayable',
) => ({
  type: 'function',
  name,
  inputs,
  outputs,
  stateMutability,
})

const readable: readonly (readonly [string, unknown])[] = [
  ['  function f()  ', fn('f', [])],
  ['function f();', fn('f', [])],
  ['function f(uint a, int)', fn('f', [{ type: 'uint256', name: 'a' }, { type: 'int256' }])],
  ['function f( uint8  a )', fn('f', [{ type: 'uint8', name: 'a' }])],
  [
    'function f(string memory a, bytes calldata)',
    fn('f', [{ type: 'string', name: 'a' }, { type: 'bytes' }]),
  ],
  ['function f(address payable a)', fn('f', [{ type: 'address', name: 'a' }])],
  ['function f(uint[2][] a)', fn('f', [{ type: 'uint256[2][]', name: 'a' }])],
  ['function f() external view returns(uint)', fn('f', [], [{ type: 'uint256' }], 'view')],
  ['function f() view external returns (uint)', fn('f', [], [{ type: 'uint256' }], 'view')],
  ['function f() returns (uint) pure', fn('f', [], [{ type: 'uint256' }], 'pure')],
  [
    'function f() public constant returns (bool ok)',
    fn('f', [], [{ type: 'bool', name: 'ok' }], 'view'),
  ],
  ['function f() payable', fn('f', [], [], 'payable')],
  [
    'function f((uint8 a, (bool) b)[2] c)',
    fn('f', [
      {
        type: 'tuple[2]',
        name: 'c',
        components: [
          { type: 'uint8', name: 'a' },
          { type: 'tuple', name: 'b', components: [{ type: 'bool' }] },
        ],
      },
    ]),
  ],
  [
    'function f() view returns (tuple(address owner, string title))',
    fn(
      'f',
      [],
      [
        {
          type: 'tuple',
          components: [
            { type: 'address', name: 'owner' },
            { type: 'string', name: 'title' },
          ],
        },
      ],
      'view',
    ),
  ],
  [
    'event E(address indexed from, uint256 amount)',
    {
      type: 'event',
      name: 'E',
      inputs: [
        { type: 'address', name: 'from', indexed: true },
        { type: 'uint256', name: 'amount' },
      ],
    },
  ],
  [
    'event E(uint) anonymous',
    { type: 'event', name: 'E', inputs: [{ type: 'uint256' }], anonymous: true },
  ],
  ['error Bad(uint8 a)', { type: 'error', name: 'Bad', inputs: [{ type: 'uint8', name: 'a' }] }],
  [
    'constructor(uint8 a) payable',
    { type: 'constructor', inputs: [{ type: 'uint8', name: 'a' }], stateMutability: 'payable' },
  ],
  ['fallback() external', { type: 'fallback', stateMutability: 'nonpayable' }],
  ['receive() external payable', { type: 'receive', stateMutability: 'payable' }],
]

test.each(readable)('%s', (line, entry) => {
  expect(readSignatures([line])).toEqual({ abi: [entry] })
})

test('structs are looked up wherever they stand, also in one another', () => {
  expect(
    readSignatures([
      'function f(Outer[] a)',
      'struct Outer{Inner i;uint8 n;}',
      'struct Inner { bool b; }',
    ]),
  ).toEqual({
    abi: [
      fn('f', [
        {
          type: 'tuple[]',
          name: 'a',
          components: [
            { type: 'tuple', name: 'i', components: [{ type: 'bool', name: 'b' }] },
            { type: 'uint8', name: 'n' },
          ],
        },
      ]),
    ],
  })
})

const unreadable: readonly (readonly [string, string])[] = [
  ['function f', 'expects ( after f'],
  ['function f(', 'expects a name after ('],
  ['function f(uint256', 'expects ) after uint256'],
  ['function f(uint256,)', 'expects a name after ,'],
  ['function f(uint7 a)', 'has the unknown type uint7'],
  ['function f(uint264 a)', 'has the unknown type uint264'],
  ['function f(bytes33 a)', 'has the unknown type bytes33'],
  ['function f(bytes0 a)', 'has the unknown type bytes0'],
  ['function f(Unknown a)', 'has the unknown type Unknown'],
  ['function f(toString a)', 'has the unknown type toString'],
  ['function f(__proto__ a)', 'has the unknown type __proto__'],
  ['function f(uint a b)', 'expects ) after a'],
  ['function f(uint indexed a)', 'has an indexed parameter, which only events have'],
  ['function f(uint[0] a)', 'has an array of 0 items'],
  ['function f(uint[1e3] a)', 'expects ] after 1'],
  ['function f(uint[99999999999] a)', 'has an array of 99999999999 items'],
  ['function f(() a)', 'has a tuple without members'],
  ['function f() view pure', 'says twice how it treats the state'],
  ['function f() view returns (uint) payable', 'says twice how it treats the state'],
  ['function f() whatever', 'does not go on like this: whatever'],
  ['function f(uint a) => b', 'has "=" where none may stand'],
  ['struct S {}', 'has no members'],
  ['struct S { uint a }', 'expects ; after a'],
  ['modifier m()', 'begins with modifier, which is no kind of entry'],
  ['', 'expects a name at its beginning'],
  [`function f(${'('.repeat(5000)}`, 'nests deeper than 16 levels'],
  [`function f(uint${'[]'.repeat(17)} a)`, 'nests deeper than 16 levels'],
]

test.each(unreadable)('%.40s is refused', (line, message) => {
  expect(readSignatures(['function ok()', line])).toEqual({ faults: [{ index: 1, message }] })
})

test('structs that stand in themselves, twice, or for too much are refused', () => {
  const messages = (lines: readonly string[]) =>
    readSignatures(lines).faults?.map(({ message }) => message)
  expect(messages(['struct A { B b; }', 'struct B { A[] a; }', 'function f(A a)'])).toEqual([
    'has B inside itself',
    'has A inside itself',
    'has A inside itself',
  ])
  expect(messages(['struct A { uint a; }', 'struct A { bool b; }'])).toEqual([
    'defines A a second time',
  ])
  const bomb = Array.from(
    { length: 15 },
    (_, at) => `struct S${at} { S${at + 1} a; S${at + 1} b; S${at + 1} c; }`,
  )
  expect(messages([...bomb, 'struct S15 { uint a; }', 'function f(S0 a)'])).toContain(
    'leads to more than 10000 parameters',
  )
})

test('a hostile megabyte is read or refused in linear time', () => {
  const many = `function f(${Array.from({ length: 9_000 }, (_, at) => `uint a${at}`).join(',')})`
  expect(readSignatures([many]).abi).toHaveLength(1)
  const used = cpuClock()
  for (const line of [
    `function f(${') returns ('.repeat(100_000)}`,
    `function f(${'uint,'.repeat(200_000)}uint)`,
    `function f(uint${'[]'.repeat(500_000)})`,
    `function ${' '.repeat(1_000_000)}`,
    `function ${'f'.repeat(1_000_000)}(`,
  ])
    expect(readSignatures([line]).faults).toHaveLength(1)
  const lines = Array.from({ length: 60_000 }, () => 'function f(')
  expect(readSignatures(lines).faults).toHaveLength(20)
  expect(used()).toBeLessThan(30_000)
})

const elementary = fc.constantFrom(
  'uint',
  'int8',
  'uint256',
  'address',
  'bool',
  'string',
  'bytes',
  'bytes4',
  'function',
)
const names = fc.constantFrom('', ' a', ' owner', ' $b_1')
const arrays = fc.constantFrom('', '', '[]', '[3]', '[2][]')
const { parameter } = fc.letrec<{ parameter: string; tuple: string }>((tie) => ({
  parameter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.tuple(elementary, arrays, names).map((parts) => parts.join('')),
    fc.tuple(fc.constant('Point'), arrays, names).map((parts) => parts.join('')),
    tie('tuple'),
  ),
  tuple: fc
    .tuple(fc.array(tie('parameter'), { minLength: 1, maxLength: 3 }), arrays, names)
    .map(([members, suffix, name]) => `(${members.join(', ')})${suffix}${name}`),
}))
const line = fc
  .tuple(
    fc.array(parameter, { maxLength: 3 }),
    fc.constantFrom('', ' external', ' public'),
    fc.constantFrom('', ' view', ' pure', ' payable'),
    fc.array(parameter, { maxLength: 2 }),
  )
  .map(
    ([inputs, scope, mutability, outputs]) =>
      `function f(${inputs.join(', ')})${scope}${mutability}${outputs.length > 0 ? ` returns (${outputs.join(', ')})` : ''}`,
  )

test('what viem reads is read alike', () => {
  const struct = 'struct Point { uint256 x; bool[2] y; }'
  fc.assert(
    fc.property(line, (text) => {
      expect(readSignatures([struct, text]).abi).toEqual(
        parseAbi([struct, text] as readonly string[]),
      )
    }),
    { numRuns: 500 },
  )
})
