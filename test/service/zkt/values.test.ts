import '../../fixed-seed.js'
import fc from 'fast-check'
import {
  type AbiParameter,
  checksumAddress,
  decodeAbiParameters,
  encodeAbiParameters,
  type Hex,
  numberToHex,
} from 'viem'
import { expect, test } from 'vitest'
import { readSignatures } from '../../../src/service/zkt/abi/read-signatures.js'
import { encodeValues, readValues } from '../../../src/service/zkt/values/values-in.js'
import {
  DecodingError,
  decodeOutput,
  decodeValues,
} from '../../../src/service/zkt/values/values-out.js'
import { cpuClock } from '../../cpu-time.js'

const parametersOf = (list: string): readonly AbiParameter[] => {
  const [entry] = readSignatures([`error E(${list})`]).abi ?? []
  return entry?.type === 'error' ? entry.inputs : []
}

/** There and back: what goes in by `readValues` comes out by `decodeValues`. */
const turned = (list: string, given: readonly unknown[]): unknown => {
  const parameters = parametersOf(list)
  const { values, faults } = readValues(parameters, given)
  return faults ?? decodeValues(parameters, encodeValues(parameters, values))
}

const address = '0xFac55168086cfE3284b5874Ae2738a68eE6710D2'
const uintMax = String(2n ** 256n - 1n)
const intMin = String(-(2n ** 255n))

const taken: readonly (readonly [string, unknown, unknown])[] = [
  ['uint8', 0, '0'],
  ['uint8', 255, '255'],
  ['uint8', '255', '255'],
  ['uint8', '0xff', '255'],
  ['uint8', -0, '0'],
  ['uint8', '007', '7'],
  ['int8', -128, '-128'],
  ['int8', '-0x80', '-128'],
  ['int8', '127', '127'],
  ['uint256', uintMax, uintMax],
  ['uint256', `0x${'f'.repeat(64)}`, uintMax],
  ['uint256', Number.MAX_SAFE_INTEGER, '9007199254740991'],
  ['int256', intMin, intMin],
  ['int256', '-1', '-1'],
  ['int24', '-8388608', '-8388608'],
  ['bool', true, true],
  ['bool', false, false],
  ['address', address, address],
  ['address', address.toLowerCase(), address],
  ['address', `0x${address.slice(2).toUpperCase()}`, address],
  ['string', '', ''],
  ['string', 'Füße 🚢 \u0000 \ufeff', 'Füße 🚢 \u0000 \ufeff'],
  ['string', '\ufefffirst', '\ufefffirst'],
  ['bytes', '0x', '0x'],
  ['bytes', '0xAbCd', '0xabcd'],
  ['bytes', `0x${'12'.repeat(33)}`, `0x${'12'.repeat(33)}`],
  ['bytes1', '0x00', '0x00'],
  ['bytes4', '0xdeadbeef', '0xdeadbeef'],
  ['bytes32', `0x${'a5'.repeat(32)}`, `0x${'a5'.repeat(32)}`],
  ['function', `0x${'12'.repeat(24)}`, `0x${'12'.repeat(24)}`],
  ['function[]', [`0x${'12'.repeat(24)}`], [`0x${'12'.repeat(24)}`]],
  ['uint8[]', [], []],
  ['uint8[3]', [1, '2', '0x3'], ['1', '2', '3']],
  ['string[]', ['a', '', 'b'], ['a', '', 'b']],
  [
    'uint8[2][]',
    [
      [1, 2],
      [3, 4],
    ],
    [
      ['1', '2'],
      ['3', '4'],
    ],
  ],
  ['string[][2]', [['a'], []], [['a'], []]],
  ['(uint8 a, string b)', [1, 'x'], ['1', 'x']],
  ['(uint8 a, string b)', { b: 'x', a: 1 }, ['1', 'x']],
  ['(uint8, bool)', [1, true], ['1', true]],
  [
    '(uint8 a, (bool b, bytes c)[] d)[1]',
    [{ a: 1, d: [{ b: true, c: '0x01' }, [false, '0x']] }],
    [
      [
        '1',
        [
          [true, '0x01'],
          [false, '0x'],
        ],
      ],
    ],
  ],
  [
    '(uint8 __proto__, uint8 constructor)',
    JSON.parse('{"__proto__":1,"constructor":2}'),
    ['1', '2'],
  ],
]

test.each(taken)('%s takes %j', (type, given, want) => {
  expect(turned(type, [given])).toEqual([want])
})

const uint8 =
  'takes uint8, an integer from 0 to 255 as a number or as a string of decimal or 0x digits'
const uint256 =
  'takes uint256, an integer from 0 to 2^256-1 as a number or as a string of decimal or 0x digits'
const pair = 'takes a tuple, an array of 2 items or an object with a, b'

const refused: readonly (readonly [
  type: string,
  given: unknown,
  message: string,
  under?: string,
])[] = [
  ['uint8', 256, uint8],
  ['uint8', -1, uint8],
  ['uint8', '256', uint8],
  ['uint8', 1.5, uint8],
  ['uint8', '', uint8],
  ['uint8', ' 1', uint8],
  ['uint8', '+1', uint8],
  ['uint8', '1e2', uint8],
  ['uint8', '1.0', uint8],
  ['uint8', '0x', uint8],
  ['uint8', '0b1', uint8],
  ['uint8', '１', uint8],
  ['uint8', true, uint8],
  ['uint8', null, uint8],
  ['uint8', undefined, uint8],
  ['uint8', [1], uint8],
  ['uint8', {}, uint8],
  ['uint256', String(2n ** 256n), uint256],
  ['uint256', '9'.repeat(1_000_000), uint256],
  ['uint256', `0x${'0'.repeat(500_000)}1`, uint256],
  ['uint256', 1e300, `${uint256}; past 2^53, send it as a string`],
  ['uint256', 2 ** 53 + 2, `${uint256}; past 2^53, send it as a string`],
  [
    'int8',
    128,
    'takes int8, an integer from -128 to 127 as a number or as a string of decimal or 0x digits',
  ],
  [
    'int256',
    String(2n ** 255n),
    'takes int256, an integer from -2^255 to 2^255-1 as a number or as a string of decimal or 0x digits',
  ],
  ['bool', 'true', 'takes bool, true or false'],
  ['bool', 1, 'takes bool, true or false'],
  ['address', '0x12', 'takes address, a string of 0x and 40 hex digits'],
  ['address', 'name.eth', 'takes address, a string of 0x and 40 hex digits'],
  ['string', 5, 'takes string, a JSON string'],
  ['string', null, 'takes string, a JSON string'],
  ['bytes', '0xabc', 'takes bytes, a string of 0x and an even number of hex digits'],
  ['bytes', 'ab', 'takes bytes, a string of 0x and an even number of hex digits'],
  ['bytes4', '0xabcdef', 'takes bytes4, a string of 0x and 8 hex digits'],
  ['bytes4', '0xabcdefgh', 'takes bytes4, a string of 0x and 8 hex digits'],
  ['uint8[]', 'x', 'takes uint8[], an array'],
  ['uint8[]', { length: 0 }, 'takes uint8[], an array'],
  ['uint8[2]', [1], 'takes uint8[2], an array of 2 items'],
  ['uint8[]', [1, 300], uint8, '/1'],
  ['(uint8 a, bool b)', [1], pair],
  ['(uint8 a, bool b)', { a: 1 }, pair],
  ['(uint8 a, bool b)', { a: 1, b: true, c: 1 }, pair],
  ['(uint8 a, bool b)', { a: 1, toString: 1 }, pair],
  ['(uint8 a, bool b)', { a: 999, b: true }, uint8, '/a'],
  ['(uint8 a, bool b)[]', [[1, 2]], 'takes bool, true or false', '/0/1'],
  ['(uint8, bool)', { a: 1 }, 'takes a tuple, an array of 2 items'],
  ['(uint8 a, bool a)', { a: 1 }, 'takes a tuple, an array of 2 items'],
]

test.each(refused)('%s does not take %.60j', (type, given, message, under = '') => {
  expect(turned(String(type), [given])).toEqual([{ pointer: `/arguments/0${under}`, message }])
})

test('every argument that does not fit is reported, up to twenty', () => {
  expect(turned('uint8 a, bool b, string c', [300, 1, 'fits'])).toEqual([
    { pointer: '/arguments/0', message: uint8 },
    { pointer: '/arguments/1', message: 'takes bool, true or false' },
  ])
  expect(turned('uint8[]', [Array(100_000).fill('x')])).toHaveLength(20)
})

test('a hostile depth or size is refused at once', () => {
  let deep: unknown = []
  for (let level = 0; level < 10_000; level += 1) deep = [deep]
  const used = cpuClock()
  expect(turned('uint8[][]', [deep])).toEqual([{ pointer: '/arguments/0/0/0', message: uint8 }])
  expect(turned('uint8[]', [Array(524_000).fill(0)])).toEqual([
    { pointer: '/arguments', message: 'hold more than 32768 values in all' },
  ])
  expect(used()).toBeLessThan(30_000)
  const text = 'x'.repeat(1_000_000)
  expect(turned('string', [text])).toEqual([text])
})

test('one returned tuple is flattened, several values keep theirs, an array of tuples stays one', () => {
  const out = (list: string, given: readonly unknown[]) => {
    const parameters = parametersOf(list)
    const { values = [] } = readValues(parameters, given)
    return decodeOutput(parameters, encodeValues(parameters, values))
  }
  expect(out('(uint8 a, string b)', [[1, 'x']])).toEqual(['1', 'x'])
  expect(out('(uint8 a, (bool b) c)', [[1, [true]]])).toEqual(['1', [true]])
  expect(out('(uint8 a, string b), bool', [[1, 'x'], true])).toEqual([['1', 'x'], true])
  expect(out('(uint8 a)[]', [[[1], [2]]])).toEqual([[['1'], ['2']]])
  expect(out('uint8[]', [[1, 2]])).toEqual([['1', '2']])
  expect(out('', [])).toEqual([])
})

const word = (value: bigint | number): string => numberToHex(value, { size: 32 }).slice(2)

const misfits: readonly (readonly [string, string, string])[] = [
  ['uint256', '', 'is too short'],
  ['uint256', '00'.repeat(31), 'is too short'],
  ['uint8', word(256), 'has no uint8 where one must be'],
  ['int8', word(128), 'has no int8 where one must be'],
  ['bool', word(2), 'has no bool where one must be'],
  ['address', word(1n << 160n), 'has no address where one must be'],
  ['bytes4', word(1), 'has no bytes4 where one must be'],
  ['string', word(2n ** 255n), 'is too short'],
  ['string', word(32) + word(33), 'is too short'],
  ['uint8[]', word(32) + word(2n ** 64n), 'is too short'],
  ['uint8[]', word(32) + word(64), 'is too short'],
  ['uint8[900000000]', word(1), 'is too short'],
  ['string[900000000]', word(32), 'is too short'],
]

test.each(misfits)('%s is not made of %.20s', (type, data, message) => {
  expect(() => decodeValues(parametersOf(type), `0x${data}`)).toThrow(new DecodingError(message))
})

test('bytes that many offsets share do not multiply', () => {
  const items = 1_000
  const text = 'ab'.repeat(32_000)
  const heads = word(32 * items).repeat(items)
  const data: Hex = `0x${word(32)}${word(items)}${heads}${word(32_000)}${text}`
  expect(() => decodeValues(parametersOf('string[]'), data)).toThrow('uses the same bytes again')
  expect(() => decodeValues(parametersOf('bytes'), `0x${'00'.repeat(1_048_577)}`)).toThrow(
    'is longer than',
  )
})

const integerTypes = ['uint8', 'uint64', 'uint256', 'int8', 'int128', 'int256']
const hex = (size: number) =>
  fc
    .uint8Array({ minLength: size, maxLength: size })
    .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)

/** A parameter with a JSON value for it, and the value as viem has it. */
type Sample = {
  readonly parameter: AbiParameter
  readonly json: unknown
  readonly value: unknown
  readonly out: unknown
}

const integerSample = (type: string): fc.Arbitrary<Sample> => {
  const signed = type.startsWith('int')
  const bits = BigInt(type.replace(/\D/g, ''))
  const max = 2n ** (signed ? bits - 1n : bits) - 1n
  return fc.bigInt({ min: signed ? -max - 1n : 0n, max }).map((value) => ({
    parameter: { type },
    json: String(value),
    value: Number(bits) > 48 ? value : Number(value),
    out: String(value),
  }))
}

const leaf: fc.Arbitrary<Sample> = fc.oneof(
  ...integerTypes.map(integerSample),
  fc.boolean().map((value) => ({ parameter: { type: 'bool' }, json: value, value, out: value })),
  fc
    .string({ unit: 'binary' })
    .map((value) => ({ parameter: { type: 'string' }, json: value, value, out: value })),
  hex(20).map((value) => {
    const checked = checksumAddress(value as Hex)
    return { parameter: { type: 'address' }, json: value, value: checked, out: checked }
  }),
  ...[1, 4, 32].map((size) =>
    hex(size).map((value) => ({
      parameter: { type: `bytes${size}` },
      json: value,
      value,
      out: value,
    })),
  ),
  fc
    .nat(70)
    .chain(hex)
    .map((value) => ({ parameter: { type: 'bytes' }, json: value, value, out: value })),
)

const tupleOf = (members: readonly Sample[], byName: boolean): Sample => {
  const named = members.map((member, at) => ({ ...member, name: `m${at}` }))
  const object = (key: 'json' | 'value') =>
    Object.fromEntries(named.map((member) => [member.name, member[key]]))
  return {
    parameter: {
      type: 'tuple',
      components: named.map(({ parameter, name }) => ({ ...parameter, name })),
    },
    json: byName ? object('json') : members.map(({ json }) => json),
    value: object('value'),
    out: members.map(({ out }) => out),
  }
}

/** Items of one type need values of one type, so one sample stands many times. */
const arrayOf = (sample: Sample, length: number, fixed: boolean): Sample => {
  const { parameter } = sample
  const times = <T>(item: T): readonly T[] => Array.from({ length }, () => item)
  return {
    parameter: { ...parameter, type: `${parameter.type}[${fixed ? length : ''}]` },
    json: times(sample.json),
    value: times(sample.value),
    out: times(sample.out),
  }
}

const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    leaf,
    fc
      .tuple(fc.array(tie('sample'), { minLength: 1, maxLength: 4 }), fc.boolean())
      .map(([members, byName]) => tupleOf(members, byName)),
    fc
      .tuple(tie('sample'), fc.integer({ min: 1, max: 3 }), fc.boolean())
      .map(([item, length, fixed]) => arrayOf(item, length, fixed)),
  ),
}))

test('values go in and come out as viem encodes and decodes them', () => {
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 4 }), (samples) => {
      const parameters = samples.map(({ parameter }) => parameter)
      const values = samples.map(({ value }) => value)
      const read = readValues(
        parameters,
        samples.map(({ json }) => json),
      )
      const data = encodeValues(parameters, read.values ?? [])
      expect(data).toBe(encodeAbiParameters(parameters, values))
      expect(decodeAbiParameters(parameters, data)).toEqual(values)
      expect(decodeValues(parameters, data)).toEqual(samples.map(({ out }) => out))
    }),
    { numRuns: 400 },
  )
})

test('bytes at random are decoded or refused, and nothing else happens', () => {
  const noise = fc.array(
    fc.oneof(
      fc.nat(300).map(word),
      fc.constant(word(32)),
      hex(32).map((text) => text.slice(2)),
    ),
    { maxLength: 40 },
  )
  fc.assert(
    fc.property(fc.array(sample, { minLength: 1, maxLength: 3 }), noise, (samples, words) => {
      try {
        decodeValues(
          samples.map(({ parameter }) => parameter),
          `0x${words.join('')}`,
        )
      } catch (error) {
        expect(error).toBeInstanceOf(DecodingError)
      }
    }),
    { numRuns: 400 },
  )
})
