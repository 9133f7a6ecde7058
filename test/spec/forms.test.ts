import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { checker, http } from './documents.js'

const REQUESTS = ['ZktV1Message', 'ZktV2Call', 'ZktV2Deploy']
const ANSWERS = [
  'ZktWriteAnswer',
  'ZktReadAnswer',
  'ZktDeployAnswer',
  'ZktWarningAnswer',
  'ZktError',
]
const STATES = ['StatusPending', 'StatusProcessing', 'StatusCompleted', 'StatusError']

type Body = { readonly [key: string]: unknown }
const fitting = (names: readonly string[], value: unknown) =>
  names.filter((name) => checker.named(name).check(value))

const address = '0x0ca4eedd26f62e932b3e8ff91e48cc0d063546e1'
const hash = '0x423f8aae95b22a2a10e18dc591cd96508c0c5bbcc786d0766c072e3f50fc0409'
const queueId = '5d0c7a1e-94b6-4f38-8a27-6be1f0c3d942'
const call = { abi: ['function add(uint256 a)'], to: address, method: 'add', arguments: [] }

describe('a request has one form', () => {
  it.each<readonly [title: string, body: unknown, form: readonly string[]]>([
    ['a text', { arguments: 'hi' }, ['ZktV1Message']],
    ['an empty text', { arguments: '' }, ['ZktV1Message']],
    ['a call', call, ['ZktV2Call']],
    ['a call with id and wait', { ...call, id: 'a', wait: true }, ['ZktV2Call']],
    [
      'a call of an event and a function',
      { ...call, abi: ['event E()', 'function f()'] },
      ['ZktV2Call'],
    ],
    ['source', { code: 'contract C {}' }, ['ZktV2Deploy']],
    [
      'source with arguments',
      { code: 'contract C {}', arguments: ['1', 2], id: 1 },
      ['ZktV2Deploy'],
    ],
    ['nothing', {}, []],
    ['a list', [], []],
    ['a text alone', 'hi', []],
    ['null', null, []],
    ['a list of texts as message', { arguments: ['hi'] }, []],
    ['a message with an id (assumption 24)', { arguments: 'hi', id: 1 }, []],
    ['a message that waits', { arguments: 'hi', wait: true }, []],
    ['a deployment that waits', { code: 'contract C {}', wait: true }, []],
    ['a call without arguments', { abi: call.abi, to: address, method: 'add' }, []],
    ['a call without a target', { abi: call.abi, method: 'add', arguments: [] }, []],
    ['a call without an ABI', { to: address, method: 'add', arguments: [] }, []],
    ['a call without a method', { abi: call.abi, to: address, arguments: [] }, []],
    ['a call whose arguments are a text', { ...call, arguments: 'hi' }, []],
    ['a call to half an address', { ...call, to: address.slice(0, 22) }, []],
    ['a call with an ABI of objects', { ...call, abi: [{ type: 'function' }] }, []],
    ['a call with an empty ABI', { ...call, abi: [] }, []],
    ['an id of another type', { ...call, id: true }, []],
    ['wait as text', { ...call, wait: 'true' }, []],
    ['a field that no form knows', { arguments: 'hi', gas: 1 }, []],
    ['code of another type', { code: 5 }, []],
  ])('%s', (_, body, form) => {
    expect(fitting(REQUESTS, body)).toEqual(form)
    expect(checker.named('ZktSubmission').check(body)).toBe(form.length === 1)
  })

  const examples = http('submitZkt').body?.content[0]?.examples ?? []
  const mixtures = examples.flatMap((one) =>
    examples.map((other) => ({
      name: `${one.name} and ${other.name}`,
      parts: [one.value, other.value],
      body: { ...(one.value as Body), ...(other.value as Body) },
    })),
  )

  it('refuses every mixture of two forms', () => {
    const mixed = mixtures.filter(({ parts, body }) => {
      const [one, other] = parts.map((part) => fitting(REQUESTS, part)[0])
      return one !== other && !parts.some((part) => isDeepStrictEqual(part, body))
    })
    expect(mixed.length).toBeGreaterThan(20)
    expect(mixed.filter(({ body }) => fitting(REQUESTS, body).length > 0)).toEqual([])
  })

  it('never has two, whatever is mixed or left out', () => {
    const bodies = mixtures.flatMap(({ body }) => [body, ...withoutEach(body)])
    expect(bodies.filter((body) => fitting(REQUESTS, body).length > 1)).toEqual([])
  })
})

describe('an answer under 200 has one schema', () => {
  it.each<readonly [title: string, body: unknown, schema: readonly string[]]>([
    ['a hash', { success: true, hash }, ['ZktWriteAnswer']],
    ['a hash under its other name', { success: true, transactionHash: hash }, ['ZktWriteAnswer']],
    ['a queueId', { success: true, queueId }, ['ZktWriteAnswer']],
    ['a queueId and no hash yet', { success: true, hash: null, queueId }, ['ZktWriteAnswer']],
    ['a read', { success: true, output: ['1'], id: 2 }, ['ZktReadAnswer']],
    ['a bare read', { success: true, output: '1' }, ['ZktReadAnswer']],
    [
      'a deployment',
      { success: true, contractAddress: address, abi: [], hash },
      ['ZktDeployAnswer'],
    ],
    ['a warning', { success: true, error: 'slow', hash }, ['ZktWarningAnswer']],
    ['a refusal', { success: false, error: 'no' }, ['ZktError']],
    [
      'a refusal with more',
      { success: false, error: 'no', errorCode: 7, details: [1] },
      ['ZktError'],
    ],
    ['success alone', { success: true }, []],
    ['nothing known', { success: true, hash: null, transactionHash: null }, []],
    ['no success (published example 06)', { queueId }, []],
    ['a refusal without a text', { success: false }, []],
    ['success as text', { success: 'true', hash }, []],
    ['a read with a hash', { success: true, output: [], hash }, []],
    ['a deployment without a hash', { success: true, contractAddress: address, abi: [] }, []],
    [
      'a deployment with half an address',
      { success: true, contractAddress: '0x0c', abi: [], hash },
      [],
    ],
    ['half a hash', { success: true, hash: hash.slice(0, 34) }, []],
    ['a queueId that is no UUID', { success: true, queueId: '7' }, []],
  ])('%s', (_, body, schema) => {
    expect(fitting(ANSWERS, body)).toEqual(schema)
    expect(checker.named('ZktAnswer').check(body)).toBe(schema.length === 1)
  })

  it('never has two, whatever is mixed or left out', () => {
    const examples = http('submitZkt').responses[0]?.content[0]?.examples ?? []
    const bodies = examples
      .flatMap(({ value }) =>
        examples.map((other) => ({ ...(value as Body), ...(other.value as Body) })),
      )
      .flatMap((body) => [body, ...withoutEach(body)])
    expect(bodies.length).toBeGreaterThan(500)
    expect(bodies.filter((body) => fitting(ANSWERS, body).length > 1)).toEqual([])
  })
})

describe('a status record has one state', () => {
  const createdAt = '2026-03-02T09:15:04.118Z'
  const done = {
    status: 'completed',
    queueId,
    transactionHash: hash,
    createdAt,
    processedAt: createdAt,
  }

  it.each<readonly [title: string, body: unknown, schema: readonly string[]]>([
    ['pending', { status: 'pending', queueId }, ['StatusPending']],
    ['processing', { status: 'processing', queueId, errorMessage: null }, ['StatusProcessing']],
    ['completed', { ...done, errorMessage: null }, ['StatusCompleted']],
    ['error', { status: 'error', queueId, errorMessage: 'no', createdAt }, ['StatusError']],
    ['a state of another name', { status: 'done', queueId }, []],
    ['no queueId', { status: 'pending' }, []],
    ['completed without a hash', { ...done, transactionHash: undefined }, []],
    ['completed with an error', { ...done, errorMessage: 'no' }, []],
    ['pending with a hash', { status: 'pending', queueId, transactionHash: hash }, []],
    ['processing and processed', { status: 'processing', queueId, processedAt: createdAt }, []],
    ['error without a text', { status: 'error', queueId, errorMessage: null, createdAt }, []],
    [
      'error with a hash',
      { status: 'error', queueId, errorMessage: 'no', createdAt, transactionHash: hash },
      [],
    ],
    ['a day for a moment', { ...done, createdAt: '2026-03-02' }, []],
  ])('%s', (_, body, schema) => {
    expect(fitting(STATES, body)).toEqual(schema)
    expect(checker.named('TransactionStatus').check(body)).toBe(schema.length === 1)
  })

  it('is followed in the order of the table until it is final', () => {
    expect(http('getZktTransaction').poll).toEqual({
      field: 'status',
      order: ['pending', 'processing', 'completed', 'error'],
      terminal: ['completed', 'error'],
    })
  })
})

/** The body without each of its members in turn. */
function withoutEach(body: Body): readonly Body[] {
  return Object.keys(body).map((key) => ({ ...body, [key]: undefined }))
}
