import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { contractCalls } from '../../generated/contracts.js'
import { createHttpClient } from '../../generated/http.client.js'
import { packed } from '../pack/packed.js'
import { asCode, type LaidOut, layOut, programOf, run } from '../pack/snippets.js'
import { type Scene, startScene } from '../trials/client-scene.js'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

const SHELF = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Shelf {
  struct Book { address owner; string title; uint16 year; uint256 price; }
  Book private last;
  uint256 public count;
  function put(Book calldata book) external { last = book; count += 1; }
  function latest() external view returns (Book memory) { return last; }
  function both() external view returns (uint256, Book memory) { return (count, last); }
  function listed(uint16[] calldata given) external pure returns (uint16[] memory, bool) { return (given, given.length > 1); }
}
`

const BOOK = '(address owner, string title, uint16 year, uint256 price)'

test('a contract is written to and read with the types of its ABI', async () => {
  const client = createHttpClient({ server: scene.url, auth: { apiKey: scene.key } })
  const made = await client.submitZkt({ body: { code: SHELF } })
  if (!('contractAddress' in made)) throw new Error('nothing was deployed')
  const to = made.contractAddress
  const { submitZkt, tryZkt } = contractCalls(client)
  const owner = '0x11ceac5C13065Bbc7481a963EcF75575B5FBB9C3'
  const price = 2n ** 200n
  const book = { owner, title: 'The Harbour Almanac', year: 1987, price } as const

  const abi = [`function put(${BOOK} book)`] as const
  const written = await submitZkt({
    body: { abi, to, method: 'put', arguments: [book], wait: true },
  })
  expectTypeOf(written).not.toHaveProperty('nothing')
  expectTypeOf<Extract<typeof written, { output: unknown }>>().toBeNever()
  expect(written.hash).toMatch(/^0x/)

  const { output: count } = await tryZkt({
    body: { abi: ['function count() view returns (uint256)'], to, method: 'count', arguments: [] },
  })
  expectTypeOf(count).toEqualTypeOf<bigint>()
  expect(count).toBe(1n)

  const latest = await tryZkt({
    body: {
      abi: [
        'function latest() view returns (tuple(address owner, string title, uint16 year, uint256 price))',
      ],
      to,
      method: 'latest',
      arguments: [],
    },
  })
  expectTypeOf(latest.output).toEqualTypeOf<Book>()
  expect(latest.output).toEqual(book)

  const both = await tryZkt({
    body: {
      abi: [
        'function both() view returns (uint256 count, (address owner, string title, uint16 year, uint256 price) book)',
      ],
      to,
      method: 'both',
      arguments: [],
      id: 7,
    },
  })
  expectTypeOf(both.output).toEqualTypeOf<readonly [bigint, Book]>()
  expect(both).toMatchObject({ output: [1n, book], id: 7 })

  const years = await tryZkt({
    body: {
      abi: ['function listed(uint16[] given) pure returns (uint16[], bool)'],
      to,
      method: 'listed',
      arguments: [[1987, 1988n, '1989']],
    },
  })
  expectTypeOf(years.output).toEqualTypeOf<readonly [readonly number[], boolean]>()
  expect(years.output).toEqual([[1987, 1988, 1989], true])
})

type Book = { owner: `0x${string}`; title: string; year: number; price: bigint }

test('what does not fit the ABI neither compiles nor is sent', async () => {
  const sent: unknown[] = []
  const fetch = async (url: string) => {
    sent.push(url)
    return Response.json({ success: true, output: ['seven'] })
  }
  const { tryZkt } = contractCalls(createHttpClient({ server: scene.url, fetch }))
  const to = `0x${'00'.repeat(20)}` as const
  const abi = ['function sum(uint256 by) view returns (uint256)'] as const
  const refused = async (call: () => Promise<unknown>) =>
    call().then(String, (error: Error) => error.message)

  expect(
    await refused(() =>
      // @ts-expect-error there is no such function
      tryZkt({ body: { abi, to, method: 'som', arguments: [1n] } }),
    ),
  ).toBe('tryZkt: the ABI has no function som')
  expect(
    // @ts-expect-error an argument is missing
    await refused(() => tryZkt({ body: { abi, to, method: 'sum', arguments: [] } })),
  ).toBe('tryZkt: no sum of the ABI takes 0 arguments')
  // @ts-expect-error a number is no text
  const wrong = () => tryZkt({ body: { abi, to, method: 'sum', arguments: ['one'] } })
  expect(wrong).toBeTypeOf('function')
  // @ts-expect-error a call has no source
  const mixed = () => tryZkt({ body: { abi, to, method: 'sum', arguments: [1n], code: '' } })
  expect(mixed).toBeTypeOf('function')
  expect(
    await refused(() => tryZkt({ body: { abi, to, method: 'sum', arguments: [2 ** 60] } })),
  ).toContain('pass a bigint')
  expect(sent).toEqual([])
  expect(await refused(() => tryZkt({ body: { abi, to, method: 'sum', arguments: [1n] } }))).toBe(
    'tryZkt: output is not of the type uint256',
  )
})

describe("the README of a package runs against the service as it does against the documents' examples", () => {
  let app = ''
  let laidOut: LaidOut
  /** What the documents name as an example -> what there is of it at the service. */
  let real: readonly (readonly [RegExp, string])[] = []
  beforeAll(async () => {
    app = await mkdtemp(join(tmpdir(), 'twinspec-live-'))
    laidOut = await layOut(app, '@acme/zkt', (await packed()).folder)
    const client = createHttpClient({ server: scene.url, auth: { apiKey: scene.key } })
    const { queueId } = await client.tryZkt({ body: { arguments: 'hello' } })
    if (!queueId) throw new Error('nothing was submitted')
    real = [[/(?<= queueId: ')[^']+(?=')/g, queueId]]
  })
  afterAll(() => rm(app, { recursive: true, force: true }))

  test.each([
    ['A first call', /^0x[0-9a-f]+\n$/],
    ['A first call, 2', /status: '\w+'/],
  ])('%s', async (title, want) => {
    const snippet = laidOut.snippets.find((one) => one.title === title)
    if (!snippet) throw new Error(`there is no ${title}`)
    const text = real.reduce((code, [example, value]) => code.replace(example, value), snippet.text)
    await writeFile(programOf(snippet.file), asCode(text))
    expect(await run(snippet.file, { HTTP_SERVER: scene.url, RPC_SERVER: scene.readOnly })).toMatch(
      want,
    )
  })
})
