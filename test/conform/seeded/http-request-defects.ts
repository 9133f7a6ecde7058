import { KEY } from './clean-server.js'
import { type Defect, defects } from './defect.js'
import { afterwards, beforehand, type Fields, instead, isRecord } from './planting.js'

const json = (status: number, body: unknown, headers = {}) => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

const NO = { success: false, error: 'no' }
const HASH = `0x${'ef'.repeat(32)}`
const TAKEN = json(200, { success: true, hash: HASH })

const body = (change: (fields: Fields) => unknown) =>
  beforehand('submission', ({ json: given }) => {
    if (!isRecord(given)) return undefined
    const changed = change(given)
    return changed === given ? undefined : { body: JSON.stringify(changed) }
  })

const FIELDS = ['abi', 'to', 'method', 'arguments', 'id', 'wait', 'code']
const PARTS = ['', '/arguments', '/abi', '/to', '/wait', '/code']
const BODY = PARTS.map((part) => `tryZkt, bounds of body application/json${part}`)
const CALL = 'tryZkt, bounds of body application/json'

/** What a server takes for a submission or a lookup, or refuses, and should not. */
export const HTTP_REQUEST_DEFECTS = defects([
  {
    name: 'unknown-field-is-dropped',
    around: body((fields) =>
      Object.keys(fields).some((name) => !FIELDS.includes(name))
        ? Object.fromEntries(Object.entries(fields).filter(([name]) => FIELDS.includes(name)))
        : fields,
    ),
    by: ['undeclared-property-accepted'],
    only: BODY,
  },
  {
    name: 'required-field-may-be-missing',
    around: body((fields) =>
      'method' in fields && !('arguments' in fields) ? { ...fields, arguments: [] } : fields,
    ),
    by: ['invalid-request-accepted'],
    only: [CALL],
  },
  {
    name: 'wrong-type-is-converted',
    around: body((fields) =>
      typeof fields.arguments === 'number'
        ? { ...fields, arguments: String(fields.arguments) }
        : fields,
    ),
    by: ['invalid-request-accepted'],
    only: BODY,
  },
  {
    name: 'flag-may-be-a-text',
    around: body((fields) =>
      'wait' in fields && typeof fields.wait !== 'boolean' ? { ...fields, wait: true } : fields,
    ),
    by: ['invalid-request-accepted'],
    only: BODY,
  },
  {
    name: 'address-of-39-digits-is-taken',
    around: body((fields) =>
      /^0x[0-9a-f]{39}$/i.test(String(fields.to))
        ? { ...fields, to: `0x0${String(fields.to).slice(2)}` }
        : fields,
    ),
    by: ['invalid-request-accepted'],
    only: [`${CALL}/to`],
  },
  {
    name: 'empty-list-is-taken',
    around: instead('submission', ({ json: given }) =>
      isRecord(given) && Array.isArray(given.abi) && given.abi.length === 0 ? TAKEN : undefined,
    ),
    by: ['invalid-request-accepted'],
    only: [`${CALL}/abi`],
  },
  {
    name: 'empty-text-is-taken',
    around: instead('submission', ({ json: given }) =>
      isRecord(given) && given.method === '' ? TAKEN : undefined,
    ),
    by: ['invalid-request-accepted'],
    only: [`${CALL}/method`],
  },
  {
    name: 'mixture-of-forms-is-taken',
    around: body((fields) => {
      if (!('code' in fields)) return fields
      const { abi: _, to: __, method: ___, wait: ____, ...deploy } = fields
      return Object.keys(deploy).length === Object.keys(fields).length ? fields : deploy
    }),
    by: ['invalid-request-accepted'],
    only: BODY,
  },
  {
    name: 'broken-body-fails-the-server',
    around: instead('submission', ({ json: given }) =>
      isRecord(given) && 'to' in given && typeof given.to !== 'string' ? json(500, NO) : undefined,
    ),
    by: ['server-fails'],
    only: BODY,
  },
  {
    name: 'valid-value-server-error',
    around: instead('submission', ({ json: given }) =>
      isRecord(given) && given.arguments === '' ? json(500, NO) : undefined,
    ),
    by: ['server-fails'],
    only: BODY,
  },
  {
    name: 'malformed-json-is-422',
    around: instead('submission', ({ text, json: given }) =>
      given === undefined && text !== '' ? json(422, NO) : undefined,
    ),
    by: ['malformed-body-wrong-status'],
    also: ['status-is-undeclared'],
    only: ['tryZkt, truncated JSON'],
  },
  {
    name: 'malformed-json-fails-the-server',
    around: instead('submission', ({ json: given }) =>
      given === undefined ? json(500, NO) : undefined,
    ),
    by: ['server-fails'],
    only: ['tryZkt, truncated JSON'],
  },
  {
    name: 'malformed-json-is-taken',
    around: instead('submission', ({ text, json: given }) =>
      given === undefined && text.startsWith('{') ? TAKEN : undefined,
    ),
    by: ['malformed-body-accepted'],
    only: ['tryZkt, truncated JSON'],
  },
  {
    name: 'array-is-taken-for-a-body',
    around: instead('submission', ({ text }) => (text === '[]' ? TAKEN : undefined)),
    by: ['body-of-wrong-type-accepted'],
    only: [CALL],
  },
  {
    name: 'deep-nesting-fails-the-server',
    around: instead('submission', ({ text }) =>
      text.includes('['.repeat(900)) ? json(500, NO) : undefined,
    ),
    by: ['server-fails'],
    only: ['tryZkt, an array that is deeply nested'],
  },
  {
    name: 'plain-text-is-taken',
    around: typed((type) => type === undefined || type.startsWith('text/plain')),
    by: ['undeclared-media-type-accepted'],
    only: ['tryZkt, a body said to be text/plain'],
  },
  {
    name: 'charset-is-refused',
    around: instead('submission', ({ request }) =>
      String((request.headers as Fields)['content-type']).includes('charset')
        ? json(415, NO)
        : undefined,
    ),
    by: ['media-type-spelling-significant'],
    only: ['tryZkt, a body said to be application/json; charset=utf-8'],
  },
  {
    name: 'body-over-the-limit-is-taken',
    around: instead('submission', ({ text }) => (text.length > 1_048_576 ? TAKEN : undefined)),
    by: ['payload-limit-not-enforced'],
    only: ['tryZkt, a body of 1048577 bytes', 'tryZkt, a body of 1048577 bytes in chunks'],
  },
  {
    name: 'limit-is-a-megabyte-of-a-thousand',
    around: instead('submission', ({ text }) =>
      text.length > 1_000_000 ? json(413, NO) : undefined,
    ),
    by: ['payload-limit-too-low'],
    only: ['tryZkt, a body of 1048576 bytes'],
  },
  ...verbs(),
  {
    name: 'unknown-key-opens-submissions',
    around: beforehand('submission', ({ request }) =>
      request.url.endsWith('/try-it-out') ? undefined : { url: `/zkt/${encodeURIComponent(KEY)}` },
    ),
    by: ['invalid-api-key-accepted'],
    only: ['submitZkt, keys that nobody has'],
  },
  {
    name: 'short-keys-are-refused-otherwise',
    around: instead('submission', ({ request }) =>
      /^\/zkt\/.$/.test(request.url)
        ? json(400, { ...NO, error: 'a key has 36 letters' })
        : undefined,
    ),
    by: ['invalid-api-keys-distinguished'],
    only: ['submitZkt, keys that nobody has'],
  },
  {
    name: 'unknown-key-fails-the-server',
    around: afterwards('submission', (reply) =>
      reply.status === 401 ? { ...reply, status: 500 } : undefined,
    ),
    by: ['server-fails'],
    only: ['submitZkt, keys that nobody has'],
  },
  {
    name: 'public-operation-requires-key',
    around: instead('submission', ({ request }) =>
      request.url === '/zkt/try-it-out' ? json(401, NO) : undefined,
    ),
    by: ['public-operation-requires-key'],
    also: ['status-is-undeclared'],
    only: ['tryZkt, without a key'],
  },
])

function typed(isTaken: (type: string | undefined) => boolean) {
  return beforehand('submission', ({ request }) => {
    const headers = request.headers as Fields
    const type = headers['content-type'] as string | undefined
    return isTaken(type)
      ? { headers: { ...headers, 'content-type': 'application/json' } as never }
      : undefined
  })
}

function verbs(): readonly Defect[] {
  return [
    {
      name: 'get-is-answered-200',
      around: instead('submission', ({ request }) =>
        request.method === 'GET' ? json(200, { success: true, hash: HASH }) : undefined,
      ),
      by: ['undeclared-method-accepted'],
      only: ['GET /zkt/try-it-out'],
    },
    {
      name: 'allow-header-missing',
      around: afterwards('submission', (reply) => {
        const { allow: _, ...headers } = reply.headers
        return reply.status === 405 ? { ...reply, headers } : undefined
      }),
      by: ['allow-header-missing'],
      only: ['PUT /zkt/try-it-out'],
    },
    {
      name: 'allow-names-another-method',
      around: afterwards('submission', (reply) =>
        reply.status === 405
          ? { ...reply, headers: { ...reply.headers, allow: 'GET' } }
          : undefined,
      ),
      by: ['allow-header-incomplete'],
      only: ['PUT /zkt/try-it-out'],
    },
    {
      name: 'delete-fails-the-server',
      around: instead('submission', ({ request }) =>
        request.method === 'DELETE' ? json(500, NO) : undefined,
      ),
      by: ['malformed-request-server-error'],
      only: ['DELETE /zkt/try-it-out'],
    },
    {
      name: 'json-rpc-answers-get',
      around: instead('rpc', ({ request }) =>
        request.method === 'GET' ? { status: 200, headers: {}, body: '' } : undefined,
      ),
      by: ['get-accepted'],
      only: ['JSON-RPC, GET'],
    },
    {
      name: 'json-rpc-allows-without-saying-so',
      around: afterwards('rpc', (reply) => {
        const { allow: _, ...headers } = reply.headers
        return reply.status === 405 ? { ...reply, headers } : undefined
      }),
      by: ['allow-header-missing'],
      only: ['JSON-RPC, PUT'],
    },
    {
      name: 'json-rpc-takes-plain-text',
      around: beforehand('rpc', ({ request }) => ({
        headers: { ...(request.headers as object), 'content-type': 'application/json' },
      })),
      by: ['unsupported-media-type-accepted'],
      only: ['JSON-RPC, a call as text/plain'],
    },
    {
      name: 'json-rpc-fails-on-gzip',
      around: instead('rpc', ({ request }) =>
        'content-encoding' in (request.headers as object)
          ? { status: 500, headers: {}, body: 'incorrect header check' }
          : undefined,
      ),
      by: ['content-encoding-accepted'],
      only: ['JSON-RPC, a gzipped body', 'JSON-RPC, a body in an unknown encoding'],
    },
    {
      name: 'json-rpc-takes-a-body-over-the-limit',
      around: instead('rpc', ({ text }) =>
        text.length > 1_048_576 ? json(200, { jsonrpc: '2.0', id: 1, result: '0x1' }) : undefined,
      ),
      by: ['oversized-body-accepted'],
      only: ['JSON-RPC, a body over the limit'],
    },
  ]
}
