import { execFileSync } from 'node:child_process'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { inOneFile } from '../../../src/emit/declaration.js'
import { emitValidators } from '../../../src/emit/validators.js'
import type { Checks } from '../../../src/runtime/validate.js'
import { kernelText } from '../../runtime/hex-kernel.js'
import { apiOfSchemas, bundle, runText, runWritten, type Schemas } from './written.js'

const text = (pattern: string) => ({ type: 'string', pattern }) as const

const PATTERNS: Readonly<Record<string, string>> = {
  AnyBytes: '^0x([0-9a-fA-F]{2})*$',
  AnyDigits: '^0x[0-9a-fA-F]*$',
  AnyHash: '^0x[0-9a-fA-F]{64}$',
  AnyNumber: '^0x(0|[1-9a-fA-F][0-9a-fA-F]*)$',
  LowerBytes: '^0x([0-9a-f]{2})*$',
  LowerHash: '^0x[0-9a-f]{64}$',
  LowerNumber: '^0x([1-9a-f][0-9a-f]{0,63}|0)$',
  UpperDigits: '^0x[0-9A-F]*$',
}

const SCHEMAS: Schemas = Object.fromEntries(
  Object.entries(PATTERNS).map(([name, pattern]) => [name, text(pattern)]),
)

/** Of each length a plain text, with every kind of digit, and the same with one character of it changed. */
function* texts(length: number, digits: string): Generator<string> {
  const plain = `0x${digits.repeat(Math.ceil(length / digits.length))}`.slice(0, length)
  yield plain
  yield `0X${plain.slice(2)}`
  yield ` ${plain.slice(1)}`
  yield `${plain}\n`
  const places = [0, 1, 2, 3, 15, 16, 17, 18, 19, 33, 34, 35, 49, 50, length - 17, length - 2]
  for (const at of [...places, length - 1]) {
    if (at < 0 || at >= length) continue
    for (const character of ODD) yield plain.slice(0, at) + character + plain.slice(at + 1)
  }
}

/** What stands next to the digits, what is a digit once a bit is set or lost, and what is no byte. */
const ODD = [...'/0:@AFG`afgxX\0\u0010\u0011\u0019\u001a\u007f°±Á∀😀', '\ud800']

const DIGITS = ['0123456789abcdef', '0123456789ABCDEF', '9f8E7d6C5b4A3210']

/** Short ones, those where another way of looking at them begins, and those that come in pieces. */
const LENGTHS = [
  ...Array.from({ length: 20 }, (_, length) => length),
  ...[34, 42, 47, 48, 49, 50, 51, 63, 64, 65, 66, 67, 82, 99, 100, 101, 130, 514, 4_002],
]

/** A module of its own for each test: it remembers whether it has found a kernel. */
const freshly = (title: string): Promise<Readonly<Record<string, Checks>>> =>
  runText(
    `${inOneFile(emitValidators(apiOfSchemas(SCHEMAS))).text}\nexport const title = '${title}'`,
  )

const firstDiffering = (checks: Readonly<Record<string, Checks>>, lengths: readonly number[]) => {
  let asked = 0
  for (const [name, pattern] of Object.entries(PATTERNS)) {
    const expression = new RegExp(pattern, 'u')
    for (const length of lengths) {
      for (const digits of DIGITS) {
        for (const one of texts(length, digits)) {
          asked++
          if (checks[name]?.check(one) !== expression.test(one)) return { name, one, length }
        }
      }
    }
  }
  return { asked }
}

const compiles = () => {
  const Module = vi.fn(function compile(code: Uint8Array<ArrayBuffer>) {
    return new WASM.Module(code)
  })
  vi.stubGlobal('WebAssembly', { Module, Instance: WASM.Instance })
  return Module
}

const WASM = WebAssembly

afterEach(() => vi.unstubAllGlobals())

describe('a check of hexadecimal text tells what its pattern tells', () => {
  test('by the kernel, which is compiled when the first long text comes', async () => {
    const Module = compiles()
    const checks = await freshly('with a kernel')
    expect([checks.AnyHash?.check('0x00'), checks.AnyNumber?.check(NUMBER)]).toEqual([false, true])
    expect(Module).not.toHaveBeenCalled()
    expect(firstDiffering(checks, LENGTHS)).toEqual({ asked: expect.any(Number) })
    // Once for each alphabet.
    expect(Module).toHaveBeenCalledTimes(3)
  })

  test('however its digits are written down', async () => {
    const classes = ['0-9a-f', 'a-f0-9', String.raw`\da-f`, String.raw`a-fA-F\d`, '0-9A-F']
    const firsts = [...classes, '1-9a-f', '1-9a-fA-F', 'A-F1-9', '0-9']
    const counts = ['', '*', '+', '{2}', '{0}', '{0,3}', '{1,2}', '{2,}']
    const patterns = classes.flatMap((digits) => [
      `^0x([${digits}]{2})*$`,
      ...firsts.map((first) => `^0x([${first}][${digits}])*$`),
      ...counts.flatMap((count) => [
        `^0x[${digits}]${count}$`,
        ...firsts.flatMap((first) => [
          `^0x[${first}][${digits}]${count}$`,
          `^0x(0|[${first}][${digits}]${count})$`,
          `^0x(?:[${first}][${digits}]${count}|0)$`,
        ]),
      ]),
    ])
    const named = patterns.map((pattern, index) => [`S${index}`, text(pattern)] as const)
    const checks = await runWritten(Object.fromEntries(named))
    const short = ['', '0', '1', '9', 'a', 'A', 'g', '00', '01', '0a', '0A', '10', 'ab', 'AB', 'aB']
    const texts = [...short, '000', '012', '123', 'abc', 'ABC', '12g', '0123', 'abcd', '12345']
    const wrong = patterns.flatMap((pattern, index) =>
      ['0x', '0X', ''].flatMap((head) =>
        texts
          .map((digits) => head + digits)
          .filter((one) => checks[`S${index}`]?.check(one) !== new RegExp(pattern, 'u').test(one))
          .map((one) => `${pattern} ${one}`),
      ),
    )
    expect(patterns.length).toBeGreaterThan(1_000)
    expect(wrong).toEqual([])
  })

  const fallbacks: Readonly<Record<string, unknown>> = {
    'there is no WebAssembly': undefined,
    'a policy forbids to compile it, or SIMD is unknown': {
      Module: function refuse() {
        throw new WASM.CompileError('Wasm code generation disallowed by embedder')
      },
    },
  }
  test.each(Object.entries(fallbacks))('without it where %s', async (title, found) => {
    vi.stubGlobal('WebAssembly', found)
    const checks = await freshly(title)
    expect(firstDiffering(checks, LENGTHS)).toEqual({ asked: expect.any(Number) })
    // What was not there at the first long text is not asked for again.
    const Module = compiles()
    expect(checks.AnyHash?.check(`0x${'a'.repeat(64)}`)).toBe(true)
    expect(Module).not.toHaveBeenCalled()
  })

  test.each(['in pieces', 'in no pieces'])('of any length, %s', async (title) => {
    const Module = compiles()
    if (title === 'in no pieces') vi.stubGlobal('WebAssembly', undefined)
    const { AnyDigits, AnyBytes } = await freshly(title)
    for (const length of [19_999, 20_000, 20_001, 20_002, 39_999, 40_001, 70_000, 131_074]) {
      const plain = `0x${'9f8E7d6C5b4A3210'.repeat(9_000)}`.slice(0, length)
      const size = Math.ceil((length - 2) / Math.ceil(length / 20_000))
      const edges = [2, 2 + size, 2 + 2 * size, length - 1].flatMap((at) => [at - 1, at, at + 1])
      expect([AnyDigits?.check(plain), AnyBytes?.check(plain)]).toEqual([true, length % 2 === 0])
      for (const at of edges.filter((one) => one < length)) {
        for (const character of ['g', '∀', '\ud800']) {
          const bad = plain.slice(0, at) + character + plain.slice(at + 1)
          expect(AnyDigits?.check(bad), `${length} ${at}`).toBe(false)
        }
      }
      expect(AnyDigits?.check('∀'.repeat(length))).toBe(false)
    }
    expect(Module).toHaveBeenCalledTimes(title === 'in pieces' ? 1 : 0)
  })

  test('where code may not be made from text', async () => {
    const { text } = inOneFile(emitValidators(apiOfSchemas(SCHEMAS)))
    const script = `${await bundle(text)}
const hash = '0x' + 'a'.repeat(64)
console.log([hash, hash + 'a', hash.slice(0, -1) + 'g'].map(AnyHash.check).join())`
    const output = execFileSync(
      process.execPath,
      ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', script],
      { encoding: 'utf8' },
    )
    expect(output.trim()).toBe('true,false,false')
  })
})

const NUMBER = `0x1${'0'.repeat(63)}`

test('a bundle has the kernel only where a text is long as a rule', async () => {
  const { text: written } = inOneFile(
    emitValidators(
      apiOfSchemas({
        Address: text('^0x[0-9a-fA-F]{40}$'),
        Uint256: text('^0x([1-9a-fA-F][0-9a-fA-F]{0,63}|0)$'),
        Slot: text('^0x[0-9a-fA-F]{0,64}$'),
      }),
    ),
  )
  expect(await bundle(written)).not.toContain('WebAssembly')
  const { text: long } = inOneFile(emitValidators(apiOfSchemas({ Data: text('^0x[0-9a-fA-F]*$') })))
  expect(await bundle(long)).toContain(`'${kernelText()}'`.replaceAll("'", '"'))
})
