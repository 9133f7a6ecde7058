import { describe, expect, it } from 'vitest'
import { changesOf, findingsOf, orders } from './versions.js'

describe('operations', () => {
  it('operation-added', async () => {
    expect(
      await findingsOf(orders(''), {
        http: `${orders('').http}  /extra: { get: {  responses: { '200': { description: ok } } } }
`,
      }),
    ).toMatchInlineSnapshot(`
      "note operation-added
        GET /extra is new
        at new.openapi.yaml:9 (old.openapi.yaml:5)"
    `)
  })

  it('operation-removed-without-deprecation', async () => {
    expect(
      await findingsOf(
        {
          http: `${orders('').http}  /extra: { get: {  responses: { '200': { description: ok } } } }
`,
        },
        orders(''),
      ),
    ).toMatchInlineSnapshot(`
      "error operation-removed-without-deprecation
        GET /extra is removed without a deprecation: its callers are rejected
        at new.openapi.yaml:5 (old.openapi.yaml:9)
        instead: keep it, mark it deprecated with an x-sunset date, and remove it after that day"
    `)
  })

  it('operation-removed-before-sunset', async () => {
    expect(
      await findingsOf(
        {
          http: `${orders('').http}  /extra: { get: { deprecated: true, x-sunset: '2030-01-31', responses: { '200': { description: ok } } } }
`,
        },
        orders(''),
      ),
    ).toMatchInlineSnapshot(`
      "error operation-removed-before-sunset
        GET /extra is removed before its x-sunset 2030-01-31: its callers are rejected
        at new.openapi.yaml:5 (old.openapi.yaml:9)
        instead: keep it until its x-sunset date"
    `)
  })

  it('operation-removed-after-deprecation', async () => {
    expect(
      await findingsOf(
        {
          http: `${orders('').http}  /extra: { get: { deprecated: true, x-sunset: '2026-06-15', responses: { '200': { description: ok } } } }
`,
        },
        orders(''),
      ),
    ).toMatchInlineSnapshot(`
      "note operation-removed-after-deprecation
        GET /extra is removed: its x-sunset was 2026-06-15
        at new.openapi.yaml:5 (old.openapi.yaml:9)"
    `)
  })

  it('a removal whose sunset was no date', async () => {
    expect(
      await findingsOf(
        {
          http: `${orders('').http}  /extra: { get: { deprecated: true, x-sunset: soon, responses: { '200': { description: ok } } } }
`,
        },
        orders(''),
      ),
    ).toMatchInlineSnapshot(`
      "error sunset-is-no-date
        GET /extra is removed, and its x-sunset was soon, which is not a date: callers could not plan for it
        at new.openapi.yaml:5 (old.openapi.yaml:9)
        instead: write x-sunset as a date: 2030-01-31"
    `)
  })

  it('operation-id-changed', async () => {
    expect(
      await findingsOf(orders('operationId: getOrder'), orders('operationId: readOrder')),
    ).toMatchInlineSnapshot(`
      "warning operation-id-changed
        the operationId of GET /orders/{id} is readOrder now, and was getOrder: code that calls a generated client no longer compiles, requests stay the same
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        instead: keep the operationId"
    `)
  })

  it('a name in the path is a promise to those who call generated clients', async () => {
    const id = (name: string) =>
      `parameters: [{ in: path, name: ${name}, required: true, schema: { type: string } }]`
    expect(
      await findingsOf(orders(id('id')), orders(id('orderId'), '', '/orders/{orderId}')),
    ).toMatchInlineSnapshot(`
      "warning path-parameter-renamed
        the path parameter \`id\` of GET /orders/{orderId} is named \`orderId\` now: code that calls a generated client no longer compiles, requests stay the same
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        instead: keep the name"
    `)
    expect(
      await findingsOf(orders(''), orders('', '', '/orders/{orderId}')),
    ).toMatchInlineSnapshot(`
      "warning path-parameter-renamed
        the path parameter \`id\` of GET /orders/{orderId} is named \`orderId\` now: code that calls a generated client no longer compiles, requests stay the same
        at new.openapi.yaml:8 (old.openapi.yaml:8)
        instead: keep the name"
    `)
  })

  it('operation-deprecated', async () => {
    expect(
      await findingsOf(
        orders(''),
        orders(`deprecated: true
x-sunset: '2030-01-31'`),
      ),
    ).toMatchInlineSnapshot(`
      "note operation-deprecated
        GET /orders/{id} is deprecated now, until 2030-01-31
        at new.openapi.yaml:7 (old.openapi.yaml:8)"
    `)
  })

  it('operation-reactivated', async () => {
    expect(
      await findingsOf(
        orders(`deprecated: true
x-sunset: '2030-01-31'`),
        orders(''),
      ),
    ).toMatchInlineSnapshot(`
      "note operation-reactivated
        GET /orders/{id} is no longer deprecated
        at new.openapi.yaml:8 (old.openapi.yaml:7)"
    `)
  })

  it('sunset-is-missing', async () => {
    expect(await findingsOf(orders(''), orders('deprecated: true'))).toMatchInlineSnapshot(`
      "note operation-deprecated
        GET /orders/{id} is deprecated now
        at new.openapi.yaml:7 (old.openapi.yaml:8)
      note sunset-is-missing
        GET /orders/{id} is deprecated without an x-sunset: callers cannot tell how long it remains
        at new.openapi.yaml:7 (old.openapi.yaml:8)
        instead: add the date as x-sunset"
    `)
  })

  it('sunset-is-no-date', async () => {
    expect(
      await findingsOf(
        orders(`deprecated: true
x-sunset: '2030-01-31'`),
        orders(`deprecated: true
x-sunset: '2030-02-31'`),
      ),
    ).toMatchInlineSnapshot(`
      "error sunset-is-no-date
        the x-sunset of GET /orders/{id} is 2030-02-31, which is not a date: callers cannot plan for it
        at new.openapi.yaml:8 (old.openapi.yaml:8)
        instead: write x-sunset as a date: 2030-01-31"
    `)
  })

  it('sunset-is-past', async () => {
    expect(
      await findingsOf(
        orders(''),
        orders(`deprecated: true
x-sunset: '2026-06-14'`),
      ),
    ).toMatchInlineSnapshot(`
      "error sunset-is-past
        GET /orders/{id} has the x-sunset 2026-06-14, which is in the past: callers have no time to move
        at new.openapi.yaml:8 (old.openapi.yaml:8)
        instead: give callers time: choose a date in the future
      note operation-deprecated
        GET /orders/{id} is deprecated now, until 2026-06-14
        at new.openapi.yaml:7 (old.openapi.yaml:8)"
    `)
  })

  it('sunset-moved-earlier', async () => {
    expect(
      await findingsOf(
        orders(`deprecated: true
x-sunset: '2030-01-31'`),
        orders(`deprecated: true
x-sunset: '2029-01-31'`),
      ),
    ).toMatchInlineSnapshot(`
      "warning sunset-moved-earlier
        GET /orders/{id} ends on 2029-01-31 now, earlier than 2030-01-31, which callers were promised
        at new.openapi.yaml:8 (old.openapi.yaml:8)
        instead: keep the promised date"
    `)
  })

  it('sunset-removed', async () => {
    expect(
      await findingsOf(
        orders(`deprecated: true
x-sunset: '2030-01-31'`),
        orders('deprecated: true'),
      ),
    ).toMatchInlineSnapshot(`
      "error sunset-removed
        GET /orders/{id} is still deprecated but no longer has an x-sunset: callers planned for 2030-01-31
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        instead: keep the promised date"
    `)
  })

  it('stability-decreased', async () => {
    expect(
      await findingsOf(orders('x-stability-level: stable'), orders('x-stability-level: beta')),
    ).toMatchInlineSnapshot(`
      "error stability-decreased
        GET /orders/{id} was stable and is beta: it may change sooner than callers expect
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        instead: keep the level, or offer the experiment in an operation of its own"
    `)
  })

  it('stability-increased', async () => {
    expect(
      await findingsOf(orders('x-stability-level: beta'), orders('x-stability-level: stable')),
    ).toMatchInlineSnapshot(`
      "note stability-increased
        GET /orders/{id} was beta and is stable
        at new.openapi.yaml:7 (old.openapi.yaml:7)"
    `)
  })

  it('stability-declaration-changed', async () => {
    const [none, beta] = [orders(''), orders('x-stability-level: beta')]
    expect(
      [await findingsOf(none, beta), await findingsOf(beta, none)].join('\n'),
    ).toMatchInlineSnapshot(`
      "note stability-declaration-changed
        GET /orders/{id} declares the stability level beta; it declared none
        at new.openapi.yaml:7 (old.openapi.yaml:8)
      note stability-declaration-changed
        GET /orders/{id} no longer declares a stability level; it was beta
        at new.openapi.yaml:8 (old.openapi.yaml:7)"
    `)
  })

  it('an unknown stability level in the version before', async () => {
    const found = await changesOf(
      orders('x-stability-level: ga'),
      orders('x-stability-level: beta'),
    )
    expect(found.map(({ rule }) => rule)).toEqual(['stability-is-unknown'])
  })

  it('stability-is-unknown', async () => {
    expect(await findingsOf(orders(''), orders('x-stability-level: gamma'))).toMatchInlineSnapshot(`
      "error stability-is-unknown
        the x-stability-level of GET /orders/{id} is "gamma", which is not a level: callers cannot tell what may change
        at new.openapi.yaml:7 (old.openapi.yaml:8)
        instead: write draft, alpha, beta or stable"
    `)
  })

  it('what is experimental may change', async () => {
    expect(
      await findingsOf(
        orders(`x-stability-level: alpha
parameters: [{ in: query, name: page, schema: { type: integer } }]`),
        orders(`x-stability-level: alpha
parameters: [{ in: query, name: page, schema: { type: integer }, required: true }]`),
      ),
    ).toMatchInlineSnapshot(`
      "note parameter-became-required
        the query parameter \`page\` of GET /orders/{id} is required now: callers who omit it may be rejected (its stability is alpha, so it may change)
        at new.openapi.yaml:8 (old.openapi.yaml:8)
        instead: keep it optional, and describe what its absence means"
    `)
  })

  it('what is nearly stable warns', async () => {
    expect(
      await findingsOf(
        orders(`x-stability-level: beta
parameters: [{ in: query, name: page, schema: { type: integer } }]`),
        orders(`x-stability-level: beta
parameters: [{ in: query, name: page, schema: { type: integer }, required: true }]`),
      ),
    ).toMatchInlineSnapshot(`
      "warning parameter-became-required
        the query parameter \`page\` of GET /orders/{id} is required now: callers who omit it may be rejected (its stability is beta, so it may change)
        at new.openapi.yaml:8 (old.openapi.yaml:8)
        instead: keep it optional, and describe what its absence means"
    `)
  })
})
