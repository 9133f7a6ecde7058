import { HttpError } from 'twinspec/runtime/errors'
import type { Handlers } from '../../../generated/server.js'
import type { Outbox, StatusRecord } from '../outbox/outbox.js'
import { RETRY_SECONDS } from '../retry-seconds.js'
import { StoreUnavailable } from '../store/store.js'

/** Looks a submission up in the queue (SERVICE 4.3); which fields are there depends on its state (2.6). */
export const createStatusLookup =
  (outbox: Outbox): Handlers['getZktTransaction'] =>
  async ({ path }, { operation }) => {
    const refuse = (
      status: number,
      message: string,
      headers?: Headers,
      cause?: unknown,
    ): HttpError => {
      const details = { operation: operation.id, status, message, body: { error: message } }
      return new HttpError(headers ? { ...details, headers } : details, { cause })
    }
    let record: StatusRecord | undefined
    try {
      record = await outbox.find(path.queueId.toLowerCase())
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      const headers = new Headers({ 'retry-after': String(RETRY_SECONDS) })
      throw refuse(503, 'the queue does not answer, try again later', headers, error)
    }
    if (record === undefined) throw refuse(404, 'Transaction not found')
    return { status: 200, headers: { 'cache-control': 'no-store' }, body: bodyOf(record) }
  }

type StatusBody = Extract<
  Awaited<ReturnType<Handlers['getZktTransaction']>>,
  { readonly status: 200 }
>['body']

const bodyOf = (record: StatusRecord): StatusBody => {
  const { queueId, status, hash } = record
  const createdAt = record.createdAt.toISOString()
  switch (status) {
    case 'pending':
    case 'processing':
      return { status, queueId }
    case 'completed': {
      const processedAt = (record.processedAt ?? record.createdAt).toISOString()
      return { status, queueId, transactionHash: hash, errorMessage: null, createdAt, processedAt }
    }
    case 'error': {
      const errorMessage = record.errorMessage ?? 'the transaction failed'
      return { status, queueId, errorMessage, createdAt }
    }
  }
}
