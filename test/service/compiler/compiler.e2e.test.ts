import { createHash } from 'node:crypto'
import { pino } from 'pino'
import { encodeDeployData } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCompiler } from '../../../src/service/compiler/create-compiler.js'
import { counter, harmless } from './sources.js'

const log = pino({ level: 'silent' })
const compiler = createCompiler({ processes: 1, seconds: 20, megabytes: 700, log })
beforeAll(() => compiler.ready())
afterAll(() => compiler.close())

const incompressible = (bytes: number): string =>
  Array.from({ length: bytes / 20 }, (_, i) =>
    createHash('sha1').update(`${i}`).digest('hex'),
  ).join('')

const refusal = (source: string): Promise<unknown> =>
  compiler.compile(source).then(
    () => undefined,
    (error: Error) => `${error.name}: ${error.message}`,
  )

test('a source becomes an ABI and code to deploy', async () => {
  const compiled = await compiler.compile(counter)
  expect(compiled).toEqual({
    contract: 'Counter',
    abi: expect.arrayContaining([
      {
        type: 'constructor',
        stateMutability: 'nonpayable',
        inputs: [{ name: 'start', type: 'uint256', internalType: 'uint256' }],
      },
    ]),
    bytecode: expect.stringMatching(/^0x6080[0-9a-f]+$/),
  })
  expect(encodeDeployData({ abi: compiled.abi, bytecode: compiled.bytecode, args: [7n] })).toMatch(
    /07$/,
  )
})

describe('of several contracts, the last that can be deployed', () => {
  test.each([
    ['the last in the source, whatever its name', 'contract Z{} contract A{} contract M{}', 'M'],
    ['not an abstract one', 'contract A{} abstract contract B{}', 'A'],
    ['not an interface', 'contract A{} interface B{}', 'A'],
    ['not a library, where there is a contract', 'contract A{} library L{}', 'A'],
    ['a library, where there is none', 'interface I{} library L{}', 'L'],
    ['an heir', 'contract A{uint x;} contract B is A{}', 'B'],
    ['in a text of many bytes a character', '/* ‱é😀 */ contract A{} /* 😀 */ contract B{}', 'B'],
    [
      'with an internal library',
      'library L{function f() internal{}} contract A{function g() public{L.f();}}',
      'A',
    ],
  ])('%s', async (_, source, contract) => {
    expect(await compiler.compile(source)).toMatchObject({ contract })
  })
})

describe('what is wrong with a source is reported with its line', () => {
  test.each([
    [
      'syntax',
      '// one\n// two\ncontract A {\n  uint x }\n',
      `ParserError: Expected ';' but got '}' (line 4)`,
    ],
    [
      'several errors',
      'contract A {\n function f() public { y = 1;\n z = 2; } }',
      'DeclarationError: Undeclared identifier. (line 2)\nDeclarationError: Undeclared identifier. (line 3)',
    ],
    [
      'an import',
      'import "https://example.com/a.sol";\ncontract A {}',
      'ParserError: Source "https://example.com/a.sol" not found: File import callback not supported (line 1)',
    ],
    [
      'an import of a file that exists',
      'import "/etc/passwd";\ncontract A {}',
      'ParserError: Source "/etc/passwd" not found: File import callback not supported (line 1)',
    ],
    [
      'another compiler',
      '// é\npragma solidity ^0.7.0;\ncontract A {}',
      'ParserError: Source file requires different compiler version (current compiler is 0.8.37+commit.f401782d.Emscripten.clang) - note that nightly builds are considered to be strictly less than the released version (line 2)',
    ],
    [
      'nothing to deploy',
      'abstract contract A {} interface I {}',
      'the source has no contract to deploy',
    ],
    ['nothing at all', '', 'the source has no contract to deploy'],
    [
      'an external library',
      'library L { function f() external {} } contract A { function g() public { L.f(); } }',
      'A uses the external library L, and linking is not offered: make its functions internal',
    ],
  ])('%s', async (_, source, message) => {
    expect(await refusal(source)).toBe(`CompilationError: ${message}`)
  })

  test('many errors are cut', async () => {
    const source = `contract A { function f() public {${'y = 1;\n'.repeat(200)}} }`
    const text = String(await refusal(source))
    expect(text.split('\n')).toHaveLength(11)
    expect(text).toMatch(/\nand 190 more$/)
  })

  test('a long name is cut', async () => {
    expect(String(await refusal(`import "${'a'.repeat(10_000)}";`)).length).toBeLessThan(500)
  })

  test('a contract that no chain takes for its size', async () => {
    const big = `contract Big { bytes public constant data = hex"${incompressible(25_000)}"; }`
    expect(await refusal(`contract Small{} ${big}`)).toMatch(
      /^CompilationError: Big is too large: Contract (init)?code size is \d+ bytes and exceeds \d+ bytes/,
    )
    expect(await refusal(`${big} contract Small{}`)).toBe(undefined)
  })

  test('a source over a megabyte', async () => {
    expect(await refusal(`contract A{} //${'é'.repeat(2 ** 19)}`)).toBe(
      'CompilationError: the source is larger than 1048576 bytes',
    )
  })
})

test.each(Object.entries(harmless))('%s is answered', async (_, source) => {
  const answer = String(await refusal(source))
  expect(answer).toMatch(/^CompilationError: /)
  expect(answer).not.toMatch(/\/solidity|\.cpp|soljson|node_modules/)
})

describe('EVM versions', () => {
  test('an older one is compiled for', async () => {
    const london = createCompiler({
      processes: 1,
      seconds: 20,
      megabytes: 700,
      evmVersion: 'london',
      log,
    })
    // PUSH0 (0x5f) came with Shanghai.
    const [then, now] = await Promise.all([
      london.compile('contract A { function f() external pure returns (uint) { return 0; } }'),
      compiler.compile('contract A { function f() external pure returns (uint) { return 0; } }'),
    ])
    expect(then.bytecode).toMatch(/^0x6080604052348015600f57600080fd/)
    expect(now.bytecode).toMatch(/^0x6080604052348015600e575f5ffd/)
    await london.close()
  })

  test('one that the compiler does not know stops the start', async () => {
    const wrong = createCompiler({
      processes: 1,
      seconds: 20,
      megabytes: 700,
      evmVersion: 'nonsense',
      log,
    })
    await expect(wrong.ready()).rejects.toThrow(
      'solc 0.8.37 does not compile for the EVM version "nonsense": JSONError: Invalid EVM version requested.',
    )
    await expect(wrong.compile('contract A{}')).rejects.toMatchObject({ name: 'Error' })
    await wrong.close()
  })
})
