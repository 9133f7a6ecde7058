import { expect, test, vi } from 'vitest'
import type { StatusRecord } from '../../../src/service/outbox/outbox.js'
import { StoreUnavailable } from '../../../src/service/store/store.js'
import { outboxOf, serve } from './fixture.js'

const queueId = '5d0c7a1e-94b6-4f38-8a27-6be1f0c3d942'
const hash = `0x${'9f'.repeat(32)}` as const
const createdAt = new Date('2026-03-02T09:15:04.118Z')
const processedAt = new Date('2026-03-02T09:15:06.902Z')
const record: StatusRecord = {
  queueId,
  hash,
  createdAt,
  status: 'pending',
  processedAt: undefined,
  errorMessage: undefined,
}

const states: readonly (readonly [Partial<StatusRecord>, object])[] = [
  [{ status: 'pending' }, { status: 'pending', queueId }],
  [{ status: 'processing' }, { status: 'processing', queueId }],
  [
    { status: 'completed', processedAt },
    {
      status: 'completed',
      queueId,
      transactionHash: hash,
      errorMessage: null,
      createdAt: '2026-03-02T09:15:04.118Z',
      processedAt: '2026-03-02T09:15:06.902Z',
    },
  ],
  [
    { status: 'error', processedAt, errorMessage: 'the contract reverted the transaction' },
    {
      status: 'error',
      queueId,
      errorMessage: 'the contract reverted the transaction',
      createdAt: '2026-03-02T09:15:04.118Z',
    },
  ],
]

test.each(states)('%o', async (some, body) => {
  const { look } = serve({ outbox: outboxOf({ find: async () => ({ ...record, ...some }) }) })
  const answer = await look(queueId)
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual(body)
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

test('a queueId is found in either letter case', async () => {
  const find = vi.fn(async () => record)
  const { look } = serve({ outbox: outboxOf({ find }) })
  expect((await look(queueId.toUpperCase())).body).toEqual({ status: 'pending', queueId })
  expect(find).toHaveBeenCalledWith(queueId)
})

test('an unknown one is not found', async () => {
  const answer = await serve().look('00000000-0000-4000-8000-000000000000')
  expect(answer).toMatchObject({ status: 404, body: { error: 'Transaction not found' } })
})

test('while the queue is down, the lookup may be repeated', async () => {
  const find = () => Promise.reject(new StoreUnavailable('connect to db.internal failed'))
  const answer = await serve({ outbox: outboxOf({ find }) }).look(queueId)
  expect(answer).toMatchObject({
    status: 503,
    body: { error: 'the queue does not answer, try again later' },
  })
  expect(answer.headers.get('retry-after')).toBe('5')
})
