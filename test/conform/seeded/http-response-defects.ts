import type { Defect } from './defect.js'
import { defects } from './defect.js'
import { afterwards, bodyText, type Fields, httpResult, jsonReply, refusals } from './planting.js'

const FOLLOWED = ['tryZkt, the variant message, followed']
const SHOWN = 'tryZkt, example message'
const LOOKED = [...FOLLOWED]

/** What is wrong with an answer of a submission or of the lookup. */
export const HTTP_ANSWER_DEFECTS = defects([
  submission('member-is-missing', ({ success: _, ...body }) => body),
  submission('member-is-of-another-type', (body) => ({ ...body, success: 'true' })),
  submission('hash-is-too-short', (body) =>
    typeof body.hash === 'string' ? { ...body, hash: body.hash.slice(0, -1) } : body,
  ),
  submission('hash-in-capitals', (body) =>
    typeof body.hash === 'string' ? { ...body, hash: body.hash.replace('0x', '0X') } : body,
  ),
  submission('hash-is-null-and-nothing-beside-it', ({ queueId: _, ...body }) =>
    'hash' in body ? { ...body, hash: null } : body,
  ),
  submission('queue-id-is-no-uuid', (body) =>
    'queueId' in body ? { ...body, queueId: '17' } : body,
  ),
  {
    ...submission('undeclared-property-in-an-answer', (body) => ({ ...body, node: 'seven' })),
    by: ['response-property-undeclared'],
  },
  {
    ...submission('hashes-disagree', (body) =>
      'hash' in body ? { ...body, transactionHash: `0x${'ab'.repeat(32)}` } : body,
    ),
    by: ['aliased-properties-differ'],
  },
  {
    name: 'read-is-answered-as-a-write',
    around: httpResult('submission', (body) =>
      'output' in body ? { success: true, hash: `0x${'cd'.repeat(32)}` } : body,
    ),
    by: ['workflow-failed'],
    only: ['workflow read'],
  },
  {
    name: 'message-is-answered-as-a-read',
    around: httpResult('submission', (body, { json }) =>
      typeof (json as Fields | undefined)?.arguments === 'string'
        ? { success: true, output: ['1'] }
        : body,
    ),
    by: ['response-of-other-variant'],
    only: [SHOWN],
  },
  {
    name: 'answer-is-encoded-twice',
    around: afterwards('submission', (reply) =>
      reply.status === 200 ? jsonReply(reply, bodyText(reply)) : undefined,
    ),
    by: ['body-invalid'],
    only: [SHOWN],
  },
  {
    name: 'answer-has-no-body',
    around: afterwards('submission', (reply) =>
      reply.status === 200 ? { ...reply, body: '' } : undefined,
    ),
    by: ['body-is-missing'],
    only: [SHOWN],
  },
  status('status-is-undeclared', 202, 'status-is-undeclared'),
  { ...status('status-of-failure', 500, 'server-fails'), also: ['valid-value-server-error'] },
  {
    name: 'refusal-is-of-an-undeclared-status',
    around: refusals('submission', (reply) =>
      reply.status === 400 ? { ...reply, status: 422 } : undefined,
    ),
    by: ['status-is-undeclared'],
    only: ['tryZkt, bounds of body application/json'],
  },
  {
    name: 'refusal-is-of-another-shape',
    around: refusals('submission', (reply) =>
      reply.status === 400 ? jsonReply(reply, { message: 'no', statusCode: 400 }) : undefined,
    ),
    by: ['body-invalid'],
    only: ['tryZkt, bounds of body application/json'],
  },
  {
    name: 'refusal-is-an-html-page',
    around: refusals('submission', (reply) => ({
      ...reply,
      headers: { ...reply.headers, 'content-type': 'text/html' },
      body: '<!doctype html><title>400</title><h1>Bad Request</h1>',
    })),
    by: ['content-type-is-undeclared'],
    only: ['tryZkt, truncated JSON'],
  },
  {
    name: 'stack-trace-in-a-refusal',
    around: refusals('submission', (reply) =>
      jsonReply(reply, { success: false, error: 'no', details: new Error('no').stack }),
    ),
    by: ['stack-trace-leaked'],
    only: ['tryZkt, truncated JSON'],
  },
  {
    name: 'key-in-a-refusal',
    around: refusals('submission', (reply, { request }) =>
      jsonReply(reply, { success: false, error: `${request.url} takes no such body` }),
    ),
    by: ['api-key-leaked'],
    only: ['submitZkt, truncated JSON'],
  },
  {
    name: 'key-in-a-header',
    around: afterwards('submission', (reply, { request }) => ({
      ...reply,
      headers: { ...reply.headers, 'content-location': request.url },
    })),
    by: ['api-key-leaked'],
    only: ['submitZkt, truncated JSON'],
  },
  {
    name: 'content-type-is-plain-text',
    around: typed('text/plain'),
    by: ['content-type-is-undeclared'],
    only: [SHOWN],
  },
  {
    name: 'content-type-is-missing',
    around: afterwards('submission', (reply) => {
      const { 'content-type': _, ...headers } = reply.headers
      return { ...reply, headers }
    }),
    by: ['content-type-is-undeclared'],
    only: [SHOWN],
  },
  lookup('record-lacks-its-hash', ({ transactionHash: _, ...record }) => record),
  lookup('record-of-an-unknown-state', (record) => ({ ...record, status: 'done' })),
  lookup('pending-record-has-a-hash', (record) =>
    record.status === 'pending' ? { ...record, transactionHash: `0x${'ab'.repeat(32)}` } : record,
  ),
  lookup('time-is-a-number', (record) =>
    'createdAt' in record ? { ...record, createdAt: Date.parse(String(record.createdAt)) } : record,
  ),
  lookup('time-has-no-zone', (record) =>
    'createdAt' in record
      ? { ...record, createdAt: String(record.createdAt).replace('Z', '') }
      : record,
  ),
])

function submission(name: string, change: (body: Fields) => unknown): Defect {
  const around = httpResult('submission', change)
  return { name, around, by: ['body-invalid'], only: [SHOWN] }
}

function lookup(name: string, change: (record: Fields) => unknown): Defect {
  const around = httpResult('status', change)
  return { name, around, by: ['body-invalid'], only: LOOKED }
}

function status(name: string, code: number, rule: string): Defect {
  const around = afterwards('submission', (reply) =>
    reply.status === 200 ? { ...reply, status: code } : undefined,
  )
  return { name, around, by: [rule], only: [SHOWN] }
}

function typed(type: string) {
  return afterwards('submission', (reply) => ({
    ...reply,
    headers: { ...reply.headers, 'content-type': type },
  }))
}
