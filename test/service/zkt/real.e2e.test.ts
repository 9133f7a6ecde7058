import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCompiler } from '../../../src/service/compiler/create-compiler.js'
import { type ChainNode, createNode } from '../../../src/service/node/node.js'
import { createOutbox } from '../../../src/service/outbox/create-outbox.js'
import type { Outbox } from '../../../src/service/outbox/outbox.js'
import { openStore } from '../../../src/service/store/open-store.js'
import { createWallets } from '../../../src/service/wallet/wallets.js'
import { type Anvil, startAnvil } from '../anvil.js'
import { type Answer, type Served, serve } from './fixture.js'

const log = pino({ level: 'silent' })
const wallets = createWallets('test test test test test test test test test test test junk')

let anvil: Anvil
let node: ChainNode
let outbox: Outbox
let service: Served
const closers: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  anvil = await startAnvil()
  closers.push(anvil.stop)
  node = createNode({
    url: anvil.url,
    chainId: 20180427,
    timeout: 10_000,
    mostEstimated: 100_000_000,
  })
  const { chain } = node
  const store = await openStore({ log })
  closers.push(store.close)
  outbox = createOutbox({ store, wallets, chain, log })
  closers.push(outbox.stop)
  const compiler = createCompiler({ processes: 1, seconds: 20, megabytes: 700, log })
  closers.push(compiler.close)
  service = serve({ outbox, chain, compiler, wallets, waitMilliseconds: 20_000 })
})

afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

const code = `
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Shelf {
  struct Size { uint16 width; int8 depth; }
  struct Book { address owner; string title; uint256 year; Size size; bytes4[] tags; }
  event Shelved(bytes32 indexed isbn);
  error Occupied(bytes32 isbn, string by);
  mapping(bytes32 => Book) private books;
  int256 public low;
  uint256 public high;
  bytes public raw;
  string public picked;
  Size[] private sizes;

  constructor(string memory first, Size memory size, uint256[2] memory numbers) {
    picked = first;
    sizes.push(size);
    high = numbers[1];
  }

  function shelve(bytes32 isbn, Book calldata book) external {
    if (books[isbn].owner != address(0)) revert Occupied(isbn, books[isbn].title);
    books[isbn] = book;
    emit Shelved(isbn);
  }
  function book(bytes32 isbn) external view returns (Book memory) { return books[isbn]; }
  function bookAndMore(bytes32 isbn) external view returns (Book memory found, bool known, address reader) {
    return (books[isbn], books[isbn].owner != address(0), msg.sender);
  }
  function set(int256 value) external { low = value; }
  function set(uint256 value, bool) external { high = value; }
  function set(bytes calldata value) external { raw = value; }
  function setSizes(Size[] calldata given) external { delete sizes; for (uint256 at; at < given.length; at++) sizes.push(given[at]); }
  function allSizes() external view returns (Size[] memory) { return sizes; }
  function matrix(uint8[2][] calldata given) external pure returns (uint8[2][] memory, uint256) { return (given, given.length); }
  function turned(function(uint256) external f) external pure returns (function(uint256) external) { return f; }
  function divide(uint256 by) external { high = 1 / by; }
  function tear() external { high = 0; revert("a shelf does not tear"); }
  function spin() external { unchecked { while (true) high++; } }
  function spun() external view returns (uint256) { unchecked { while (true) if (high == 1 && low == 2) return 1; } return 0; }
  function broken() external { high = 1; assembly { invalid() } }
  function many(uint256 size) external pure returns (bytes memory) { return new bytes(size); }
}`

const abi = [
  'struct Size { uint16 width; int8 depth; }',
  'struct Book { address owner; string title; uint256 year; Size size; bytes4[] tags; }',
  'event Shelved(bytes32 indexed isbn)',
  'error Occupied(bytes32 isbn, string by)',
  'function shelve(bytes32 isbn, Book book)',
  'function book(bytes32 isbn) view returns (Book)',
  'function bookAndMore(bytes32 isbn) view returns (Book found, bool known, address reader)',
  'function low() view returns (int256)',
  'function high() view returns (uint256)',
  'function raw() view returns (bytes)',
  'function picked() view returns (string)',
  'function set(int256 value)',
  'function set(uint256 value, bool)',
  'function set(bytes value)',
  'function setSizes(Size[] given)',
  'function allSizes() view returns (Size[])',
  'function matrix(uint8[2][] given) pure returns (uint8[2][], uint256)',
  'function turned(function f) pure returns (function)',
  'function divide(uint256 by)',
  'function tear()',
  'function spin()',
  'function spun() view returns (uint256)',
  'function broken()',
  'function many(uint256 size) pure returns (bytes)',
]

const isbn = `0x${'5a'.repeat(32)}`
const owner = '0xFac55168086cfE3284b5874Ae2738a68eE6710D2'
const max = String(2n ** 256n - 1n)
const min = String(-(2n ** 255n))

describe('a contract', () => {
  let deployed: Answer
  const call = (method: string, given: readonly unknown[] = [], more: object = {}) =>
    service.post({ abi, to: deployed.body.contractAddress, method, arguments: given, ...more })
  const output = async (method: string, given: readonly unknown[] = []) =>
    (await call(method, given)).body.output
  const written = async (method: string, given: readonly unknown[]) => {
    const { body } = await call(method, given, { wait: true })
    expect(body).toMatchObject({
      success: true,
      receipt: { status: '0x1', transactionHash: body.hash },
    })
    return body
  }

  beforeAll(async () => {
    deployed = await service.post({
      code,
      arguments: ['first', { width: 1, depth: '-1' }, [0, max]],
      id: 8,
    })
  })

  test('is deployed with its constructor arguments', async () => {
    expect(deployed).toMatchObject({
      status: 200,
      body: {
        success: true,
        contractAddress: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
        hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        id: 8,
      },
    })
    const { contractAddress, abi: entries, hash, queueId } = deployed.body
    expect(await node.chain.code(contractAddress)).not.toBe('0x')
    const receipt = await node.chain.receipt(hash)
    expect(receipt?.contractAddress?.toLowerCase()).toBe(contractAddress.toLowerCase())
    expect(entries).toContainEqual({
      type: 'function',
      name: 'low',
      inputs: [],
      outputs: [{ name: '', type: 'int256', internalType: 'int256' }],
      stateMutability: 'view',
    })
    expect((await service.look(queueId)).body).toMatchObject({
      status: 'completed',
      transactionHash: hash,
    })
    expect(await output('picked')).toEqual(['first'])
    expect(await output('high')).toEqual([max])
    expect(await output('allSizes')).toEqual([[['1', '-1']]])
  })

  test('is written and read back: numbers at the ends of their ranges, by overloads', async () => {
    await written('set', [min])
    await written('set', [max, true])
    await written('set(bytes)', ['0x00ff'])
    expect(await output('low')).toEqual([min])
    expect(await output('high')).toEqual([max])
    expect(await output('raw')).toEqual(['0x00ff'])
  })

  test('is written and read back: structs, tuples and arrays', async () => {
    const book = {
      owner,
      title: 'Füße 🚢',
      year: '1987',
      size: [65535, -128],
      tags: ['0x01020304', '0xdeadbeef'],
    }
    const { receipt } = await written('shelve', [isbn, book])
    expect(receipt.logs).toHaveLength(1)
    const out = [owner, 'Füße 🚢', '1987', ['65535', '-128'], ['0x01020304', '0xdeadbeef']]
    expect(await output('book', [isbn])).toEqual(out)
    expect(await output('bookAndMore', [isbn])).toEqual([out, true, wallets.wallet(0).address])
    await written('setSizes', [[{ depth: 1, width: 2 }, ['3', '4']]])
    expect(await output('allSizes')).toEqual([
      [
        ['2', '1'],
        ['3', '4'],
      ],
    ])
    expect(
      await output('matrix', [
        [
          [1, 2],
          [3, 4],
        ],
      ]),
    ).toEqual([
      [
        ['1', '2'],
        ['3', '4'],
      ],
      '2',
    ])
    expect(await output('turned', [`0x${'12'.repeat(24)}`])).toEqual([`0x${'12'.repeat(24)}`])
    const size = 1_000_000
    expect(await output('many', [size])).toEqual([`0x${'00'.repeat(size)}`])
  })

  const doomed: readonly (readonly [method: string, given: readonly unknown[], details: string])[] =
    [
      ['tear', [], 'a shelf does not tear'],
      ['divide', [0], 'panic: division or modulo by zero (0x12)'],
      ['shelve', [isbn, [owner, '', 0, [0, 0], []]], `Occupied(${isbn}, "Füße 🚢")`],
      ['spin', [], 'ran out of gas: it takes more than 100000000 units'],
      ['spun', [], 'ran out of gas: it takes more than 50000000 units'],
      ['broken', [], 'invalid opcode'],
    ]

  test.each(doomed)('refuses %s before anything is signed', async (method, given, details) => {
    const before = await outbox.depth()
    const { status, body } = await call(method, given, { id: 'x', wait: true })
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        success: false,
        error: 'the contract reverted the call',
        errorCode: 'EXECUTION_REVERTED',
        details,
        id: 'x',
      },
    })
    const { oldestSeconds: _, ...counts } = before
    expect(await outbox.depth()).toMatchObject(counts)
  })

  test('takes many writes at once, each under its own name', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => call('set', [at], { id: at })),
    )
    expect(answers.map(({ body }) => body.id)).toEqual(answers.map((_, at) => at))
    expect(new Set(answers.map(({ body }) => body.hash)).size).toBe(20)
    await Promise.all(answers.map(({ body }) => outbox.settled(body.queueId, { timeout: 120_000 })))
    // Writes that are sent at once may be signed in any order; the chain holds what the highest nonce wrote.
    const nonces = await Promise.all(
      answers.map(async ({ body }) =>
        Number((await node.rpc.ethGetTransactionByHash(body.hash))?.nonce),
      ),
    )
    expect(new Set(nonces).size).toBe(20)
    expect(await output('low')).toEqual([`${nonces.indexOf(Math.max(...nonces))}`])
  })
})

test('a message of a megabyte is mined, byte by byte', async () => {
  const text = 'ü'.repeat(524_000)
  const { body } = await service.post({ arguments: text })
  expect(await outbox.settled(body.queueId, { timeout: 120_000 })).toMatchObject({
    status: 'completed',
  })
  const transaction = await node.rpc.ethGetTransactionByHash(body.hash)
  expect(transaction?.input).toBe(`0x${Buffer.from(text).toString('hex')}`)
  expect(transaction?.to).toBe(wallets.wallet(0).address.toLowerCase())
})

test('where no contract lives, nothing is read or written', async () => {
  for (const mutability of ['', ' view'])
    expect(
      await service.post({
        abi: [`function read()${mutability} returns (string)`],
        to: '0x00000000000000000000000000000000decade01',
        method: 'read',
        arguments: [],
      }),
    ).toMatchObject({ status: 400, body: { success: false, errorCode: 'NO_CODE_AT_ADDRESS' } })
})

test('a deployment that reverts is refused with its reason', async () => {
  const picky = 'contract P { constructor(uint256 a) { require(a != 13, "an unlucky number"); } }'
  const answer = await service.post({ code: picky, arguments: [13] })
  expect(answer).toMatchObject({
    status: 400,
    body: { errorCode: 'EXECUTION_REVERTED', details: 'an unlucky number' },
  })
})

test('sources that do not compile, or deploy too much, are refused', async () => {
  const bad = await service.post({ code: 'contract Unfinished { function', id: 1 })
  expect(bad).toMatchObject({
    status: 400,
    body: {
      success: false,
      errorCode: 'COMPILATION_FAILED',
      details: expect.stringMatching(/\S/),
      id: 1,
    },
  })
  const large = await service.post({
    code: 'contract Large { constructor() { assembly { return(0, 30000) } } }',
  })
  expect(large).toMatchObject({
    status: 400,
    body: { errorCode: 'EXECUTION_REVERTED', details: 'create contract size limit' },
  })
})

test('while the node is away, nothing is taken', async () => {
  const gone = createNode({ url: 'http://127.0.0.1:9', chainId: 20180427, timeout: 2_000 })
  const { post } = serve({ outbox, chain: gone.chain, wallets })
  const body = { abi: ['function a()'], to: owner, method: 'a', arguments: [] }
  expect(await post(body)).toMatchObject({ status: 503, body: { errorCode: 'UNAVAILABLE' } })
})
