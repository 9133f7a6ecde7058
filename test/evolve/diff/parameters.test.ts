import { describe, expect, it } from 'vitest'
import { orders, told } from './versions.js'

describe('parameters', () => {
  it('parameter-added-required', async () => {
    expect(
      await told(
        orders(''),
        orders(
          'parameters: [{ in: query, name: page, schema: { type: integer }, required: true }]',
        ),
      ),
    ).toMatchInlineSnapshot(`
      "error parameter-added-required
        GET /orders/{id} has a new query parameter page, which is required: callers who do not send it are refused
        at new.openapi.yaml:7 (old.openapi.yaml:8)
        instead: make it optional, with what is done where it is left out"
    `)
  })

  it('parameter-added-optional', async () => {
    expect(
      await told(
        orders(''),
        orders('parameters: [{ in: query, name: page, schema: { type: integer } }]'),
      ),
    ).toMatchInlineSnapshot(`
      "note parameter-added-optional
        GET /orders/{id} has a new query parameter page, which may be left out
        at new.openapi.yaml:7 (old.openapi.yaml:8)"
    `)
  })

  it('parameter-removed', async () => {
    expect(
      await told(
        orders('parameters: [{ in: query, name: page, schema: { type: integer } }]'),
        orders(''),
      ),
    ).toMatchInlineSnapshot(`
      "warning parameter-removed
        the query parameter page of GET /orders/{id} is gone: callers who send it are ignored or refused
        at new.openapi.yaml:8 (old.openapi.yaml:7)
        instead: keep it, mark it deprecated, and remove it later"
    `)
  })

  it('parameter-removed-before-sunset', async () => {
    expect(
      await told(
        orders(
          `parameters: [{ in: query, name: page, schema: { type: integer }, deprecated: true, x-sunset: '2030-01-31' }]`,
        ),
        orders(''),
      ),
    ).toMatchInlineSnapshot(`
      "error parameter-removed-before-sunset
        the query parameter page of GET /orders/{id} is gone, and was to stay until 2030-01-31: callers who send it are ignored or refused
        at new.openapi.yaml:8 (old.openapi.yaml:7)
        instead: keep it until its x-sunset date"
    `)
  })

  it('parameter-removed-after-deprecation', async () => {
    expect(
      await told(
        orders(
          'parameters: [{ in: query, name: page, schema: { type: integer }, deprecated: true }]',
        ),
        orders(''),
      ),
    ).toMatchInlineSnapshot(`
      "note parameter-removed-after-deprecation
        the query parameter page of GET /orders/{id} is gone: it was deprecated
        at new.openapi.yaml:8 (old.openapi.yaml:7)"
    `)
  })

  it('parameter-became-required', async () => {
    expect(
      await told(
        orders('parameters: [{ in: query, name: page, schema: { type: integer } }]'),
        orders(
          'parameters: [{ in: query, name: page, schema: { type: integer }, required: true }]',
        ),
      ),
    ).toMatchInlineSnapshot(`
      "error parameter-became-required
        the query parameter page of GET /orders/{id} must be given: callers who leave it out are refused
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        instead: keep it optional, with what is done where it is left out"
    `)
  })

  it('parameter-became-optional', async () => {
    expect(
      await told(
        orders(
          'parameters: [{ in: query, name: page, schema: { type: integer }, required: true }]',
        ),
        orders('parameters: [{ in: query, name: page, schema: { type: integer } }]'),
      ),
    ).toMatchInlineSnapshot(`
      "note parameter-became-optional
        the query parameter page of GET /orders/{id} may be left out
        at new.openapi.yaml:7 (old.openapi.yaml:7)"
    `)
  })

  it('parameter-serialization-changed', async () => {
    expect(
      await told(
        orders(
          'parameters: [{ in: query, name: tags, schema: { type: array, items: { type: string } } }]',
        ),
        orders(
          'parameters: [{ in: query, name: tags, explode: false, schema: { type: array, items: { type: string } } }]',
        ),
      ),
    ).toMatchInlineSnapshot(`
      "error parameter-serialization-changed
        the query parameter tags of GET /orders/{id} was style form, explode true and is style form, explode false: what callers send is read otherwise
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        instead: keep how it is written, or add a parameter of another name"
    `)
  })

  it('explode says nothing of a plain value', async () => {
    expect(
      await told(
        orders('parameters: [{ in: query, name: page, schema: { type: integer } }]'),
        orders(
          'parameters: [{ in: query, name: page, schema: { type: integer }, explode: false }]',
        ),
      ),
    ).toMatchInlineSnapshot(`""`)
  })

  it('parameter-default-changed', async () => {
    expect(
      await told(
        orders('parameters: [{ in: query, name: page, schema: { type: integer, default: 1 } }]'),
        orders('parameters: [{ in: query, name: page, schema: { type: integer, default: 2 } }]'),
      ),
    ).toMatchInlineSnapshot(`
      "error parameter-default-changed
        the default of the query parameter page of GET /orders/{id} was 1 and is 2: callers who leave it out get something else
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        instead: keep the default"
    `)
  })

  it('parameter-deprecated', async () => {
    expect(
      await told(
        orders('parameters: [{ in: query, name: page, schema: { type: integer } }]'),
        orders(
          `parameters: [{ in: query, name: page, schema: { type: integer }, deprecated: true, x-sunset: '2030-01-31' }]`,
        ),
      ),
    ).toMatchInlineSnapshot(`
      "note parameter-deprecated
        the query parameter page of GET /orders/{id} is deprecated, until 2030-01-31
        at new.openapi.yaml:7 (old.openapi.yaml:7)"
    `)
  })

  it('parameter-reactivated', async () => {
    expect(
      await told(
        orders(
          'parameters: [{ in: query, name: page, schema: { type: integer }, deprecated: true }]',
        ),
        orders('parameters: [{ in: query, name: page, schema: { type: integer } }]'),
      ),
    ).toMatchInlineSnapshot(`
      "note parameter-reactivated
        the query parameter page of GET /orders/{id} is no longer deprecated
        at new.openapi.yaml:7 (old.openapi.yaml:7)"
    `)
  })

  it('parameter-reserved-changed', async () => {
    const param = (rest: string) =>
      orders(`parameters: [{ in: query, name: page, schema: { type: string }${rest} }]`)
    const [plain, reserved] = [param(''), param(', allowReserved: true')]
    expect(
      [await told(reserved, plain), await told(plain, reserved)].join('\n'),
    ).toMatchInlineSnapshot(`
      "warning parameter-reserved-changed
        the query parameter page of GET /orders/{id} may no longer contain reserved characters such as / and ? as they are (allowReserved)
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        instead: accept reserved characters both encoded and as they are
      warning parameter-reserved-changed
        the query parameter page of GET /orders/{id} may contain reserved characters as they are now (allowReserved)
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        instead: accept reserved characters both encoded and as they are"
    `)
  })
})
