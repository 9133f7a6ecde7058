import { describe, expect, it } from 'vitest'
import { changesOf, findingsOf, orders } from './versions.js'

describe('responses', () => {
  it('success-status-removed', async () => {
    expect(
      await findingsOf(
        orders(`responses: { '200': { description: ok }, '202': { description: later } }`),
        orders(`responses: { '200': { description: ok } }`),
      ),
    ).toMatchInlineSnapshot(`
      "error success-status-removed
        GET /orders/{id} no longer returns 202: clients that expect it may treat another status as a failure
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        instead: keep returning that status"
    `)
  })

  it('success-status-added', async () => {
    expect(
      await findingsOf(
        orders(''),
        orders(`responses: { '200': { description: ok }, '202': { description: later } }`),
      ),
    ).toMatchInlineSnapshot(`
      "note success-status-added
        GET /orders/{id} may return 202 now
        at new.openapi.yaml:7 (old.openapi.yaml:8)"
    `)
  })

  it('a range of statuses covers one', async () => {
    expect(
      await findingsOf(
        orders('responses: { 2XX: { description: ok } }'),
        orders(`responses: { '200': { description: ok } }`),
      ),
    ).toMatchInlineSnapshot(`""`)
  })

  it('error-status-removed', async () => {
    expect(
      await findingsOf(
        orders(`responses: { '200': { description: ok }, '404': { description: none } }`),
        orders(''),
      ),
    ).toMatchInlineSnapshot(`
      "note error-status-removed
        GET /orders/{id} no longer declares 404
        at new.openapi.yaml:8 (old.openapi.yaml:7)"
    `)
  })

  it('error-status-added', async () => {
    expect(
      await findingsOf(
        orders(''),
        orders(`responses: { '200': { description: ok }, '404': { description: none } }`),
      ),
    ).toMatchInlineSnapshot(`
      "note error-status-added
        GET /orders/{id} may return 404 now
        at new.openapi.yaml:7 (old.openapi.yaml:8)"
    `)
  })

  it('a redirect is something that clients rely on, but 304 is not', async () => {
    const removed = async (status: string) => {
      const found = await changesOf(
        orders(
          `responses: { '200': { description: ok }, '${status}': { description: elsewhere } }`,
        ),
        orders(''),
      )
      return found.map(({ level, rule }) => `${level} ${rule}`)
    }
    expect(await removed('302')).toEqual(['error success-status-removed'])
    expect(await removed('3XX')).toEqual(['error success-status-removed'])
    expect(await removed('304')).toEqual(['note error-status-removed'])
    expect(await removed('404')).toEqual(['note error-status-removed'])
  })

  it('response-media-type-removed', async () => {
    expect(
      await findingsOf(
        orders(
          `responses: { '200': { description: ok, content: { application/json: {}, text/csv: {} } } }`,
        ),
        orders(`responses: { '200': { description: ok, content: { application/json: {} } } }`),
      ),
    ).toMatchInlineSnapshot(`
      "error response-media-type-removed
        the 200 response of GET /orders/{id} no longer comes as text/csv: clients that accept only that type receive another type or an error
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        instead: keep offering it besides the others"
    `)
  })

  it('a new status without a body is an error where the default response described a body', async () => {
    const [added, removed] = (
      await changesOf(
        orders('responses: { default: { description: no, content: { application/json: {} } } }'),
        orders(
          `responses: { '401': { description: no }, default: { description: no, content: { application/json: {} } } }`,
        ),
      )
    ).toSorted((one, other) => (one.level < other.level ? 1 : -1))
    expect([added?.rule, removed?.rule]).toEqual([
      'error-status-added',
      'response-media-type-removed',
    ])
    expect(removed?.message).toMatch(/has no body now, and came as application\/json/)
  })

  it('response-media-type-added', async () => {
    expect(
      await findingsOf(
        orders(`responses: { '200': { description: ok, content: { application/json: {} } } }`),
        orders(
          `responses: { '200': { description: ok, content: { application/json: {}, text/csv: {} } } }`,
        ),
      ),
    ).toMatchInlineSnapshot(`
      "note response-media-type-added
        the 200 response of GET /orders/{id} may come as text/csv now as well
        at new.openapi.yaml:7 (old.openapi.yaml:7)"
    `)
  })

  it('response-media-type-generalized', async () => {
    expect(
      await findingsOf(
        orders(`responses: { '200': { description: ok, content: { application/json: {} } } }`),
        orders(`responses: { '200': { description: ok, content: { application/*: {} } } }`),
      ),
    ).toMatchInlineSnapshot(`
      "error response-media-type-generalized
        the 200 response of GET /orders/{id} comes as application/* now, and came as application/json: clients may receive a type that they cannot read
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        instead: name the media types one by one"
    `)
  })

  it('response-media-type-specialized', async () => {
    expect(
      await findingsOf(
        orders(`responses: { '200': { description: ok, content: { application/*: {} } } }`),
        orders(`responses: { '200': { description: ok, content: { application/json: {} } } }`),
      ),
    ).toMatchInlineSnapshot(`
      "note response-media-type-specialized
        the 200 response of GET /orders/{id} comes as application/json now, and came as application/*
        at new.openapi.yaml:7 (old.openapi.yaml:7)"
    `)
  })

  it('parameters of a media type are a spelling', async () => {
    expect(
      await findingsOf(
        orders(
          `responses: { '200': { description: ok, content: { 'application/json; charset=utf-8': {} } } }`,
        ),
        orders(
          `responses: { '200': { description: ok, content: { 'application/json; version=2': {} } } }`,
        ),
      ),
    ).toMatchInlineSnapshot(`""`)
  })

  it('required-response-header-removed', async () => {
    expect(
      await findingsOf(
        orders(
          `responses: { '200': { description: ok, headers: { ETag: { required: true, schema: { type: string } } } } }`,
        ),
        orders(''),
      ),
    ).toMatchInlineSnapshot(`
      "error required-response-header-removed
        the header \`ETag\` of the 200 response of GET /orders/{id} is removed: clients that need it fail
        at new.openapi.yaml:8 (old.openapi.yaml:7)
        instead: keep sending it"
    `)
  })

  it('optional-response-header-removed', async () => {
    expect(
      await findingsOf(
        orders(
          `responses: { '200': { description: ok, headers: { ETag: { schema: { type: string } } } } }`,
        ),
        orders(''),
      ),
    ).toMatchInlineSnapshot(`
      "warning optional-response-header-removed
        the header \`ETag\` of the 200 response of GET /orders/{id} is removed: clients that use it no longer receive it
        at new.openapi.yaml:8 (old.openapi.yaml:7)
        instead: keep sending it, or make sure that nobody reads it"
    `)
  })

  it('response-header-became-optional', async () => {
    expect(
      await findingsOf(
        orders(
          `responses: { '200': { description: ok, headers: { ETag: { required: true, schema: { type: string } } } } }`,
        ),
        orders(
          `responses: { '200': { description: ok, headers: { etag: { schema: { type: string } } } } }`,
        ),
      ),
    ).toMatchInlineSnapshot(`
      "error response-header-became-optional
        the header \`etag\` of the 200 response of GET /orders/{id} may be absent now: clients that need it fail
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        instead: keep sending it always"
    `)
  })

  it('response-header-became-required', async () => {
    expect(
      await findingsOf(
        orders(
          `responses: { '200': { description: ok, headers: { ETag: { schema: { type: string } } } } }`,
        ),
        orders(
          `responses: { '200': { description: ok, headers: { ETag: { required: true, schema: { type: string } } } } }`,
        ),
      ),
    ).toMatchInlineSnapshot(`
      "note response-header-became-required
        the header \`ETag\` of the 200 response of GET /orders/{id} is always present now
        at new.openapi.yaml:7 (old.openapi.yaml:7)"
    `)
  })

  it('response-header-added', async () => {
    expect(
      await findingsOf(
        orders(''),
        orders(
          `responses: { '200': { description: ok, headers: { ETag: { schema: { type: string } } } } }`,
        ),
      ),
    ).toMatchInlineSnapshot(`
      "note response-header-added
        the header \`ETag\` of the 200 response of GET /orders/{id} is new
        at new.openapi.yaml:7 (old.openapi.yaml:8)"
    `)
  })
})

it('a change of a shared response is one finding, with the operations that return it', async () => {
  const version = (type: string) => ({
    http: `openapi: 3.1.0
info: { title: Orders, version: '1' }
components:
  responses:
    Bad: { description: bad, content: { ${type}: { schema: { type: object } } } }
paths:
  /a:
    get: { responses: { '200': { description: ok }, '400': { $ref: '#/components/responses/Bad' }, '404': { $ref: '#/components/responses/Bad' } } }
  /b:
    post: { responses: { '200': { description: ok }, '400': { $ref: '#/components/responses/Bad' }, '415': { $ref: '#/components/responses/Bad' } } }
  /c:
    get: { responses: { '200': { description: ok }, '404': { $ref: '#/components/responses/Bad' } } }
`,
  })
  const changes = await changesOf(version('application/problem+json'), version('application/json'))
  const removed = changes.filter(({ rule }) => rule === 'response-media-type-removed')
  expect(removed.map(({ operations }) => operations)).toEqual([['GET /a', 'POST /b', 'GET /c']])
})
