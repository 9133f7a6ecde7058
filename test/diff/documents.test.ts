import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FORMATS } from '../../src/report/formats.js'
import { folderOf, twinspec } from '../cli/command-line.js'
import { findingsIn } from '../report/report-of.js'

/** Compares two texts of one kind of document, as a user does; `said` is what `--format json` prints. */
const compare = async (before: string, after: string, kind: 'openapi' | 'openrpc' = 'openapi') => {
  const folder = await folderOf({ 'old.yaml': before, 'new.yaml': after })
  const files = [`--${kind}`, join(folder, 'new.yaml'), '--against', join(folder, 'old.yaml')]
  const json = await twinspec('diff', ...files, '--format', 'json')
  const text = await twinspec('diff', ...files)
  const findings = findingsIn(json.stdout)
  return {
    findings,
    code: json.code,
    text: text.stdout,
    summary: text.stderr,
    rules: findings.map(({ level, rule }) => `${level} ${rule}`),
  }
}

const openapi = (rest: string) => `openapi: 3.1.0\ninfo: { title: Shop, version: '1' }\n${rest}`

describe('webhooks are compared, with the direction reversed', () => {
  const webhook = (operation: string, method = 'post') =>
    openapi(`webhooks: { orderCreated: { ${method}: { ${operation} } } }\n`)
  const body = (schema: string, required = true) =>
    `requestBody: { required: ${required}, content: { application/json: { schema: ${schema} } } }`
  const ok = "responses: { '200': { description: ok } }"
  const was = webhook(
    `${body('{ type: object, required: [id], properties: { id: { type: string } } }')}, ${ok}`,
  )

  it('the payload may not get wider', async () => {
    const { code, rules } = await compare(
      was,
      webhook(`${body('{ type: object, properties: { id: { type: integer } } }')}, ${ok}`),
    )
    expect(code).toBe(1)
    expect(rules).toContain('error response-property-became-optional')
    expect(rules).toContain('error response-type-widened')
  })

  it('the payload may not become optional, nor the method or the expected status change', async () => {
    const schema = '{ type: object, required: [id], properties: { id: { type: string } } }'
    const changed = `responses: { '201': { description: ok } }`
    const { rules } = await compare(was, webhook(`${body(schema, false)}, ${changed}`, 'put'))
    expect(rules.filter((rule) => rule.startsWith('error')).sort()).toEqual([
      'error callback-method-changed',
      'error outgoing-body-became-optional',
      'error reply-status-removed',
    ])
  })

  it('a payload that promises more breaks nobody', async () => {
    const more =
      '{ type: object, required: [id, at], properties: { id: { type: string, maxLength: 9 }, at: { type: string } } }'
    const { code, rules } = await compare(was, webhook(`${body(more)}, ${ok}`))
    expect(code).toBe(0)
    expect(rules.filter((rule) => !rule.startsWith('note'))).toEqual([])
  })
})

describe('callbacks are compared', () => {
  const callback = (callbacks: string) =>
    openapi(`paths:
  /orders:
    post:
      operationId: order
      responses: { '200': { description: ok } }
${callbacks}`)
  const done = (schema: string) =>
    callback(`      callbacks: { done: { '{$request.body#/url}': { post: {
        requestBody: { required: true, content: { application/json: { schema: ${schema} } } },
        responses: { '200': { description: ok } } } } } }
`)

  it('a removed callback is an error', async () => {
    const { code, rules } = await compare(done('{ type: string }'), callback(''))
    expect(code).toBe(1)
    expect(rules).toEqual(['error callback-removed'])
  })

  it('a new callback is a note', async () => {
    const { code, rules } = await compare(callback(''), done('{ type: string }'))
    expect(code).toBe(0)
    expect(rules).toEqual(['note callback-added'])
  })

  it('the payload of a callback may not get wider', async () => {
    const { rules } = await compare(done('{ type: string }'), done('{ type: [string, "null"] }'))
    expect(rules).toEqual(['error response-became-nullable'])
  })
})

describe('discriminators and encodings are compared', () => {
  const pets = (discriminator: string) =>
    openapi(`paths:
  /pets:
    get:
      operationId: pets
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } } }
components:
  schemas:
    Pet: { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }], discriminator: { ${discriminator} } }
    Cat: { type: object, required: [kind, sort, meow], properties: { kind: { type: string }, sort: { type: string }, meow: { type: string } } }
    Dog: { type: object, required: [kind, sort, bark], properties: { kind: { type: string }, sort: { type: string }, bark: { type: string } } }
`)
  const upload = (type: string, encoding: string) =>
    openapi(`paths:
  /files:
    post:
      operationId: upload
      requestBody: { required: true, content: { ${type}: { schema: { type: object, properties: { part: { type: array, items: { type: string } } } }, encoding: { part: { ${encoding} } } } } }
      responses: { '204': { description: ok } }
`)

  it('a new value of the mapping is an error for readers, as a new value of an enum is', async () => {
    const { rules } = await compare(
      pets(
        "propertyName: kind, mapping: { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' }",
      ),
      pets(
        "propertyName: kind, mapping: { feline: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' }",
      ),
    )
    expect(rules).toEqual(['error response-value-added', 'note response-value-removed'])
  })

  it('another property of the discriminator is an error', async () => {
    const { code, rules } = await compare(pets('propertyName: kind'), pets('propertyName: sort'))
    expect(code).toBe(1)
    expect(rules).toEqual(['error response-discriminator-property-changed'])
  })

  it('another content type of a part, or another style of a field, is an error', async () => {
    const png = upload('multipart/form-data', 'contentType: image/png')
    const jpeg = upload('multipart/form-data', 'contentType: image/jpeg')
    expect((await compare(png, jpeg)).rules).toEqual(['error request-encoding-changed'])
    const form = upload('application/x-www-form-urlencoded', 'style: form, explode: true')
    const pipes = upload(
      'application/x-www-form-urlencoded',
      'style: pipeDelimited, explode: false',
    )
    expect((await compare(form, pipes)).rules).toEqual(['error request-encoding-changed'])
  })
})

describe('OAuth flows, servers of a method, links of a method and allowReserved are compared', () => {
  const oauth = (flows: string) =>
    openapi(`paths: { /o: { get: { operationId: o, security: [{ oauth: [read] }], responses: { '204': { description: ok } } } } }
components: { securitySchemes: { oauth: { type: oauth2, flows: { ${flows} } } } }
`)
  const flow = (name: string, host: string) =>
    `${name}: { tokenUrl: 'https://${host}.example/token', scopes: { read: Read } }`

  it('a removed OAuth flow is an error, another tokenUrl a warning', async () => {
    const { rules } = await compare(
      oauth(`${flow('clientCredentials', 'a')}, ${flow('password', 'a')}`),
      oauth(flow('clientCredentials', 'b')),
    )
    expect(rules).toEqual(['error oauth-flow-removed', 'warning oauth-url-changed'])
  })

  const methods = (rest: string) => `openrpc: 1.3.2
info: { title: Shop, version: '1' }
servers: [{ name: main, url: 'https://a.example/rpc' }]
methods:
  - { name: get, params: [], result: { name: r, schema: { type: string } }${rest} }
  - { name: put, params: [{ name: a, schema: { type: string } }], result: { name: r, schema: { type: string } } }
`

  it('a method with servers of its own leaves those of the document', async () => {
    const own = methods(", servers: [{ name: other, url: 'https://other.example/rpc' }]")
    const { rules } = await compare(methods(''), own, 'openrpc')
    expect(rules).toEqual(['warning server-removed', 'note server-added'])
  })

  it('a removed link of a method is a warning', async () => {
    const linked = methods(", links: [{ name: next, method: put, params: { a: '$result' } }]")
    expect((await compare(linked, methods(''), 'openrpc')).rules).toEqual(['warning link-removed'])
  })

  it('a withdrawn allowReserved is a warning', async () => {
    const query = (rest: string) =>
      openapi(
        `paths: { /o: { get: { operationId: o, parameters: [{ name: q, in: query, schema: { type: string }${rest} }], responses: { '204': { description: ok } } } } }\n`,
      )
    const { rules } = await compare(query(', allowReserved: true'), query(''))
    expect(rules).toEqual(['warning parameter-reserved-changed'])
  })
})

describe('allowEmptyValue, data of errors and security of webhooks are compared', () => {
  it('a query parameter that may no longer be empty is a warning', async () => {
    const version = (members: string) =>
      openapi(
        `paths: { /o: { get: { operationId: o, parameters: [{ name: q, in: query, schema: { type: string }${members} }], responses: { '204': { description: ok } } } } }\n`,
      )
    const [plain, empty] = [version(''), version(', allowEmptyValue: true')]
    expect((await compare(empty, plain)).rules).toEqual(['warning parameter-empty-value-rejected'])
    expect((await compare(plain, empty)).rules).toEqual(['note parameter-empty-value-accepted'])
    expect((await compare(empty, empty)).rules).toEqual([])
  })

  it('other data of an error is a warning, also behind a reference', async () => {
    const version = (data: string, type = 'string') =>
      `openrpc: 1.3.2\ninfo: { title: Chain, version: '1' }\nmethods:\n  - name: call\n    params: []\n    result: { name: r, schema: { type: string } }\n    errors: [{ code: 40, message: Failed${data} }]\ncomponents: { schemas: { Cause: { type: ${type} } } }\n`
    const none = version('')
    const own = version(', data: { revert_error: { type: string } }')
    const other = version(', data: { revert_error: { type: object } }')
    const referring = ", data: { $ref: '#/components/schemas/Cause' }"
    const rules = async (before: string, after: string) =>
      (await compare(before, after, 'openrpc')).rules
    expect(await rules(own, other)).toEqual(['warning error-data-changed'])
    expect(await rules(own, none)).toEqual(['warning error-data-changed'])
    expect(await rules(none, own)).toEqual(['note error-data-added'])
    expect(await rules(version(referring), version(referring, 'object'))).toEqual([
      'warning error-data-changed',
    ])
    expect(await rules(own, own)).toEqual([])
  })

  it('other credentials of a webhook or a callback are a warning', async () => {
    const schemes =
      'components: { securitySchemes: { old: { type: http, scheme: basic }, new: { type: http, scheme: bearer } } }\n'
    const webhook = (security: string) =>
      openapi(
        `webhooks: { paid: { post: { ${security}responses: { '204': { description: ok } } } } }\n${schemes}`,
      )
    const callback = (security: string) =>
      openapi(
        `paths: { /o: { post: { operationId: o, responses: { '204': { description: ok } }, callbacks: { done: { '{$request.query.url}': { post: { ${security}responses: { '204': { description: ok } } } } } } } } }\n${schemes}`,
      )
    for (const version of [webhook, callback]) {
      const [none, was, is] = ['', 'security: [{ old: [] }], ', 'security: [{ new: [] }], '].map(
        version,
      ) as [string, string, string]
      expect((await compare(was, is)).rules).toEqual(['warning outgoing-security-changed'])
      expect((await compare(was, none)).rules).toEqual(['warning outgoing-security-changed'])
      expect((await compare(none, was)).rules).toEqual(['note outgoing-security-added'])
      expect((await compare(was, was)).rules).toEqual([])
    }
  })
})

describe('stability levels', () => {
  const level = (member: string) =>
    openapi(
      `paths: { /o: { get: { operationId: o, ${member} responses: { '204': { description: ok } } } } }\n`,
    )
  const rulesOf = async (before: string, after: string) =>
    (await compare(level(before), level(after))).rules

  it('the first level is a note, and so is the last one', async () => {
    const beta = 'x-stability-level: beta,'
    expect(await rulesOf('', beta)).toEqual(['note stability-declaration-changed'])
    expect(await rulesOf(beta, '')).toEqual(['note stability-declaration-changed'])
  })

  it('a level that does not exist is reported in either version', async () => {
    const [ga, alpha] = ['x-stability-level: ga,', 'x-stability-level: alpha,']
    expect(await rulesOf(ga, alpha)).toEqual(['error stability-is-unknown'])
    // The old level bounds how bad a change can be.
    expect(await rulesOf(alpha, ga)).toEqual(['note stability-is-unknown'])
  })
})

describe('the summary says what was not compared', () => {
  const query = (members: string, rest = '') =>
    openapi(
      `paths: { /o: { get: { operationId: o, parameters: [{ name: q, in: query, schema: { type: string }${members} }], responses: { '204': { description: ok } } } } }\n${rest}`,
    )

  it('"nothing changed" is said of documents that do not differ, however they are written', async () => {
    const reordered = query('').replace(
      '{ name: q, in: query,',
      '{ in: query, name: q, # the same\n ',
    )
    expect((await compare(query(''), reordered)).summary).toBe('nothing changed\n')
  })

  it('another order of parameters differs without an effect', async () => {
    const [first, second] = ['{ name: a, in: query }', '{ name: b, in: query }']
    const version = (list: string) =>
      openapi(
        `paths: { /o: { get: { operationId: o, parameters: [${list}], responses: { '204': { description: ok } } } } }\n`,
      )
    const { code, text } = await compare(
      version(`${first}, ${second}`),
      version(`${second}, ${first}`),
    )
    expect(code).toBe(0)
    expect(text).toMatch(/^differs without an effect\n {2}.*\/parameters\/0\n$/)
  })

  it('a description differs without an effect', async () => {
    const { code, findings, summary, text } = await compare(
      query(''),
      query(', description: a word'),
    )
    expect({ code, findings }).toEqual({ code: 0, findings: [] })
    expect(summary).toBe('no part that Twinspec compares changed\n')
    expect(text).toMatch(
      /^differs without an effect\n {2}.*new\.yaml:\d+:\d+ \/paths\/~1o\/get\/parameters\/0\/description\n$/,
    )
  })

  it('what no rule looks at is named, beside changes and without them', async () => {
    const header = (members: string) =>
      query('').replace(
        '{ description: ok }',
        `{ description: ok, headers: { x-left: { schema: { type: array }${members} } } }`,
      )
    const other = header(', explode: true')
    const alone = await compare(header(''), other)
    expect(alone.summary).toBe('no part that Twinspec compares changed\n')
    expect(alone.text).toMatch(/^not compared\n {2}.*\/explode\n$/)
    const beside = await compare(header(''), other.replace('operationId: o', 'operationId: other'))
    expect(beside.summary).toMatch(/^1 warning: .*\n$/)
    expect(beside.text).toMatch(/\n\nnot compared\n {2}.*\/explode\n$/)
  })

  it('a component that no operation uses is not compared', async () => {
    const unused = (type: string) =>
      query('', `components: { schemas: { Unused: { type: ${type} } } }\n`)
    const { text } = await compare(unused('string'), unused('integer'))
    expect(text).toMatch(/not compared\n {2}.*\/components\/schemas\/Unused\n$/)
  })
})

describe('the sentences of findings', () => {
  const query = (schema: string) =>
    openapi(
      `paths: { /o: { get: { operationId: o, parameters: [{ name: q, in: query, required: true, schema: ${schema} }], responses: { '204': { description: ok } } } } }\n`,
    )
  const response = (schema: string, path = '/o', rest = '') =>
    openapi(`paths:
  ${path}: { get: { operationId: o, responses: { '200': { description: ok, content: { application/json: { schema: ${schema} } } } } } }
${rest}`)
  const messagesOf = async (before: string, after: string) =>
    (await compare(before, after)).findings.map(({ message }) => message)

  it('an exclusive bound is worded as one', async () => {
    const [message] = await messagesOf(
      query('{ type: integer, minimum: 5 }'),
      query('{ type: integer, exclusiveMinimum: 5 }'),
    )
    expect(message).toContain('must be more than 5 now; 5 itself was accepted')
  })

  it('a new alternative is named as one', async () => {
    const alternative = (name: string, type: string) =>
      `{ type: object, additionalProperties: false, required: [${name}], properties: { ${name}: { type: ${type} } } }`
    const union = (...all: readonly string[]) => response(`{ oneOf: [${all.join(', ')}] }`)
    const [message] = await messagesOf(
      union(alternative('error', 'string'), alternative('ok', 'boolean')),
      union(alternative('error', 'string'), alternative('ok', 'string')),
    )
    expect(message).toContain('alternative')
    expect(message).not.toContain('is removed')
  })

  it('one cause is one finding, with what follows from it in every format', async () => {
    const typed =
      '{ type: object, required: [a, b], properties: { a: { type: string }, b: { type: string } } }'
    const folder = await folderOf({
      'old.yaml': response(typed),
      'new.yaml': response('{ title: Free }'),
    })
    const args = [
      'diff',
      '--openapi',
      join(folder, 'new.yaml'),
      '--against',
      join(folder, 'old.yaml'),
    ]
    const json = findingsIn((await twinspec(...args, '--format', 'json')).stdout)
    expect(json).toHaveLength(1)
    expect(json[0]?.message).toContain('the 200 response of GET /o may be any value now')
    expect(json[0]?.consequences?.length).toBeGreaterThan(1)
    for (const format of Object.keys(FORMATS).filter((name) => name !== 'json')) {
      expect((await twinspec(...args, '--format', format)).stdout).toMatch(
        /follows: |<dt>follows<\/dt>/,
      )
    }
  })

  it('the same change of a shared schema is one finding with all operations', async () => {
    const shared = (type: string) =>
      openapi(`paths:
  /a: { get: { operationId: a, responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } } } } }
  /b: { get: { operationId: b, responses: { '201': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Order' } } } } } } } }
components: { schemas: { Order: { type: object, properties: { id: { type: ${type} } } } } }
`)
    const { findings } = await compare(shared('string'), shared('[string, "null"]'))
    expect(findings).toMatchObject([{ operations: ['GET /a', 'GET /b'] }])
  })

  it('a sentence names the property and its place, and says nothing about missing witnesses', async () => {
    const closed = (extra: string) =>
      response(`{ type: object, properties: { created: { type: string } }${extra} }`)
    const [message] = await messagesOf(closed(', required: [created]'), closed(''))
    expect(message).toBe(
      '`created` in the 200 response of GET /o may be absent now; it was always present: clients do not expect it',
    )
    const [rejected] = await messagesOf(
      query('{ type: object, properties: { a: { type: string } } }'),
      query('{ type: object, properties: { a: { type: string } }, unevaluatedProperties: false }'),
    )
    expect(rejected).toContain('can no longer have properties that are not declared')
  })
})

describe('faults that no caller notices', () => {
  const paths = (...all: readonly string[]) => openapi(`paths:\n${all.join('')}`)
  const get = (path: string, schema: string) =>
    `  ${path}: { get: { operationId: same, responses: { '200': { description: ok, content: { application/json: { schema: ${schema} } } } } } }\n`

  it('a duplicate operationId is a finding, and the comparison goes on', async () => {
    const { code, rules } = await compare(
      paths(get('/a', '{ type: string }'), get('/b', '{ type: string }')),
      paths(get('/a', '{ type: [string, "null"] }'), get('/b', '{ type: string }')),
    )
    expect(code).toBe(1)
    expect(rules).toEqual(['error response-became-nullable', 'warning operation-id-not-unique'])
  })

  it('an empty enum or oneOf is a finding, and the comparison goes on', async () => {
    const object = (rest: string) =>
      `{ type: object, properties: { a: { enum: [] }, b: { oneOf: [] }${rest} } }`
    const { code, rules } = await compare(
      paths(get('/a', object(''))),
      paths(get('/a', object(', c: { type: string }'))),
    )
    expect(code).toBe(0)
    expect(rules).toEqual([
      'note response-property-added',
      'warning schema-unsatisfiable',
      'warning schema-unsatisfiable',
    ])
  })
})
