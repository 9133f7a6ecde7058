import { type Defect, defects } from './defect.js'
import { afterwards, type Fields, httpResult, instead, isRecord } from './planting.js'

const FOLLOWED = ['tryZkt, the variant message, followed']
const UNKNOWN = ['getZktTransaction, queueId, an unknown UUID']

const ID = /[0-9a-f-]{36}(?=$|\?)/i
const OTHER = '5eeded00-0000-4000-8000-00000000ffff'

/** Counts how often each record was looked at, as a server does. */
const counted = (change: (record: Fields, looks: number) => unknown) => {
  const looks = new Map<unknown, number>()
  return httpResult('status', (record) => {
    const count = (looks.get(record.queueId) ?? 0) + 1
    looks.set(record.queueId, count)
    return change(record, count)
  })
}

const pending = ({ queueId }: Fields) => ({ status: 'pending', queueId })

/** What is wrong from one request to the next. */
export const HTTP_STATE_DEFECTS = defects([
  {
    name: 'state-moved-back',
    around: counted((record, looks) => (looks === 3 ? pending(record) : record)),
    by: ['state-moved-back'],
    only: FOLLOWED,
  },
  {
    name: 'terminal-state-changes',
    around: counted((record, looks) => (looks === 4 ? pending(record) : record)),
    by: ['terminal-state-changes'],
    only: FOLLOWED,
  },
  {
    name: 'hash-of-a-completed-record-changes',
    around: counted((record, looks) =>
      looks === 5 ? { ...record, transactionHash: `0x${'ab'.repeat(32)}` } : record,
    ),
    by: ['terminal-state-changes'],
    also: ['linked-responses-differ'],
    only: FOLLOWED,
  },
  {
    name: 'record-is-of-another',
    around: counted((record, looks) => (looks > 1 ? { ...record, queueId: OTHER } : record)),
    by: ['polled-record-wrong'],
    only: FOLLOWED,
  },
  {
    name: 'record-vanishes',
    around: {
      ...afterwards('status', (reply) =>
        JSON.stringify(reply.body).includes('processing')
          ? { ...reply, status: 404, body: '{"error":"Transaction not found"}' }
          : undefined,
      ),
    },
    by: ['state-moved-back'],
    only: FOLLOWED,
  },
  {
    name: 'never-there-what-was-submitted',
    around: instead('status', () => notFound()),
    by: ['link-target-missing'],
    only: FOLLOWED,
  },
  {
    name: 'processed-before-it-was-created',
    around: counted((record) =>
      'processedAt' in record
        ? { ...record, createdAt: record.processedAt, processedAt: record.createdAt }
        : record,
    ),
    by: ['workflow-failed'],
    only: ['workflow follow'],
  },
  {
    name: 'lookup-leads-to-another-transaction',
    around: counted((record) =>
      'transactionHash' in record ? { ...record, transactionHash: `0x${'ab'.repeat(32)}` } : record,
    ),
    by: ['linked-responses-differ'],
    only: FOLLOWED,
  },
  {
    name: 'receipt-is-never-there',
    around: instead('rpc', ({ json }) =>
      isRecord(json) && json.method === 'eth_getTransactionReceipt'
        ? {
            status: 200,
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ jsonrpc: '2.0', id: json.id, result: null }),
          }
        : undefined,
    ),
    by: ['link-target-missing'],
    only: FOLLOWED,
  },
  {
    name: 'contract-has-no-code',
    around: instead('rpc', ({ json }) =>
      isRecord(json) && json.method === 'eth_getCode'
        ? {
            status: 200,
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ jsonrpc: '2.0', id: json.id, result: '0x' }),
          }
        : undefined,
    ),
    by: ['workflow-failed'],
    only: ['workflow deploy'],
  },
  {
    name: 'pending-record-may-be-stored',
    around: afterwards('status', (reply) => ({
      ...reply,
      headers: { ...reply.headers, 'cache-control': 'public, max-age=60' },
    })),
    by: ['unfinished-state-cacheable'],
    only: FOLLOWED,
  },
  {
    name: 'uuid-is-case-sensitive',
    around: instead('status', ({ request }) =>
      /[A-F]/.test(request.url.split('/').at(-1) ?? '') ? notFound() : undefined,
    ),
    by: ['record-id-case-sensitive'],
    only: FOLLOWED,
  },
  {
    name: 'id-is-not-echoed-to-its-caller',
    around: httpResult('submission', (body) => ('id' in body ? { ...body, id: 99 } : body)),
    by: ['workflow-failed'],
    only: ['workflow read'],
  },
  unknown(
    'unknown-identifier-is-answered-200',
    200,
    pending({ queueId: OTHER }),
    'unknown-identifier-found',
  ),
  unknown('unknown-identifier-fails-the-server', 500, { error: 'no' }, 'server-fails'),
  unknown('unknown-identifier-is-400', 400, { error: 'no' }, 'unknown-identifier-wrong-status'),
  {
    name: 'refusal-of-a-lookup-is-of-another-shape',
    around: afterwards('status', (reply) =>
      reply.status === 404 ? { ...reply, body: '{"message":"not found"}' } : undefined,
    ),
    by: ['body-invalid'],
    only: UNKNOWN,
  },
  {
    name: 'malformed-identifier-is-looked-up',
    around: instead('status', ({ request }) =>
      ID.test(request.url) ? undefined : json(200, pending({ queueId: OTHER })),
    ),
    by: ['malformed-identifier-accepted'],
    also: ['invalid-request-accepted'],
    only: ['getZktTransaction'],
  },
  {
    name: 'slash-behind-a-path-fails-the-server',
    around: instead('status', ({ request }) =>
      request.url.endsWith('/') ? json(500, { error: 'no' }) : undefined,
    ),
    by: ['malformed-request-server-error'],
    only: ['getZktTransaction, queueId, a slash behind it'],
  },
  {
    name: 'head-is-refused',
    around: instead('status', ({ request }) =>
      request.method === 'HEAD' ? { status: 405, headers: { allow: 'GET' } } : undefined,
    ),
    by: ['head-differs-from-get'],
    only: ['getZktTransaction, by HEAD'],
  },
  {
    name: 'any-condition-is-met',
    around: instead('status', ({ request }) =>
      'if-none-match' in (request.headers as object) ? { status: 304, headers: {} } : undefined,
    ),
    by: ['etag-precondition-wrong'],
    only: ['getZktTransaction, with a condition'],
  },
])

function unknown(name: string, status: number, body: unknown, rule: string): Defect {
  const around = afterwards('status', (reply) =>
    reply.status === 404 ? json(status, body) : undefined,
  )
  return { name, around, by: [rule], only: UNKNOWN }
}

function notFound() {
  return json(404, { error: 'Transaction not found' })
}

function json(status: number, body: unknown) {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
}
