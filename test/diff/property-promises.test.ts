import { describe, expect, it } from 'vitest'
import { holding, rpc, withParam, withResult } from './oasdiff-pair.js'
import { findingsOf } from './versions.js'

const page = (members: object) => holding({ type: 'string', ...members })

const taking = (schema: unknown) => withParam({ name: 'order', schema })

const asked = (before: unknown, after: unknown) =>
  findingsOf(rpc(taking(before)), rpc(taking(after)))

const answered = (before: unknown, after: unknown) =>
  findingsOf(rpc(withResult(before)), rpc(withResult(after)))

describe('a property', () => {
  it('that is deprecated from now on', async () => {
    expect(await asked(page({}), page({ deprecated: true }))).toMatchInlineSnapshot(`
      "note property-deprecated
        \`page\` in the param \`order\` of order_place is deprecated now
        at new.openrpc.yaml:26 (old.openrpc.yaml:24)
      note sunset-is-missing
        \`page\` in the param \`order\` of order_place is deprecated without an x-sunset: callers cannot tell how long it remains
        at new.openrpc.yaml:26 (old.openrpc.yaml:24)
        instead: add the date as x-sunset"
    `)
  })

  it('that is no longer deprecated', async () => {
    expect(await asked(page({ deprecated: true }), page({}))).toMatchInlineSnapshot(`
      "note property-reactivated
        \`page\` in the param \`order\` of order_place is no longer deprecated
        at new.openrpc.yaml:24 (old.openrpc.yaml:26)"
    `)
  })

  it('that is removed before and after its x-sunset', async () => {
    const ending = (day: string) => page({ deprecated: true, 'x-sunset': day })
    const none = { type: 'object', properties: {} }
    expect(await answered(ending('2026-12-31'), none)).toContain(
      '`page` in the result of order_place is removed before its x-sunset 2026-12-31: clients no longer receive it',
    )
    expect(await answered(ending('2026-01-31'), none)).toContain(
      'note response-property-removed-after-deprecation',
    )
    expect(await answered(ending('soon'), none)).toMatch(
      /^error sunset-is-no-date\n {2}`page` in the result of order_place is removed, and its x-sunset was soon, which is not a date/,
    )
  })

  it('whose text is written otherwise', async () => {
    const [before, after] = [
      page({ contentEncoding: 'base64', contentMediaType: 'image/png' }),
      page({ contentEncoding: 'base32' }),
    ]
    expect(await asked(before, after)).toMatchInlineSnapshot(`
      "warning request-content-changed
        the contentEncoding of \`page\` in the param \`order\` of order_place is "base32" now, and was "base64"
        at new.openrpc.yaml:24 (old.openrpc.yaml:24)
        instead: keep the encoding, and send other content in a property of its own
      warning request-content-changed
        the contentMediaType of \`page\` in the param \`order\` of order_place is none now, and was "image/png"
        at new.openrpc.yaml:24 (old.openrpc.yaml:24)
        instead: keep the encoding, and send other content in a property of its own"
    `)
    expect(await answered(before, after)).toMatchInlineSnapshot(`
      "warning response-content-changed
        the contentEncoding of \`page\` in the result of order_place is "base32" now, and was "base64"
        at new.openrpc.yaml:24 (old.openrpc.yaml:24)
        instead: keep the encoding, and send other content in a property of its own
      warning response-content-changed
        the contentMediaType of \`page\` in the result of order_place is none now, and was "image/png"
        at new.openrpc.yaml:24 (old.openrpc.yaml:24)
        instead: keep the encoding, and send other content in a property of its own"
    `)
  })

  it('whose text is said to hold something else, in one schema of several', async () => {
    const named = (contentSchema: object) => ({ allOf: [page({}), page({ contentSchema })] })
    expect(
      await answered(named({ type: 'object' }), named({ type: 'array' })),
    ).toMatchInlineSnapshot(`
      "warning response-content-changed
        the contentSchema of \`page\` in the result of order_place is {"type":"array"} now, and was {"type":"object"}
        at new.openrpc.yaml:34 (old.openrpc.yaml:34)
        instead: keep the encoding, and send other content in a property of its own"
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
      "error response-unevaluated-no-longer-rejected
        the result of order_place can have items now that are not declared: clients do not expect it
        at new.openrpc.yaml:21 (old.openrpc.yaml:28)
        shown by: ["",0]
        instead: keep responding as before, or offer the new shape in an operation of its own"
    `)
  })

  it('and is no longer', async () => {
    expect(await asked(open, closed)).toMatchInlineSnapshot(`
      "error request-unevaluated-rejected
        the param \`order\` of order_place can no longer have items that are not declared: callers may be rejected
        at new.openrpc.yaml:28 (old.openrpc.yaml:21)
        shown by: ["",0]
        instead: keep accepting the old values, or offer the new shape in an operation of its own"
    `)
  })
})
