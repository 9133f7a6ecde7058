import { describe, expect, it } from 'vitest'
import { findingsOf, method, orders } from './versions.js'

describe('promises', () => {
  it('access-became-restricted', async () => {
    expect(
      await findingsOf(method('x-access: public'), method('x-access: key')),
    ).toMatchInlineSnapshot(`
      "error access-became-restricted
        order_get needs a key now; it was public: callers without a key are rejected
        at new.openrpc.yaml:6 (old.openrpc.yaml:6)
        instead: keep it public, or offer the restricted one beside it"
    `)
  })

  it('access-became-public', async () => {
    expect(
      await findingsOf(method('x-access: key'), method('x-access: public')),
    ).toMatchInlineSnapshot(`
      "note access-became-public
        order_get no longer needs a key
        at new.openrpc.yaml:6 (old.openrpc.yaml:6)"
    `)
  })

  it('limit-lowered', async () => {
    expect(
      await findingsOf(
        method('', 'x-limits: { batchSize: 40 }'),
        method('', 'x-limits: { batchSize: 20 }'),
      ),
    ).toMatchInlineSnapshot(`
      "error limit-lowered
        the JSON-RPC service is limited to 20 calls a batch now, and allowed 40: callers who exceed it are rejected
        at new.openrpc.yaml:3 (old.openrpc.yaml:3)
        instead: keep the limit, or announce the lower one in advance"
    `)
  })

  it('limit-added', async () => {
    expect(
      await findingsOf(method(''), method('x-limits: { requestsPerMinute: 200 }')),
    ).toMatchInlineSnapshot(`
      "warning limit-added
        order_get is limited to 200 requests a minute now: callers who exceed it are rejected
        at new.openrpc.yaml:6 (old.openrpc.yaml:5)
        instead: make sure that it is not lower than the limit that was enforced before"
    `)
  })

  it('limit-raised', async () => {
    expect(
      await findingsOf(method('', 'x-limits: { batchSize: 40 }'), method('')),
    ).toMatchInlineSnapshot(`
      "note limit-raised
        the JSON-RPC service is no longer limited to 40 calls a batch
        at new.openrpc.yaml:1 (old.openrpc.yaml:3)"
    `)
  })

  it('idempotence-withdrawn', async () => {
    expect(await findingsOf(method('x-idempotent: true'), method(''))).toMatchInlineSnapshot(`
      "warning idempotence-withdrawn
        order_get is no longer idempotent: clients that retry may execute it twice
        at new.openrpc.yaml:5 (old.openrpc.yaml:6)
        instead: keep x-idempotent, or tell callers to stop retrying"
    `)
  })

  it('idempotence-declared', async () => {
    expect(await findingsOf(method(''), method('x-idempotent: true'))).toMatchInlineSnapshot(`
      "note idempotence-declared
        order_get is idempotent now
        at new.openrpc.yaml:6 (old.openrpc.yaml:5)"
    `)
  })

  it('server-removed', async () => {
    expect(
      await findingsOf(
        orders('', 'servers: [{ url: https://a.example }, { url: https://b.example }]'),
        orders('', 'servers: [{ url: https://a.example/ }]'),
      ),
    ).toMatchInlineSnapshot(`
      "warning server-removed
        the HTTP service no longer has the server https://b.example: callers who use it may fail
        at new.openapi.yaml:3 (old.openapi.yaml:3)
        instead: keep the server running and declared until callers have moved"
    `)
  })

  it('server-added', async () => {
    expect(
      await findingsOf(
        orders('', 'servers: [{ url: https://a.example }]'),
        orders('', 'servers: [{ url: https://b.example }, { url: https://a.example }]'),
      ),
    ).toMatchInlineSnapshot(`
      "note server-added
        the HTTP service has the new server https://b.example
        at new.openapi.yaml:3 (old.openapi.yaml:3)"
    `)
  })

  it('server-variable-changed', async () => {
    expect(
      await findingsOf(
        orders(
          '',
          `servers: [{ url: 'https://{host}', variables: { host: { default: a.example, enum: [a.example, b.example] } } }]`,
        ),
        orders(
          '',
          `servers: [{ url: 'https://{host}', variables: { host: { default: b.example, enum: [b.example] } } }]`,
        ),
      ),
    ).toMatchInlineSnapshot(`
      "warning server-variable-changed
        the default of the variable \`host\` is b.example now, and was a.example, in the server URL https://{host}
        at new.openapi.yaml:3 (old.openapi.yaml:3)
        instead: keep the values and the default
      warning server-variable-changed
        the variable \`host\` can no longer be a.example in the server URL https://{host}
        at new.openapi.yaml:3 (old.openapi.yaml:3)
        instead: keep the values and the default"
    `)
  })

  it('poll-changed', async () => {
    expect(
      await findingsOf(
        orders('x-poll: { field: state, terminal: [done, failed] }'),
        orders('x-poll: { field: state, terminal: [finished] }'),
      ),
    ).toMatchInlineSnapshot(`
      "warning poll-changed
        GET /orders/{id} is to be polled until state is finished now, not until state is done or failed: clients may wait forever or stop too early
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        instead: keep the field and its values"
    `)
  })

  it('link-removed', async () => {
    expect(
      await findingsOf(
        orders(`operationId: getOrder
responses: { '200': { description: ok, links: { again: { operationId: getOrder } } } }`),
        orders(`operationId: getOrder
responses: { '200': { description: ok } }`),
      ),
    ).toMatchInlineSnapshot(`
      "warning link-removed
        the link \`again\` in the 200 response of GET /orders/{id} is removed
        at new.openapi.yaml:8 (old.openapi.yaml:8)
        instead: keep the link"
    `)
  })

  it('link-added', async () => {
    expect(
      await findingsOf(
        orders(`operationId: getOrder
responses: { '200': { description: ok } }`),
        orders(`operationId: getOrder
responses: { '200': { description: ok, links: { again: { operationId: getOrder } } } }`),
      ),
    ).toMatchInlineSnapshot(`
      "note link-added
        the link \`again\` in the 200 response of GET /orders/{id} is new
        at new.openapi.yaml:8 (old.openapi.yaml:8)"
    `)
  })

  it('variant-removed', async () => {
    expect(
      await findingsOf(
        orders(
          `requestBody: { content: { application/json: { schema: { oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }] } } } }
x-variants: { a: { request: { $ref: '#/components/schemas/A' } }, b: { request: { $ref: '#/components/schemas/B' } } }`,
          'components: { schemas: { A: { type: string }, B: { type: integer } } }',
        ),
        orders(
          `requestBody: { content: { application/json: { schema: { oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }] } } } }
x-variants: { a: { request: { $ref: '#/components/schemas/A' } } }`,
          'components: { schemas: { A: { type: string }, B: { type: integer } } }',
        ),
      ),
    ).toMatchInlineSnapshot(`
      "error variant-removed
        GET /orders/{id} no longer accepts the variant \`b\`: callers who send it may be rejected
        at new.openapi.yaml:8 (old.openapi.yaml:8)
        instead: keep accepting it besides the others"
    `)
  })

  it('variant-added', async () => {
    expect(
      await findingsOf(
        orders(
          `requestBody: { content: { application/json: { schema: { oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }] } } } }
x-variants: { a: { request: { $ref: '#/components/schemas/A' } } }`,
          'components: { schemas: { A: { type: string }, B: { type: integer } } }',
        ),
        orders(
          `requestBody: { content: { application/json: { schema: { oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }] } } } }
x-variants: { a: { request: { $ref: '#/components/schemas/A' } }, b: { request: { $ref: '#/components/schemas/B' } } }`,
          'components: { schemas: { A: { type: string }, B: { type: integer } } }',
        ),
      ),
    ).toMatchInlineSnapshot(`
      "note variant-added
        GET /orders/{id} accepts the variant \`b\` now as well
        at new.openapi.yaml:8 (old.openapi.yaml:8)"
    `)
  })
})
