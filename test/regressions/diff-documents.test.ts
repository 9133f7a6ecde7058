import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderOf, twinspec } from './command-line.js'

type Finding = {
  readonly rule: string
  readonly level: string
  readonly message: string
  readonly location: { readonly pointer: string }
}

/** Compares two texts of one kind of document, as a user does; `said` is what `--format json` prints. */
const compare = async (before: string, after: string, kind: 'openapi' | 'openrpc' = 'openapi') => {
  const folder = await folderOf({ 'old.yaml': before, 'new.yaml': after })
  const files = [`--${kind}`, join(folder, 'new.yaml'), '--against', join(folder, 'old.yaml')]
  const json = await twinspec('diff', ...files, '--format', 'json')
  const text = await twinspec('diff', ...files)
  const findings = JSON.parse(json.stdout) as readonly Finding[]
  return {
    findings,
    code: json.code,
    text: text.stdout,
    summary: text.stderr,
    rules: findings.map(({ level, rule }) => `${level} ${rule}`),
  }
}

const openapi = (rest: string) => `openapi: 3.1.0\ninfo: { title: Shop, version: '1' }\n${rest}`

describe('D5: webhooks are compared, with the direction reversed', () => {
  const webhook = (operation: string, method = 'post') =>
    openapi(`webhooks: { orderCreated: { ${method}: { ${operation} } } }\n`)
  const body = (schema: string, required = true) =>
    `requestBody: { required: ${required}, content: { application/json: { schema: ${schema} } } }`
  const ok = "responses: { '200': { description: ok } }"
  const was = webhook(
    `${body('{ type: object, required: [id], properties: { id: { type: string } } }')}, ${ok}`,
  )

  it('D5: the payload may not get wider', async () => {
    const { code, rules } = await compare(
      was,
      webhook(`${body('{ type: object, properties: { id: { type: integer } } }')}, ${ok}`),
    )
    expect(code).toBe(1)
    expect(rules).toContain('error response-property-became-optional')
    expect(rules).toContain('error response-type-widened')
  })

  it('D5: the payload may not become optional, nor the method or the expected status change', async () => {
    const schema = '{ type: object, required: [id], properties: { id: { type: string } } }'
    const changed = `responses: { '201': { description: ok } }`
    const { rules } = await compare(was, webhook(`${body(schema, false)}, ${changed}`, 'put'))
    expect(rules.filter((rule) => rule.startsWith('error')).sort()).toEqual([
      'error outgoing-body-became-optional',
      'error outgoing-method-changed',
      'error reply-status-removed',
    ])
  })

  it('D5: a payload that promises more breaks nobody', async () => {
    const more =
      '{ type: object, required: [id, at], properties: { id: { type: string, maxLength: 9 }, at: { type: string } } }'
    const { code, rules } = await compare(was, webhook(`${body(more)}, ${ok}`))
    expect(code).toBe(0)
    expect(rules.filter((rule) => !rule.startsWith('note'))).toEqual([])
  })
})

describe('D6: callbacks are compared', () => {
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

  it('D6: a removed callback is an error', async () => {
    const { code, rules } = await compare(done('{ type: string }'), callback(''))
    expect(code).toBe(1)
    expect(rules).toEqual(['error callback-removed'])
  })

  it('D6: a new callback is a note', async () => {
    const { code, rules } = await compare(callback(''), done('{ type: string }'))
    expect(code).toBe(0)
    expect(rules).toEqual(['note callback-added'])
  })

  it('D6: the payload of a callback may not get wider', async () => {
    const { rules } = await compare(done('{ type: string }'), done('{ type: [string, "null"] }'))
    expect(rules).toEqual(['error response-became-nullable'])
  })
})
