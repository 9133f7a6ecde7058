import { describe, expect, it } from 'vitest'
import { findingsOf, orders } from './versions.js'

describe('parameters', () => {
  it('parameter-added-required', async () => {
    expect(
      await findingsOf(
        orders(''),
        orders(
          'parameters: [{ in: query, name: page, schema: { type: integer }, required: true }]',
        ),
      ),
    ).toMatchInlineSnapshot(`
      "error parameter-added-required
        the query parameter \`page\` of GET /orders/{id} is new and required: callers who do not send it may be rejected
        at new.openapi.yaml:7 (old.openapi.yaml:8)
        instead: make it optional, and describe what its absence means"
    `)
  })

  it('parameter-added-optional', async () => {
    expect(
      await findingsOf(
        orders(''),
        orders('parameters: [{ in: query, name: page, schema: { type: integer } }]'),
      ),
    ).toMatchInlineSnapshot(`
      "note parameter-added-optional
        the query parameter \`page\` of GET /orders/{id} is new and optional
        at new.openapi.yaml:7 (old.openapi.yaml:8)"
    `)
  })

  it('parameter-removed', async () => {
    expect(
      await findingsOf(
        orders('parameters: [{ in: query, name: page, schema: { type: integer } }]'),
        orders(''),
      ),
    ).toMatchInlineSnapshot(`
      "warning parameter-removed
        the query parameter \`page\` of GET /orders/{id} is removed: the service ignores or rejects it
        at new.openapi.yaml:8 (old.openapi.yaml:7)
        instead: keep it, mark it deprecated, and remove it later"
    `)
  })

  it('parameter-removed-before-sunset', async () => {
    expect(
      await findingsOf(
        orders(
          `parameters: [{ in: query, name: page, schema: { type: integer }, deprecated: true, x-sunset: '2030-01-31' }]`,
        ),
        orders(''),
      ),
    ).toMatchInlineSnapshot(`
      "error parameter-removed-before-sunset
        the query parameter \`page\` of GET /orders/{id} is removed before its x-sunset 2030-01-31: the service ignores or rejects it
        at new.openapi.yaml:8 (old.openapi.yaml:7)
        instead: keep it until its x-sunset date"
    `)
  })

  it('parameter-removed-after-deprecation', async () => {
    expect(
      await findingsOf(
        orders(
          'parameters: [{ in: query, name: page, schema: { type: integer }, deprecated: true }]',
        ),
        orders(''),
      ),
    ).toMatchInlineSnapshot(`
      "note parameter-removed-after-deprecation
        the query parameter \`page\` of GET /orders/{id} is removed: it was deprecated
        at new.openapi.yaml:8 (old.openapi.yaml:7)"
    `)
  })

  it('parameter-became-required', async () => {
    expect(
      await findingsOf(
        orders('parameters: [{ in: query, name: page, schema: { type: integer } }]'),
        orders(
          'parameters: [{ in: query, name: page, schema: { type: integer }, required: true }]',
        ),
      ),
    ).toMatchInlineSnapshot(`
      "error parameter-became-required
        the query parameter \`page\` of GET /orders/{id} is required now: callers who omit it may be rejected
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        instead: keep it optional, and describe what its absence means"
    `)
  })

  it('parameter-became-optional', async () => {
    expect(
      await findingsOf(
        orders(
          'parameters: [{ in: query, name: page, schema: { type: integer }, required: true }]',
        ),
        orders('parameters: [{ in: query, name: page, schema: { type: integer } }]'),
      ),
    ).toMatchInlineSnapshot(`
      "note parameter-became-optional
        the query parameter \`page\` of GET /orders/{id} is optional now
        at new.openapi.yaml:7 (old.openapi.yaml:7)"
    `)
  })

  it('parameter-serialization-changed', async () => {
    expect(
      await findingsOf(
        orders(
          'parameters: [{ in: query, name: tags, schema: { type: array, items: { type: string } } }]',
        ),
        orders(
          'parameters: [{ in: query, name: tags, explode: false, schema: { type: array, items: { type: string } } }]',
        ),
      ),
    ).toMatchInlineSnapshot(`
      "error parameter-serialization-changed
        the query parameter \`tags\` of GET /orders/{id} is serialized with style form, explode false now, not with style form, explode true: the service reads what callers send in another way
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        instead: keep the serialization, or add a parameter with another name"
    `)
  })

  it('explode says nothing of a plain value', async () => {
    expect(
      await findingsOf(
        orders('parameters: [{ in: query, name: page, schema: { type: integer } }]'),
        orders(
          'parameters: [{ in: query, name: page, schema: { type: integer }, explode: false }]',
        ),
      ),
    ).toMatchInlineSnapshot(`""`)
  })

  it('parameter-default-changed', async () => {
    expect(
      await findingsOf(
        orders('parameters: [{ in: query, name: page, schema: { type: integer, default: 1 } }]'),
        orders('parameters: [{ in: query, name: page, schema: { type: integer, default: 2 } }]'),
      ),
    ).toMatchInlineSnapshot(`
      "error parameter-default-changed
        the default of the query parameter \`page\` of GET /orders/{id} is 2 now, and was 1: callers who omit it get other results
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        instead: keep the default"
    `)
  })

  it('parameter-deprecated', async () => {
    expect(
      await findingsOf(
        orders('parameters: [{ in: query, name: page, schema: { type: integer } }]'),
        orders(
          `parameters: [{ in: query, name: page, schema: { type: integer }, deprecated: true, x-sunset: '2030-01-31' }]`,
        ),
      ),
    ).toMatchInlineSnapshot(`
      "note parameter-deprecated
        the query parameter \`page\` of GET /orders/{id} is deprecated now, until 2030-01-31
        at new.openapi.yaml:7 (old.openapi.yaml:7)"
    `)
  })

  it('parameter-reactivated', async () => {
    expect(
      await findingsOf(
        orders(
          'parameters: [{ in: query, name: page, schema: { type: integer }, deprecated: true }]',
        ),
        orders('parameters: [{ in: query, name: page, schema: { type: integer } }]'),
      ),
    ).toMatchInlineSnapshot(`
      "note parameter-reactivated
        the query parameter \`page\` of GET /orders/{id} is no longer deprecated
        at new.openapi.yaml:7 (old.openapi.yaml:7)"
    `)
  })

  it('parameter-empty-value-rejected and parameter-empty-value-accepted', async () => {
    const param = (rest: string) =>
      orders(`parameters: [{ in: query, name: page, schema: { type: string }${rest} }]`)
    const [plain, empty] = [param(''), param(', allowEmptyValue: true')]
    expect(
      [await findingsOf(empty, plain), await findingsOf(plain, empty)].join('\n'),
    ).toMatchInlineSnapshot(`
      "warning parameter-empty-value-rejected
        the query parameter \`page\` of GET /orders/{id} may no longer be sent without a value (allowEmptyValue): callers who do may be rejected
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        instead: keep accepting the parameter without a value
      note parameter-empty-value-accepted
        the query parameter \`page\` of GET /orders/{id} may be sent without a value now (allowEmptyValue)
        at new.openapi.yaml:7 (old.openapi.yaml:7)"
    `)
  })

  it('parameter-reserved-changed', async () => {
    const param = (rest: string) =>
      orders(`parameters: [{ in: query, name: page, schema: { type: string }${rest} }]`)
    const [plain, reserved] = [param(''), param(', allowReserved: true')]
    expect(
      [await findingsOf(reserved, plain), await findingsOf(plain, reserved)].join('\n'),
    ).toMatchInlineSnapshot(`
      "warning parameter-reserved-changed
        the query parameter \`page\` of GET /orders/{id} may no longer contain reserved characters such as / and ? as they are (allowReserved)
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        instead: accept reserved characters both encoded and as they are
      warning parameter-reserved-changed
        the query parameter \`page\` of GET /orders/{id} may contain reserved characters as they are now (allowReserved)
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        instead: accept reserved characters both encoded and as they are"
    `)
  })
})
