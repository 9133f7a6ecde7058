import { describe, expect, it } from 'vitest'
import { findingsOf, orders } from './versions.js'

describe('bodies', () => {
  it('request-body-added-required', async () => {
    expect(
      await findingsOf(
        orders(''),
        orders(
          'requestBody: { required: true, content: { application/json: { schema: { type: string } } } }',
        ),
      ),
    ).toMatchInlineSnapshot(`
      "error request-body-added-required
        GET /orders/{id} requires a request body now: callers who send none may be rejected
        at new.openapi.yaml:7 (old.openapi.yaml:8)
        instead: make it optional, or offer an operation of its own"
    `)
  })

  it('request-body-added-optional', async () => {
    expect(
      await findingsOf(
        orders(''),
        orders('requestBody: { content: { application/json: { schema: { type: string } } } }'),
      ),
    ).toMatchInlineSnapshot(`
      "note request-body-added-optional
        GET /orders/{id} accepts a request body now
        at new.openapi.yaml:7 (old.openapi.yaml:8)"
    `)
  })

  it('request-body-removed', async () => {
    expect(
      await findingsOf(
        orders('requestBody: { content: { application/json: { schema: { type: string } } } }'),
        orders(''),
      ),
    ).toMatchInlineSnapshot(`
      "error request-body-removed
        GET /orders/{id} no longer has a request body: the service ignores or rejects what callers send
        at new.openapi.yaml:8 (old.openapi.yaml:7)
        instead: keep accepting it"
    `)
  })

  it('request-body-became-required', async () => {
    expect(
      await findingsOf(
        orders('requestBody: { content: { application/json: { schema: { type: string } } } }'),
        orders(
          'requestBody: { required: true, content: { application/json: { schema: { type: string } } } }',
        ),
      ),
    ).toMatchInlineSnapshot(`
      "error request-body-became-required
        the request body of GET /orders/{id} is required now: callers who send none may be rejected
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        instead: keep it optional"
    `)
  })

  it('request-body-became-optional', async () => {
    expect(
      await findingsOf(
        orders(
          'requestBody: { required: true, content: { application/json: { schema: { type: string } } } }',
        ),
        orders('requestBody: { content: { application/json: { schema: { type: string } } } }'),
      ),
    ).toMatchInlineSnapshot(`
      "note request-body-became-optional
        the request body of GET /orders/{id} is optional now
        at new.openapi.yaml:7 (old.openapi.yaml:7)"
    `)
  })

  it.each(['*/*', 'application/*', 'application/*+json'])(
    'a request body may be of %s, which includes the type before',
    async (range) => {
      const body = (type: string) =>
        orders(`requestBody: { content: { '${type}': { schema: { type: string } } } }`)
      const found = await findingsOf(body('application/vnd.x+json'), body(range))
      expect(found).not.toContain('request-media-type-removed')
    },
  )

  it('a request body of application/*+json includes no other type', async () => {
    const body = (type: string) =>
      orders(`requestBody: { content: { '${type}': { schema: { type: string } } } }`)
    const found = await findingsOf(body('text/csv'), body('application/*+json'))
    expect(found).toContain('request-media-type-removed')
  })

  it('request-media-type-removed', async () => {
    expect(
      await findingsOf(
        orders(
          'requestBody: { content: { application/json: {}, text/csv: { schema: { type: string } } } }',
        ),
        orders('requestBody: { content: { application/json: { schema: { type: string } } } }'),
      ),
    ).toMatchInlineSnapshot(`
      "error request-media-type-removed
        GET /orders/{id} no longer accepts text/csv: callers who send it may be rejected
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        instead: keep accepting it besides the others
      error request-type-narrowed
        the request body of GET /orders/{id} (application/json) must be a string now; it could be any value: callers may be rejected
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        shown by: 0
        instead: keep accepting the old values, or offer the new shape in an operation of its own"
    `)
  })

  it('request-media-type-added', async () => {
    expect(
      await findingsOf(
        orders('requestBody: { content: { application/json: { schema: { type: string } } } }'),
        orders(
          'requestBody: { content: { application/json: { schema: { type: string } }, text/csv: { schema: { type: string } } } }',
        ),
      ),
    ).toMatchInlineSnapshot(`
      "note request-media-type-added
        GET /orders/{id} accepts text/csv now as well
        at new.openapi.yaml:7 (old.openapi.yaml:7)"
    `)
  })

  it('a range takes what it covers, however it is written', async () => {
    expect(
      await findingsOf(
        orders(
          'requestBody: { content: { "Application/JSON; charset=UTF-8": { schema: { type: string } } } }',
        ),
        orders('requestBody: { content: { application/*: { schema: { type: string } } } }'),
      ),
    ).toMatchInlineSnapshot(`
      "note request-media-type-added
        GET /orders/{id} accepts application/* now as well
        at new.openapi.yaml:7 (old.openapi.yaml:7)"
    `)
  })

  it('an item of JSON Lines is compared by its schema', async () => {
    const lines = (least: number) =>
      orders(
        `requestBody: { content: { application/jsonl: { itemSchema: { type: integer, minimum: ${least} } } } }`,
      )
    expect(await findingsOf(lines(1), lines(3))).toMatchInlineSnapshot(`
      "error request-minimum-raised
        an item of the request body of GET /orders/{id} must be at least 3 now (it was at least 1): callers may be rejected
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        shown by: [1]
        instead: keep accepting the old range, or reject it with an error of its own first"
    `)
  })
})
