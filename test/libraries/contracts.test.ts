import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest'
import { contractCalls } from '../../generated/contracts.js'
import { createHttpClient } from '../../generated/http.client.js'
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
  const fetch = async (request: Request) => {
    sent.push(request)
    return Response.json({ success: true, output: ['seven'] })
  }
  const { tryZkt } = contractCalls(createHttpClient({ server: scene.url, fetch }))
  const to = `0x${'00'.repeat(20)}`
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
  ).toContain('give a bigint')
  expect(sent).toEqual([])
  expect(await refused(() => tryZkt({ body: { abi, to, method: 'sum', arguments: [1n] } }))).toBe(
    'tryZkt: output is no uint256',
  )
})
