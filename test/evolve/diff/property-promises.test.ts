import { describe, expect, it } from 'vitest'
import { holding, rpc, withParam, withResult } from './oasdiff-pair.js'
import { told } from './versions.js'

const page = (members: object) => holding({ type: 'string', ...members })

const taking = (schema: unknown) => withParam({ name: 'order', schema })

const asked = (before: unknown, after: unknown) => told(rpc(taking(before)), rpc(taking(after)))

const answered = (before: unknown, after: unknown) =>
  told(rpc(withResult(before)), rpc(withResult(after)))

describe('a property', () => {
  it('that is deprecated from now on', async () => {
    expect(await asked(page({}), page({ deprecated: true }))).toMatchInlineSnapshot(`
      "note property-deprecated
        page of the param order of order_place is deprecated
        at new.openrpc.yaml:26 (old.openrpc.yaml:24)
      note sunset-is-missing
        page of the param order of order_place is deprecated without an x-sunset: callers cannot tell until when it stays
        at new.openrpc.yaml:26 (old.openrpc.yaml:24)
        instead: say the day in x-sunset"
    `)
  })

  it('that is no longer deprecated', async () => {
    expect(await asked(page({ deprecated: true }), page({}))).toMatchInlineSnapshot(`
      "note property-reactivated
        page of the param order of order_place is no longer deprecated
        at new.openrpc.yaml:24 (old.openrpc.yaml:26)"
    `)
  })

  it('whose text is written otherwise', async () => {
    const [before, after] = [
      page({ contentEncoding: 'base64', contentMediaType: 'image/png' }),
      page({ contentEncoding: 'base32' }),
    ]
    expect(await asked(before, after)).toMatchInlineSnapshot(`
      "warning request-content-changed
        the contentEncoding of page of the param order of order_place was "base64" and is "base32": it is read otherwise
        at new.openrpc.yaml:24 (old.openrpc.yaml:24)
        instead: keep how it is written, and give another content a property of its own
      warning request-content-changed
        the contentMediaType of page of the param order of order_place was "image/png" and is none: it is read otherwise
        at new.openrpc.yaml:24 (old.openrpc.yaml:24)
        instead: keep how it is written, and give another content a property of its own"
    `)
    expect(await answered(before, after)).toMatchInlineSnapshot(`
      "warning response-content-changed
        the contentEncoding of page of the result of order_place was "base64" and is "base32": it is read otherwise
        at new.openrpc.yaml:24 (old.openrpc.yaml:24)
        instead: keep how it is written, and give another content a property of its own
      warning response-content-changed
        the contentMediaType of page of the result of order_place was "image/png" and is none: it is read otherwise
        at new.openrpc.yaml:24 (old.openrpc.yaml:24)
        instead: keep how it is written, and give another content a property of its own"
    `)
  })

  it('whose text is told to hold something else, in one schema of several', async () => {
    const named = (contentSchema: object) => ({ allOf: [page({}), page({ contentSchema })] })
    expect(
      await answered(named({ type: 'object' }), named({ type: 'array' })),
    ).toMatchInlineSnapshot(`
      "warning response-content-changed
        the contentSchema of page of the result of order_place was {"type":"object"} and is {"type":"array"}: it is read otherwise
        at new.openrpc.yaml:34 (old.openrpc.yaml:34)
        instead: keep how it is written, and give another content a property of its own"
    `)
  })

  it('whose text holds the same, written in another order', async () => {
    expect(
      await asked(
        page({ contentSchema: { type: 'object', minProperties: 1 } }),
        page({ contentSchema: { minProperties: 1, type: 'object' } }),
      ),
    ).toBe('')
  })
})

describe('a list that is open at its end', () => {
  const [open, closed] = [{}, { unevaluatedItems: false }].map((members) => ({
    ...{ type: 'array', prefixItems: [{ type: 'string' }] },
    ...members,
  }))

  it('and was not', async () => {
    expect(await answered(closed, open)).toMatchInlineSnapshot(`
      "error response-unevaluated-no-longer-refused
        the result of order_place lets through what no keyword looks at: readers do not expect it
        at new.openrpc.yaml:21 (old.openrpc.yaml:28)
        shown by: ["",0]
        instead: go on answering as before, or give the new shape an operation of its own"
    `)
  })

  it('and is no longer', async () => {
    expect(await asked(open, closed)).toMatchInlineSnapshot(`
      "error request-unevaluated-refused
        the param order of order_place refuses what no other keyword looks at: callers are refused
        at new.openrpc.yaml:28 (old.openrpc.yaml:21)
        shown by: ["",0]
        instead: go on taking what was taken, or give the new shape an operation of its own"
    `)
  })
})
