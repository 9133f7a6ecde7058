import { describe, expect, it } from 'vitest'
import { changesOf, findingsOf, method } from './versions.js'

describe('methods', () => {
  it('operation-removed-without-deprecation, of a method', async () => {
    expect(
      await findingsOf(
        {
          rpc: `${method('').rpc}  - { name: order_list, params: [], result: { name: all, schema: {} } }
`,
        },
        method(''),
      ),
    ).toMatchInlineSnapshot(`
      "error operation-removed-without-deprecation
        order_list is removed without a deprecation: its callers are rejected
        at new.openrpc.yaml:5 (old.openrpc.yaml:9)
        instead: keep it, mark it deprecated with an x-sunset date, and remove it after that day"
    `)
  })

  it('params-reordered', async () => {
    expect(
      await findingsOf(
        method(
          'params: [{ name: a, schema: { type: string } }, { name: b, schema: { type: string } }]',
        ),
        method(
          'params: [{ name: b, schema: { type: string } }, { name: a, schema: { type: string } }]',
        ),
      ),
    ).toMatchInlineSnapshot(`
      "error params-reordered
        the params of order_get have another order now (\`b\` is number 1 and was number 2): calls by position give values to the wrong params
        at new.openrpc.yaml:6 (old.openrpc.yaml:6)
        instead: keep the order, and add new params at the end"
    `)
  })

  it('an order that nobody sees by name', async () => {
    expect(
      await findingsOf(
        method(`paramStructure: by-name
params: [{ name: a, schema: { type: string } }, { name: b, schema: { type: string } }]`),
        method(`paramStructure: by-name
params: [{ name: b, schema: { type: string } }, { name: a, schema: { type: string } }]`),
      ),
    ).toMatchInlineSnapshot(`""`)
  })

  it('params-shifted', async () => {
    expect(
      await findingsOf(
        method('params: [{ name: a, schema: { type: string } }]'),
        method(
          'params: [{ name: z, schema: { type: integer } }, { name: a, schema: { type: string } }]',
        ),
      ),
    ).toMatchInlineSnapshot(`
      "error params-shifted
        \`z\` is added before other params of order_get (\`a\` is number 2 and was number 1): calls by position give values to the wrong params
        at new.openrpc.yaml:6 (old.openrpc.yaml:6)
        instead: keep the order, and add new params at the end
      note parameter-added-optional
        the param \`z\` of order_get is new and optional
        at new.openrpc.yaml:6 (old.openrpc.yaml:6)"
    `)
  })

  it('parameter-added-required, of a method', async () => {
    expect(
      await findingsOf(
        method(''),
        method('params: [{ name: a, schema: { type: string }, required: true }]'),
      ),
    ).toMatchInlineSnapshot(`
      "error parameter-added-required
        the param \`a\` of order_get is new and required: callers who do not send it are rejected
        at new.openrpc.yaml:6 (old.openrpc.yaml:7)
        instead: make it optional, and describe what its absence means"
    `)
  })

  it('parameter-added-optional, of a method', async () => {
    expect(
      await findingsOf(method(''), method('params: [{ name: a, schema: { type: string } }]')),
    ).toMatchInlineSnapshot(`
      "note parameter-added-optional
        the param \`a\` of order_get is new and optional
        at new.openrpc.yaml:6 (old.openrpc.yaml:7)"
    `)
  })

  it('param-removed', async () => {
    expect(
      await findingsOf(method('params: [{ name: a, schema: { type: string } }]'), method('')),
    ).toMatchInlineSnapshot(`
      "error param-removed
        the param \`a\` of order_get is removed: the service rejects it
        at new.openrpc.yaml:7 (old.openrpc.yaml:6)
        instead: keep it, mark it deprecated, and remove it later"
    `)
  })

  it('param-renamed', async () => {
    expect(
      await findingsOf(
        method('params: [{ name: a, schema: { type: string } }]'),
        method('params: [{ name: b, schema: { type: string } }]'),
      ),
    ).toMatchInlineSnapshot(`
      "error param-renamed
        the param \`a\` of order_get is named \`b\` now: the service does not read the old name in calls by name
        at new.openrpc.yaml:6 (old.openrpc.yaml:6)
        instead: keep the name, or allow calls by position only"
    `)
  })

  it('param-title-changed', async () => {
    expect(
      await findingsOf(
        method(`paramStructure: by-position
params: [{ name: a, schema: { type: string } }]`),
        method(`paramStructure: by-position
params: [{ name: b, schema: { type: string } }]`),
      ),
    ).toMatchInlineSnapshot(`
      "note param-title-changed
        the param \`a\` of order_get is named \`b\` now
        at new.openrpc.yaml:7 (old.openrpc.yaml:7)"
    `)
  })

  it('parameter-became-required, of a method', async () => {
    expect(
      await findingsOf(
        method('params: [{ name: a, schema: { type: string } }]'),
        method('params: [{ name: a, schema: { type: string }, required: true }]'),
      ),
    ).toMatchInlineSnapshot(`
      "error parameter-became-required
        the param \`a\` of order_get is required now: callers who omit it are rejected
        at new.openrpc.yaml:6 (old.openrpc.yaml:6)
        instead: keep it optional, and describe what its absence means"
    `)
  })

  it('parameter-default-changed, of a method', async () => {
    expect(
      await findingsOf(
        method('params: [{ name: a, schema: { type: string, default: x } }]'),
        method('params: [{ name: a, schema: { type: string } }]'),
      ),
    ).toMatchInlineSnapshot(`
      "error parameter-default-changed
        the default of the param \`a\` of order_get is none now, and was "x": callers who omit it get other results
        at new.openrpc.yaml:6 (old.openrpc.yaml:6)
        instead: keep the default"
    `)
  })

  it('param-structure-narrowed', async () => {
    expect(
      await findingsOf(method('paramStructure: either'), method('paramStructure: by-name')),
    ).toMatchInlineSnapshot(`
      "error param-structure-narrowed
        the params of order_get can only be sent by name now: callers who send them by position are rejected
        at new.openrpc.yaml:6 (old.openrpc.yaml:6)
        instead: keep allowing both, by position and by name"
    `)
  })

  it('param-structure-widened', async () => {
    expect(
      await findingsOf(method('paramStructure: by-name'), method('paramStructure: either')),
    ).toMatchInlineSnapshot(`
      "note param-structure-widened
        the params of order_get can be sent by position and by name now
        at new.openrpc.yaml:6 (old.openrpc.yaml:6)"
    `)
  })

  it('result-removed', async () => {
    expect(
      await findingsOf(method(''), method('summary: no-result\n    x-direction: client')),
    ).toMatchInlineSnapshot(`
      "error result-removed
        order_get is a notification now: callers who wait for a result receive none
        at new.openrpc.yaml:5 (old.openrpc.yaml:8)
        instead: keep returning a result, and offer the notification under another name"
    `)
  })

  it('result-added', async () => {
    expect(
      await findingsOf(method('summary: no-result\n    x-direction: client'), method('')),
    ).toMatchInlineSnapshot(`
      "note result-added
        order_get returns a result now
        at new.openrpc.yaml:8 (old.openrpc.yaml:5)"
    `)
  })

  it('error-code-added', async () => {
    expect(
      await findingsOf(method(''), method('errors: [{ code: -32050, message: none }]')),
    ).toMatchInlineSnapshot(`
      "note error-code-added
        order_get may return the error -32050 (none) now
        at new.openrpc.yaml:6 (old.openrpc.yaml:5)"
    `)
  })

  it('error-code-removed', async () => {
    expect(
      await findingsOf(method('errors: [{ code: -32050, message: none }]'), method('')),
    ).toMatchInlineSnapshot(`
      "note error-code-removed
        order_get no longer declares the error -32050 (none)
        at new.openrpc.yaml:5 (old.openrpc.yaml:6)"
    `)
  })

  it('error-code-replaced', async () => {
    expect(
      await findingsOf(
        method('errors: [{ code: -32050, message: none }]'),
        method('errors: [{ code: -32051, message: none }]'),
      ),
    ).toMatchInlineSnapshot(`
      "warning error-code-replaced
        order_get no longer declares the error -32050 (none) and declares -32051 now: callers who look for -32050 may miss it
        at new.openrpc.yaml:6 (old.openrpc.yaml:6)
        instead: keep the code, by which callers recognise the error, and change the message
      note error-code-added
        order_get may return the error -32051 (none) now
        at new.openrpc.yaml:6 (old.openrpc.yaml:6)"
    `)
  })

  it('tells of a default once', async () => {
    const param = (value: number) =>
      method(`params: [{ name: size, schema: { type: integer, default: ${value} } }]`)
    const changes = await changesOf(param(1), param(2))
    expect(changes.map(({ rule }) => rule)).toEqual(['parameter-default-changed'])
  })

  it('error-message-changed', async () => {
    expect(
      await findingsOf(
        method('errors: [{ code: -32050, message: none }]'),
        method('errors: [{ code: -32050, message: gone }]'),
      ),
    ).toMatchInlineSnapshot(`
      "note error-message-changed
        the message of the error -32050 of order_get is "gone" now, and was "none"
        at new.openrpc.yaml:6 (old.openrpc.yaml:6)"
    `)
  })

  it('error-data-added and error-data-changed', async () => {
    const error = (data: string) => method(`errors: [{ code: -32050, message: none${data} }]`)
    const [none, was] = [error(''), error(', data: { reason: text }')]
    const is = error(', data: { reason: code }')
    const found = [
      await findingsOf(none, was),
      await findingsOf(was, is),
      await findingsOf(was, none),
    ]
    expect(found.join('\n')).toMatchInlineSnapshot(`
      "note error-data-added
        the error -32050 of order_get declares \`data\` now
        at new.openrpc.yaml:6 (old.openrpc.yaml:6)
      warning error-data-changed
        the error -32050 of order_get declares other \`data\` now: clients that read it may fail
        at new.openrpc.yaml:6 (old.openrpc.yaml:6)
        instead: keep the data as it is, or declare another error code
      warning error-data-changed
        the error -32050 of order_get no longer declares \`data\`: clients that read it may fail
        at new.openrpc.yaml:6 (old.openrpc.yaml:6)
        instead: keep the data as it is, or declare another error code"
    `)
  })

  it('link-removed, link-added and link-changed', async () => {
    const links = (list: string) => method(`links: [${list}]`)
    const next = links('{ name: next, method: put }')
    const found = [
      await findingsOf(next, method('')),
      await findingsOf(method(''), next),
      await findingsOf(next, links('{ name: next, method: get }')),
    ]
    expect(found.join('\n')).toMatchInlineSnapshot(`
      "warning link-removed
        the link \`next\` of order_get is removed
        at new.openrpc.yaml:5 (old.openrpc.yaml:6)
        instead: keep the link
      note link-added
        the link \`next\` of order_get is new
        at new.openrpc.yaml:6 (old.openrpc.yaml:5)
      warning link-changed
        the link \`next\` of order_get leads to get now, not to put
        at new.openrpc.yaml:6 (old.openrpc.yaml:6)
        instead: keep the link, and add one with another name"
    `)
  })

  it('compares the servers that a method has of its own', async () => {
    const main = 'servers: [{ url: https://a.example }]'
    const own = method('servers: [{ url: https://b.example }]', main)
    const found = await changesOf(method('', main), own)
    expect(found.map(({ level, rule }) => `${level} ${rule}`)).toEqual([
      'warning server-removed',
      'note server-added',
    ])
    expect(await changesOf(own, own)).toEqual([])
  })
})
