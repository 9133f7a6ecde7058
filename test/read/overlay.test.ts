import { describe, expect, it } from 'vitest'
import { DocumentError, type Finding } from '../../src/model/finding.js'
import { parseDocument, valueAt } from '../../src/read/document.js'
import { applyOverlays } from '../../src/read/overlay.js'

const OPENAPI = `openapi: 3.0.3
info:
  title: Orders
  description: As written
servers:
  - url: https://one.example
  - url: https://two.example
tags: [a, b, c]
paths:
  /orders:
    get: { operationId: list, x-internal: false }
    post: { operationId: create, x-internal: true }
  /health:
    get: { operationId: health, x-internal: true }
`

const OPENRPC = `openrpc: 1.3.2
info: { title: Chain, version: '1' }
methods:
  - { name: eth_call, params: [] }
  - { name: eth_send, params: [] }
  - { name: debug_trace, params: [] }
`

const openapi = () => parseDocument(OPENAPI, 'spec/openapi.yaml')
const openrpc = () => parseDocument(OPENRPC, 'spec/openrpc.yaml')

const overlay = (actions: string, head = '', file = 'spec/o.yaml') =>
  parseDocument(
    `overlay: 1.1.0\ninfo: { title: O, version: '1' }\n${head}actions:\n${actions}`,
    file,
  )

const applied = (document: string, ...actions: readonly string[]) => {
  const findings: Finding[] = []
  const [result] = applyOverlays(
    [parseDocument(document, 'spec/openapi.yaml')],
    actions.map((one) => overlay(one)),
    (one) => findings.push(one),
  )
  if (result === undefined) throw new Error('there is no document')
  return { value: result.value, findings, document: result }
}

const rejected = (actions: string, head = '') => {
  try {
    applyOverlays([openapi()], [overlay(actions, head)], () => undefined)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    const { rule, level, location } = error.finding
    return { rule, level, place: `${location.file}:${location.line}`, pointer: location.pointer }
  }
  return undefined
}

/** The pair of file and line of a node. */
const placeIn = (document: ReturnType<typeof openapi>, pointer: string) => {
  const { file, line, pointer: found } = document.locate(pointer)
  return `${file}:${line} ${found}`
}

describe('actions of an overlay', () => {
  it.each<[string, string, object]>([
    [
      'a member of an object is replaced, and others stay',
      "  - { target: $.info, update: { description: New, version: '2' } }",
      { info: { title: 'Orders', description: 'New', version: '2' } },
    ],
    [
      'objects are merged at any depth',
      '  - { target: $, update: { paths: { /orders: { get: { summary: All } } } } }',
      { paths: { '/orders': { get: { operationId: 'list', summary: 'All' } } } },
    ],
    [
      'an object is appended to an array',
      '  - { target: $.servers, update: { url: https://three.example } }',
      { servers: [{}, {}, { url: 'https://three.example' }] },
    ],
    [
      'a list is appended to an array, item by item',
      '  - { target: $, update: { servers: [{ url: https://three.example }] } }',
      { servers: [{}, {}, { url: 'https://three.example' }] },
    ],
    [
      'a value is appended to an array',
      '  - { target: $.tags, update: d }',
      { tags: ['a', 'b', 'c', 'd'] },
    ],
    [
      'a value is replaced',
      '  - { target: $.info.description, update: New }',
      { info: { description: 'New' } },
    ],
    [
      'a value in an array is replaced',
      "  - { target: '$.tags[1]', update: B }",
      { tags: ['a', 'B', 'c'] },
    ],
    [
      'a server list is removed and written again',
      '  - { target: $.servers, remove: true }\n  - { target: $, update: { servers: [{ url: https://new.example }] } }',
      { servers: [{ url: 'https://new.example' }] },
    ],
    [
      'a node is copied',
      '  - { target: \'$.paths["/health"]\', copy: \'$.paths["/orders"]\' }',
      { paths: { '/health': { get: { operationId: 'list' }, post: { operationId: 'create' } } } },
    ],
    [
      'remove wins over update',
      '  - { target: $.info.description, update: New, remove: true }',
      { info: { title: 'Orders' } },
    ],
  ])('%s', (_, actions, expected) => {
    const { value, findings } = applied(OPENAPI, actions)
    expect(value).toMatchObject(expected)
    expect(findings).toEqual([])
  })

  it('removes one operation, and leaves the others of its path', () => {
    const { value } = applied(OPENAPI, '  - { target: "$.paths[\'/orders\'].post", remove: true }')
    expect(
      Object.keys(Object(valueAt({ document: { value }, pointer: '/paths/~1orders' }))),
    ).toEqual(['get'])
  })

  it('removes many by a wildcard', () => {
    const { value } = applied(OPENAPI, '  - { target: $.paths.*.get, remove: true }')
    expect(value).toMatchObject({ paths: { '/orders': { post: {} }, '/health': {} } })
    expect(JSON.stringify(value)).not.toContain('"get"')
  })

  it('removes many by a filter', () => {
    const { value } = applied(
      OPENAPI,
      '  - { target: \'$.paths.*[?@["x-internal"]==true]\', remove: true }',
    )
    expect(JSON.stringify(value)).toMatch(/list/)
    expect(JSON.stringify(value)).not.toMatch(/create|"operationId":"health"/)
  })

  it.each([
    ["$.tags[?@ == 'a' || @ == 'c']", ['b']],
    ['$.tags[0,1]', ['c']],
    ['$.tags[1,0,1]', ['c']],
    ['$.tags[-1]', ['a', 'b']],
    ['$.tags[*]', []],
  ])('removes items of an array by the index that they had: %s', (target, left) => {
    const { value } = applied(OPENAPI, `  - { target: "${target}", remove: true }`)
    expect(value).toHaveProperty('tags', left)
  })

  it('applies actions to the result of the ones before, and overlays in their order', () => {
    const first = '  - { target: $.info, update: { description: First } }'
    const second =
      '  - { target: $.info, update: { description: Second } }\n  - { target: "$.info[?@ == \'Second\']", update: Third }'
    expect(applied(OPENAPI, first, second).value).toHaveProperty('info.description', 'Third')
    expect(applied(OPENAPI, second, first).value).toHaveProperty('info.description', 'First')
  })

  it('changes a JSON-RPC method by its name', () => {
    const { value } = applied(
      OPENRPC,
      '  - { target: "$.methods[?@.name==\'eth_call\']", update: { summary: Calls } }\n  - { target: "$.methods[?match(@.name, \'debug_.*\')]", remove: true }',
    )
    expect(value).toHaveProperty('methods', [
      { name: 'eth_call', params: [], summary: 'Calls' },
      { name: 'eth_send', params: [] },
    ])
  })

  it('writes each node once, so that a later action changes one of them', () => {
    const actions =
      "  - { target: $.paths.*.get, update: { x-limits: { rate: 1 } } }\n  - { target: \"$.paths['/orders'].get['x-limits']\", update: { rate: 2 } }"
    const { value } = applied(OPENAPI, actions)
    const limits = ['get', 'x-limits', 'rate']
    expect(value).toHaveProperty(['paths', '/orders', ...limits], 2)
    expect(value).toHaveProperty(['paths', '/health', ...limits], 1)
  })

  it('copies a node as it was before the action, also to several nodes and to itself', () => {
    const { value } = applied(
      OPENAPI,
      `  - { target: "$.paths['/orders']", update: { tags: [a] } }
  - { target: $.paths.*, copy: "$.paths['/orders']" }`,
    )
    expect(value).toHaveProperty(['paths', '/orders', 'tags'], ['a', 'a'])
    expect(value).toHaveProperty(['paths', '/health', 'tags'], ['a'])
  })

  it('does not change the document as read', () => {
    const document = openapi()
    const before = JSON.stringify(document.value)
    applyOverlays(
      [document],
      [overlay('  - { target: $.info, update: { title: New } }')],
      () => undefined,
    )
    expect(JSON.stringify(document.value)).toBe(before)
  })
})

describe('places of overlaid nodes', () => {
  it('a node of the overlay is there, and every other one where it was written', () => {
    const { document } = applied(
      OPENAPI,
      "  - target: $.paths.*.get\n    update:\n      responses:\n        '200': { description: OK }",
    )
    const at = (...rest: readonly string[]) => placeIn(document, rest.join(''))
    expect(at('/paths/~1orders/get/responses/200/description')).toBe(
      'spec/o.yaml:7 /actions/0/update/responses/200/description',
    )
    expect(at('/paths/~1health/get/responses')).toBe('spec/o.yaml:7 /actions/0/update/responses')
    expect(at('/paths/~1health/get')).toBe('spec/openapi.yaml:14 /paths/~1health/get')
    expect(at('/paths/~1health/get/operationId')).toBe(
      'spec/openapi.yaml:14 /paths/~1health/get/operationId',
    )
  })

  it('items of an array keep their place when others are removed or added', () => {
    const { document } = applied(
      OPENAPI,
      "  - { target: '$.servers[0]', remove: true }\n  - { target: $.servers, update: { url: https://three.example } }\n  - { target: '$.servers[0]', update: { description: Two } }",
    )
    expect(placeIn(document, '/servers/0/url')).toBe('spec/openapi.yaml:7 /servers/1/url')
    expect(placeIn(document, '/servers/0/description')).toBe(
      'spec/o.yaml:6 /actions/2/update/description',
    )
    expect(placeIn(document, '/servers/1')).toBe('spec/o.yaml:5 /actions/1/update')
    expect(placeIn(document, '/servers/1/url')).toBe('spec/o.yaml:5 /actions/1/update/url')
  })

  it('a removed node that a later action writes again is in the overlay', () => {
    const { document } = applied(
      OPENAPI,
      '  - { target: $.info, update: { description: A } }\n  - { target: $.info.description, remove: true }\n  - { target: $.info, update: { description: B } }',
    )
    expect(placeIn(document, '/info/description')).toBe(
      'spec/o.yaml:6 /actions/2/update/description',
    )
  })

  it('a removed node has the place of what it was in', () => {
    const { document } = applied(OPENAPI, '  - { target: $.info.description, remove: true }')
    expect(placeIn(document, '/info/description')).toBe('spec/openapi.yaml:3 /info')
  })

  it('a copied node is where it was written', () => {
    const { document } = applied(
      OPENAPI,
      '  - { target: "$.paths[\'/orders\'].get", update: { summary: All } }\n  - { target: "$.paths[\'/health\']", copy: "$.paths[\'/orders\']" }',
    )
    expect(placeIn(document, '/paths/~1health/post/operationId')).toBe(
      'spec/openapi.yaml:12 /paths/~1orders/post/operationId',
    )
    expect(placeIn(document, '/paths/~1health/get/summary')).toBe(
      'spec/o.yaml:4 /actions/0/update/summary',
    )
  })

  it('a long number of the overlay keeps its digits', () => {
    const { document } = applied(
      OPENAPI,
      '  - { target: $.info, update: { x-most: 9007199254740993 } }',
    )
    expect(document.numberText('/info/x-most')).toBe('9007199254740993')
  })
})

describe('which document an overlay changes', () => {
  const titles = (head: string) =>
    applyOverlays(
      [openapi(), openrpc()],
      [overlay('  - { target: $.info, update: { title: New } }', head)],
      () => undefined,
    ).map((document) => valueAt({ document, pointer: '/info/title' }))

  it.each([
    ['', ['New', 'New']],
    ['extends: ./openapi.yaml\n', ['New', 'Chain']],
    ['extends: openrpc.yaml\n', ['Orders', 'New']],
    // Another version of the document has another folder.
    ['extends: https://api.example.com/v1/openrpc.yaml\n', ['Orders', 'New']],
    ['extends: ../other.yaml\n', ['New', 'New']],
  ])('%j', (head, expected) => {
    expect(titles(head)).toEqual(expected)
  })

  it('a target that matches in one of two documents matches', () => {
    const findings: Finding[] = []
    const actions =
      '  - { target: $.methods, update: { name: eth_new, params: [] } }\n  - { target: $.channels, remove: true }'
    applyOverlays([openapi(), openrpc()], [overlay(actions)], (one) => findings.push(one))
    expect(
      findings.map(({ rule, level, location }) => [rule, level, location.line, location.pointer]),
    ).toEqual([['overlay-target-matches-nothing', 'warning', 5, '/actions/1/target']])
  })
})

describe('an invalid overlay is an error with its place', () => {
  it.each([
    ['  - { target: paths, remove: true }', '/actions/0/target'],
    ["  - { target: '$.paths[', remove: true }", '/actions/0/target'],
    ['  - { target: \'$.tags[?match(@, "(")]\', remove: true }', '/actions/0/target'],
    ['  - { target: $, remove: true }', '/actions/0/target'],
    ['  - { update: {} }', '/actions/0'],
    ['  - { target: $.info, updates: {} }', '/actions/0/updates'],
    ['  - { target: $.info, remove: yes please }', '/actions/0/remove'],
    ['  - { target: $.info, update: {}, copy: $.info }', '/actions/0'],
    ['  - { target: $.info, update: text }', '/actions/0/update'],
    ['  - { target: $.info.title, update: { a: 1 } }', '/actions/0/update'],
    ['  - { target: $, update: { servers: text } }', '/actions/0/update/servers'],
    ['  - { target: $, update: { info: null } }', '/actions/0/update/info'],
    ['  - { target: $.*, update: {} }', '/actions/0/target'],
    ['  - { target: $.info, copy: $.nothing }', '/actions/0/copy'],
    ['  - { target: $.info, copy: $.servers.* }', '/actions/0/copy'],
    ['  - text', '/actions/0'],
    ['  {}', '/actions'],
    ['  []', '/actions'],
  ])('%s', (actions, pointer) => {
    expect(rejected(actions)).toMatchObject({ rule: 'overlay-is-invalid', level: 'error', pointer })
  })

  it.each([
    ['overlay: 2.0.0\ninfo: { title: O, version: v }\nactions: [{ target: $ }]', '/overlay'],
    ['openapi: 3.0.3\ninfo: { title: O, version: v }\npaths: {}', ''],
    ['overlay: 1.0.0\ninfo: { title: O }\nactions: [{ target: $ }]', '/info'],
    [
      'overlay: 1.0.0\ninfo: { title: O, version: v }\nextends: 1\nactions: [{ target: $ }]',
      '/extends',
    ],
    ['overlay: 1.0.0\ninfo: { title: O, version: v }\naction: []', '/action'],
  ])('%s', (text, pointer) => {
    const overlays = [parseDocument(text, 'spec/o.yaml')]
    expect(() => applyOverlays([openapi()], overlays, () => undefined)).toThrow(
      expect.objectContaining({
        finding: expect.objectContaining({
          rule: 'overlay-is-invalid',
          location: expect.objectContaining({ file: 'spec/o.yaml', pointer }),
        }),
      }),
    )
  })

  it('a later minor version is read as 1.1, with a warning', () => {
    const findings: Finding[] = []
    const text =
      "overlay: 1.2.0\ninfo: { title: O, version: '1' }\nactions: [{ target: $.info, update: { title: New } }]"
    const [result] = applyOverlays([openapi()], [parseDocument(text, 'o.yaml')], (one) =>
      findings.push(one),
    )
    expect(result?.value).toMatchObject({ info: { title: 'New' } })
    expect(findings).toMatchObject([{ rule: 'document-version-is-newer', level: 'warning' }])
  })
})
