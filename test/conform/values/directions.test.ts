import { describe, expect, it } from 'vitest'
import { conform } from '../../../src/conform/conform.js'
import type { Wire } from '../../../src/conform/wire/exchange.js'
import { isObject } from '../../../src/runtime/validate/json-value.js'
import { apiOf, openapiOf } from '../../read/api-of.js'

type Fields = Readonly<Record<string, unknown>>

const account = (id: object, secret: object, more: object = {}) => ({
  type: 'object',
  required: ['title'],
  properties: { title: { type: 'string' }, id, secret },
  ...more,
})

const ID = { type: 'string', readOnly: true }
const SECRET = { type: 'string', writeOnly: true }

/** A server that looks at the title alone, and returns what `returned` makes of a body. */
const judge = async (
  schemas: Fields,
  returned: (body: Fields) => object,
  isTaken: (body: Fields) => boolean = () => true,
) => {
  const ref = { $ref: '#/components/schemas/Account' }
  const content = { 'application/json': { schema: ref } }
  const api = await apiOf({
    openapi: openapiOf({
      version: '3.1.0',
      schemas,
      paths: {
        '/t': {
          post: {
            operationId: 't',
            requestBody: { required: true, content },
            responses: { 201: { description: 'ok', content }, 400: { description: 'bad' } },
          },
        },
      },
    }),
  })
  const wire: Wire = async (sent) => {
    let body: unknown
    try {
      body = JSON.parse(
        new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(sent.body ?? '')),
      )
    } catch {
      body = undefined
    }
    const isRight = isObject(body) && typeof body.title === 'string' && isTaken(body)
    const status = sent.method !== 'POST' ? 405 : isRight ? 201 : 400
    const text = status === 201 ? JSON.stringify(returned(body as Fields)) : ''
    const headers = [
      ['allow', 'POST'],
      ...(status === 201 ? [['content-type', 'application/json'] as const] : []),
    ] as const
    const answer = { status, headers, body: Buffer.from(text), milliseconds: 1 }
    return { sent, answer, failure: undefined }
  }
  const { findings, coverage } = await conform(api, {
    url: 'http://127.0.0.1:9/',
    wire,
    rate: null,
  })
  const values = ['invalid-request-accepted', 'write-only-value-returned', 'body-invalid']
  const keywords = coverage.find(({ kind }) => kind === 'keyword')
  return {
    found: findings.filter(({ rule }) => values.includes(rule)).map(({ identity }) => identity),
    isWhole: keywords?.met.length === keywords?.declared.length,
    declared: keywords?.declared ?? [],
  }
}

const plain = ({ title }: Fields) => ({ id: 'x1', title })
const isSecretText = ({ secret }: Fields) => secret === undefined || typeof secret === 'string'

describe('a readOnly property of a request', () => {
  it.each<readonly [string, Fields]>([
    ['plain', { Account: account(ID, SECRET) }],
    ['required', { Account: account(ID, SECRET, { required: ['id', 'title'] }) }],
    ['by reference', { Account: account({ $ref: '#/components/schemas/Id' }, SECRET), Id: ID }],
    [
      'an object with properties of its own',
      {
        Account: account(
          {
            type: 'object',
            readOnly: true,
            properties: { at: { type: 'integer', minimum: 1 } },
          },
          SECRET,
        ),
      },
    ],
    [
      'marked by another part of an allOf',
      {
        Account: {
          allOf: [
            account({ type: 'string' }, SECRET),
            { type: 'object', properties: { id: { readOnly: true } } },
          ],
        },
      },
    ],
  ])('may be ignored: %s', async (_, schemas) => {
    const isObjectId = JSON.stringify(schemas).includes('minimum')
    const { found } = await judge(
      schemas,
      ({ title }) => ({ id: isObjectId ? { at: 1 } : 'x1', title }),
      isSecretText,
    )
    expect(found).toEqual([])
  })

  it('may be rejected, and is not counted among the keywords that were tested', async () => {
    const schemas = { Account: account(ID, SECRET) }
    const { found, isWhole, declared } = await judge(
      schemas,
      plain,
      (body) => body.id === undefined && isSecretText(body),
    )
    expect(found).toEqual([])
    expect(isWhole).toBe(true)
    expect(declared.filter((name) => name.includes('/id'))).toEqual([])
  })

  it('is no excuse for what is beside it', async () => {
    const { found } = await judge({ Account: account(ID, SECRET) }, plain)
    expect(found).toEqual(['invalid-request-accepted POST /t body application/json/secret type'])
  })
})

describe('a writeOnly property of a response', () => {
  const leaked = ['write-only-value-returned POST /t 201 /secret']
  const open = { Account: account(ID, SECRET) }
  it.each<readonly [string, Fields, (body: Fields) => object, readonly string[]]>([
    ['comes back', open, ({ title, secret = 'hunter2' }) => ({ title, secret }), leaked],
    ['does not come back', open, plain, []],
    [
      'comes back as null',
      { Account: account(ID, { ...SECRET, type: ['string', 'null'] }) },
      ({ title }) => ({ title, secret: null }),
      [],
    ],
    [
      'comes back, by reference',
      { Account: account(ID, { $ref: '#/components/schemas/Secret' }), Secret: SECRET },
      ({ title }) => ({ title, secret: 'hunter2' }),
      leaked,
    ],
    [
      'comes back, marked by another part of an allOf',
      {
        Account: {
          allOf: [
            account(ID, { type: 'string' }),
            { type: 'object', properties: { secret: { writeOnly: true } } },
          ],
        },
      },
      ({ title }) => ({ title, secret: 'hunter2' }),
      leaked,
    ],
    [
      'comes back inside a list',
      {
        Account: account(ID, SECRET, {
          properties: {
            title: { type: 'string' },
            all: { type: 'array', items: { type: 'object', properties: { secret: SECRET } } },
          },
        }),
      },
      ({ title }) => ({ title, all: [{ secret: 'hunter2' }] }),
      ['write-only-value-returned POST /t 201 /all/*/secret'],
    ],
  ])('that %s', async (_, schemas, returned, expected) => {
    const { found } = await judge(schemas, returned, isSecretText)
    expect(found.filter((one) => one.startsWith('write-only'))).toEqual(expected)
  })
})
