import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { createClient } from '../../generated/client.js'
import { compileErrors, STRICT } from '../compile.js'

const HEAD = `import { createClient } from '../../generated/client.js'
import { contractCalls } from '../../generated/contracts.js'
import { isHttpError } from '../../generated/http.client.js'
import type { Handlers } from '../../generated/server.js'
const client = createClient({ server: 'testnet', auth: { apiKey: 'k' } })
export const { rpc, http } = client
export const calls = contractCalls(http)
export declare const error: unknown
export const to = '0x0ca4eedd26f62e932b3e8ff91e48cc0d063546e1'
export type { Handlers }
export { createClient, isHttpError }
`
const ABI = `abi: ['function add(uint256 a) view returns (uint256)']`

/** The number of the program in the table of wrong programs, the program, and what the compiler says first. */
const PROGRAMS: readonly (readonly [number, string, RegExp])[] = [
  [1, `rpc.ethGetBlockByNumber('newest', false)`, /'"newest"' is not .* 'BlockNumberOrTag'/],
  [2, 'rpc.ethGetBalance()', /Expected 1-2 arguments, but got 0/],
  [3, 'rpc.ethGetBalanse', /Did you mean 'ethGetBalance'/],
  [
    4,
    'http.submitZkt({})',
    /^[^\n]*\n[^\n]*Property 'body' is missing[^\n]*Sendable<ZktV1Message>/,
  ],
  [
    5,
    `http.submitZkt({ body: { arguments: 'hi', code: 'contract C {}' } })`,
    /code: string; }' .* 'Sendable<ZktV1Message> \| Sendable<ZktV2Call> \| Sendable<ZktV2Deploy>'/,
  ],
  [6, `http.getZktTransaction({ path: { queueID: '5' } })`, /Did you mean to write 'queueId'/],
  [7, `(() => 5) satisfies Handlers['ethGetBalance']`, /'number' is not assignable .*`0x/],
  [8, `({ ethChainId: () => '0x1' }) satisfies Handlers`, /tryZkt, submitZkt, .* and 78 more/],
  [
    9,
    `(() => ({ status: 418, body: { error: '' } })) satisfies Handlers['getZktTransaction']`,
    /'418' is not assignable to type '(?=[^']*\b200)(?=[^']*\b404)(?=[^']*\b503)/,
  ],
  [
    10,
    `calls.submitZkt({ body: { ${ABI}, to, method: 'sub', arguments: [1n] } })`,
    /'"sub"' is not assignable to type '"add"'/,
  ],
  [
    11,
    `calls.submitZkt({ body: { ${ABI}, to, method: 'add', arguments: [true] } })`,
    /'true' is not assignable to type 'number \| bigint \| `\$\{bigint\}`'/,
  ],
  [13, `createClient({ auth: { apikey: 'x' } })`, /Did you mean to write 'apiKey'/],
  [14, `isHttpError(error, 'submitZkt', 418)`, /'418' .* '(?=[^']*\b200)(?=[^']*\b401)/],
  [
    15,
    `http.submitZkt({ body: { arguments: 'hi' } }).then((answer) => answer.output.length)`,
    /'answer\.output' is possibly 'undefined'/,
  ],
  [16, `rpc.request({ method: 'eth_getBalance', params: [5] })`, /'number' is not assignable/],
  [
    17,
    `(() => ({ status: 200, body: {} })) satisfies Handlers['submitZkt']`,
    /readonly message: VariantHandler<.*; readonly call: .*; readonly deploy: /,
  ],
  [
    18,
    `calls.submitZkt({ body: { abi: ['function add(uint257 a)'], to, method: 'add', arguments: [1n] } })`,
    /'bigint' is not assignable to type '"the ABI has a type here that Solidity does not have"'/,
  ],
]

it('the compiler says what is wrong with a program', () => {
  const folder = fileURLToPath(new URL('.', import.meta.url))
  const texts = new Map(
    PROGRAMS.map(([number, text]) => [
      `${folder}${number}.wrong.ts`,
      `${IMPORT}export const wrong = () => ${text}\n`,
    ]),
  )
  texts.set(`${folder}head.wrong.ts`, HEAD)
  const errors = compileErrors({ files: [...texts.keys()], texts, options: STRICT })
  const said = PROGRAMS.map(([number]) => {
    const start = `${folder}${number}.wrong.ts: `
    return errors.filter((one) => one.startsWith(start)).map((one) => one.slice(start.length))
  })
  for (const [index, [number, , expected]] of PROGRAMS.entries()) {
    expect(said[index], `program ${number}`).toHaveLength(1)
    expect(said[index]?.[0], `program ${number}`).toMatch(expected)
  }
  expect(errors).toHaveLength(PROGRAMS.length)
})

const IMPORT = `import { calls, createClient, error, type Handlers, http, isHttpError, rpc, to } from './head.wrong.js'\n`

it('U3, program 12: a server that no document names is an error when the client is created, which names them', () => {
  expect(() => createClient({ server: 'tesnet' })).toThrow(/testnet.*mainnet/)
})

it('text in hexadecimal is of the type that viem has', () => {
  const folder = fileURLToPath(new URL('.', import.meta.url))
  const file = `${folder}viem.wrong.ts`
  const text = `import type { Address } from 'viem'
import type { Address as Ours } from '../../generated/rpc.types.js'
export const there = (ours: Ours): Address => ours
export const back = (theirs: Address): Ours => theirs\n`
  expect(compileErrors({ files: [file], texts: new Map([[file, text]]), options: STRICT })).toEqual(
    [],
  )
})
