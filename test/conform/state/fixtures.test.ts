import { describe, expect, it } from 'vitest'
import { type ConformOptions, conform } from '../../../src/conform/conform.js'
import type { Wire } from '../../../src/conform/wire/exchange.js'
import { isObject } from '../../../src/runtime/validate/json-value.js'
import type { Sent } from '../../../src/traffic/exchange.js'
import { apiOf, openapiOf } from '../../read/api-of.js'

type Fields = Readonly<Record<string, unknown>>

const NOTE = {
  type: 'object',
  required: ['text'],
  additionalProperties: false,
  properties: {
    id: { type: 'string', readOnly: true },
    text: { type: 'string', minLength: 1, maxLength: 5 },
    size: { type: 'integer', minimum: 1, maximum: 9 },
  },
}

const isNote = (value: unknown): boolean => {
  if (!isObject(value)) return false
  const { id: _, text, size, ...rest } = value
  const isText = typeof text === 'string' && [...text].length >= 1 && [...text].length <= 5
  const isSize =
    size === undefined || (Number.isInteger(size) && Number(size) >= 1 && Number(size) <= 9)
  return isText && isSize && Object.keys(rest).length === 0
}

const content = { 'application/json': { schema: { $ref: '#/components/schemas/Note' } } }
const no = { description: 'no' }
const REJECTIONS = { 400: no, 404: no, 405: no, 409: no, 410: no, 412: no, 415: no }
const written = (status: number, operationId: string) => ({
  operationId,
  requestBody: { required: true, content },
  responses: { [status]: { description: 'ok', content }, ...REJECTIONS },
})
const read = (operationId: string) => ({
  operationId,
  responses: { 200: { description: 'ok', content }, ...REJECTIONS },
})
const removed = (operationId: string, more: object = {}) => ({
  operationId,
  responses: { 204: { description: 'gone' }, ...REJECTIONS },
  ...more,
})
const id = (name: string, example?: string) => ({
  ...{ name, in: 'path', required: true, schema: { type: 'string' } },
  ...(example !== undefined && { example }),
})

const items = { type: 'array', items: { $ref: '#/components/schemas/Note' } }
const LIST = {
  operationId: 'list',
  responses: {
    200: { description: 'ok', content: { 'application/json': { schema: items } } },
    ...REJECTIONS,
  },
}

type Rules = {
  readonly first?: readonly string[]
  /** Whether the body of such a request is validated. */
  readonly isStrict?: (method: string, path: string) => boolean
  readonly instead?: (sent: Sent, path: string, store: Map<string, unknown>) => number | undefined
}

/** Keeps notes at any path of two steps, `/notes/1`, and at paths below them, `/notes/1/parts/2`. */
const storeOf = (paths: object, { first = [], isStrict = () => true, instead }: Rules = {}) => {
  const store = new Map<string, unknown>(first.map((path) => [path, { text: 'hi' }]))
  const asked: string[] = []
  let count = 0
  const answerTo = (sent: Sent): readonly [status: number, value?: unknown, allow?: string] => {
    const path = decodeURIComponent(new URL(sent.url).pathname)
    asked.push(`${sent.method} ${path}`)
    const other = instead?.(sent, path, store)
    if (other !== undefined) return [other]
    const steps = path.split('/').length - 1
    if (steps > 4) return [404]
    const isItem = steps % 2 === 0
    const parent = path.split('/').slice(0, -2).join('/')
    if (parent !== '' && !isItem && !store.has(path.split('/').slice(0, -1).join('/'))) return [404]
    const [, operations = {}] =
      Object.entries(paths).find(([one]) => one.split('/').length - 1 === steps) ?? []
    const methods = Object.keys(operations).map((one) => one.toUpperCase())
    const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ')
    if (isItem && !store.has(path)) return [404]
    if (!allow.split(', ').includes(sent.method)) return [405, undefined, allow]
    if (sent.method === 'GET' || sent.method === 'HEAD') return [200, store.get(path)]
    if (sent.method === 'DELETE') {
      for (const one of [...store.keys()]) if (one.startsWith(path)) store.delete(one)
      return [204]
    }
    if (!/^application\/json *(; *charset="?utf-8"?)?$/i.test(sent.headers['content-type'] ?? ''))
      return [415]
    let body: unknown
    try {
      const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
      body = JSON.parse(decoder.decode(Buffer.from(sent.body ?? '')))
    } catch {
      return [400]
    }
    if (isStrict(sent.method, path) && !isNote(body)) return [400]
    const at = isItem ? path : `${path}/made-${++count}`
    const value = {
      ...(isNote(body) ? (body as Fields) : { text: 'hi' }),
      id: at.split('/').at(-1),
    }
    store.set(at, value)
    return [isItem ? 200 : 201, value]
  }
  const wire: Wire = async (sent) => {
    const [status, value, allow] = answerTo(sent)
    const isBare = value === undefined || sent.method === 'HEAD'
    const headers = [
      ...(isBare ? [] : [['content-type', 'application/json'] as const]),
      ...(allow === undefined ? [] : [['allow', allow] as const]),
    ]
    const body = Buffer.from(isBare ? '' : JSON.stringify(value))
    return { sent, answer: { status, headers, body, milliseconds: 1 }, failure: undefined }
  }
  return { wire, asked, store }
}

const judge = async (paths: object, rules: Rules = {}, options: ConformOptions = {}) => {
  const api = await apiOf({
    openapi: openapiOf({ version: '3.1.0', paths, schemas: { Note: NOTE } }),
  })
  const { wire, asked, store } = storeOf(paths, rules)
  let clock = 0
  const verdict = await conform(api, {
    ...{ url: 'http://127.0.0.1:9', wire, rate: null, maxExamples: 4 },
    now: () => clock,
    sleep: async (milliseconds) => {
      clock += milliseconds
    },
    ...options,
  })
  const keywords = verdict.coverage.find(({ kind }) => kind === 'keyword')
  const bodyKeywords = (keywords?.met ?? []).filter((name) => name.includes(' body '))
  return {
    asked,
    store,
    accepted: [
      ...new Set(
        verdict.findings
          .filter(({ rule }) => rule === 'invalid-request-accepted')
          .flatMap(({ operations = [] }) => operations),
      ),
    ],
    findings: verdict.findings.map(({ identity, message }) => `${identity}: ${message}`),
    bodyKeywords,
    isWhole: keywords?.met.length === keywords?.declared.length,
    met: verdict.coverage.find(({ kind }) => kind === 'operation')?.met ?? [],
    notTested: verdict.notTested.flatMap(({ what, why }) => what.map((one) => `${one}: ${why}`)),
  }
}

const item = (parameters: readonly object[], operations: object) => ({ parameters, ...operations })
const CRUD = (example?: string) => ({
  '/notes': { post: written(201, 'create') },
  '/notes/{id}': item([id('id', example)], {
    delete: removed('remove'),
    get: read('look'),
    put: written(200, 'change'),
  }),
})
const lax = (method: string) => ({ isStrict: (one: string) => one !== method })

describe('values are tried on a resource that lives', () => {
  it.each<readonly [string, object, Rules, readonly string[]]>([
    [
      'the documented one, which the run deletes last',
      {
        '/notes/{id}': item([id('id', '1')], {
          delete: removed('remove'),
          put: written(200, 'change'),
        }),
      },
      { first: ['/notes/1'], ...lax('PUT') },
      ['PUT /notes/{id}'],
    ],
    [
      'one that the run creates, of an identifier without an example',
      CRUD(),
      lax('PUT'),
      ['PUT /notes/{id}'],
    ],
    [
      'one that the run creates, where the documented one is missing',
      CRUD('7'),
      lax('PUT'),
      ['PUT /notes/{id}'],
    ],
    [
      'one within another, both created',
      {
        '/notes': { post: written(201, 'create') },
        '/notes/{id}': item([id('id')], { delete: removed('remove') }),
        '/notes/{id}/parts': item([id('id')], { post: written(201, 'createPart') }),
        '/notes/{id}/parts/{partId}': item([id('id'), id('partId')], {
          delete: removed('removePart'),
          get: read('lookPart'),
          patch: written(200, 'changePart'),
        }),
      },
      lax('PATCH'),
      ['PATCH /notes/{id}/parts/{partId}'],
    ],
    [
      'a list within one that is created',
      {
        '/notes': { post: written(201, 'create') },
        '/notes/{id}/parts': item([id('id', 'none')], { post: written(201, 'createPart') }),
      },
      { isStrict: (_, path) => !path.endsWith('/parts') },
      ['POST /notes/{id}/parts'],
    ],
    [
      'one that its own PUT creates',
      {
        '/notes/{id}': item([id('id', 'mine')], { put: written(200, 'change'), get: read('look') }),
      },
      {
        ...lax('PUT'),
        instead: ({ method }, path, store) => {
          if (method === 'PUT' && !store.has(path)) store.set(path, { text: 'hi' })
          return undefined
        },
      },
      ['PUT /notes/{id}'],
    ],
    [
      'a new one after a conflict',
      {
        ...CRUD(),
        '/notes/{id}/close': item([id('id')], {
          post: { operationId: 'close', responses: { 204: { description: 'ok' }, ...REJECTIONS } },
        }),
      },
      {
        ...lax('PUT'),
        instead: ({ method }, path, store) => {
          const of = path.replace(/\/close$/, '')
          const isClosed = (store.get(of) as Fields | undefined)?.text === 'shut'
          if (path.endsWith('/close')) {
            if (!store.has(of)) return 404
            if (method !== 'POST') return undefined
            if (isClosed) return 409
            store.set(of, { text: 'shut' })
            return 204
          }
          return method === 'PUT' && isClosed ? 409 : undefined
        },
      },
      ['PUT /notes/{id}'],
    ],
  ])('%s', async (_, paths, rules, expected) => {
    const lenient = await judge(paths, rules)
    expect(lenient.accepted).toEqual(expected)
    const { isStrict: _strict, ...others } = rules
    const strict = await judge(paths, others)
    expect(strict.findings).toEqual([])
    expect(strict.bodyKeywords.length).toBeGreaterThan(5)
  })

  it('a value that DELETE takes is tried each time on a resource that the run created', async () => {
    const force = {
      name: 'force',
      in: 'query',
      schema: { type: 'integer', minimum: 1, maximum: 2 },
    }
    const paths = {
      ...CRUD(),
      '/notes/{id}': item([id('id')], {
        delete: removed('remove', { parameters: [force] }),
        get: read('look'),
      }),
    }
    const { accepted, asked, store } = await judge(paths, { first: ['/notes/of-others'] })
    expect(accepted).toEqual(['DELETE /notes/{id}'])
    expect(store.has('/notes/of-others')).toBe(true)
    const deleted = asked.filter((one) => /^DELETE \/notes\/made/.test(one))
    // One case repeats its DELETE, because that must not fail.
    expect(new Set(deleted).size).toBeGreaterThanOrEqual(deleted.length - 1)
    expect(deleted.length).toBeGreaterThan(10)
  })

  it('nothing is deleted before everything else was tried', async () => {
    const { asked, met, isWhole } = await judge(CRUD('1'), { first: ['/notes/1'] })
    const from = asked.findIndex((one) => one.startsWith('DELETE /notes/1'))
    expect(from).toBeGreaterThan(100)
    expect(asked.slice(from).filter((one) => one.startsWith('PUT /notes/1'))).toEqual([])
    expect(met).toEqual(['create', 'look', 'change', 'remove'])
    expect(isWhole).toBe(true)
  })

  it('nothing is created with --read-only, or of a server that keeps nothing', async () => {
    const reading = await judge(CRUD(), {}, { readOnly: true })
    expect(reading.asked.filter((one) => !/^(GET|HEAD) /.test(one))).toEqual([])
    const stateless = await judge(
      CRUD('7'),
      { instead: () => 404 },
      { stateless: true, only: ['look'] },
    )
    expect(stateless.asked.filter((one) => one.startsWith('POST /notes '))).toEqual([])
  })
})

describe('what was not tried is not counted', () => {
  it('where the resource is missing and none can be created', async () => {
    const paths = { '/notes/{id}': item([id('id', '1')], { put: written(200, 'change') }) }
    const { bodyKeywords, findings, notTested, asked } = await judge(paths)
    expect(findings).toEqual([])
    expect(bodyKeywords).toEqual([])
    expect(notTested).toContainEqual(
      expect.stringMatching(
        /^change, body .*: the server found no resource with the identifier of the request, change did not create what \/notes\/\{id\} identifies$/,
      ),
    )
    // A few requests show that it is missing.
    expect(asked.filter((one) => one === 'PUT /notes/1').length).toBeLessThan(16)
  })

  it.each<readonly [string, object, readonly string[], RegExp]>([
    [
      'where a list has some, and PUT creates none',
      { put: written(200, 'change') },
      ['/notes/1'],
      /^change, body .*: the server found no resource .*, change did not create .*, and those in the response of list are not changed, because the run did not create them$/,
    ],
    [
      'where a list has some, and no operation creates one',
      { patch: written(200, 'change') },
      ['/notes/1', '/notes/2'],
      /^change, body .*: the server found no resource .*, no operation creates .*, and those in the response of list are not changed, because the run did not create them$/,
    ],
    [
      'where the list is empty, and no operation creates one',
      { get: read('look') },
      [],
      /^look, the request: the server found no resource .*, no operation creates .*, and the response of list gave no other one$/,
    ],
  ])('%s', async (_, operations, first, reason) => {
    const paths = { '/notes': { get: LIST }, '/notes/{id}': item([id('id')], operations) }
    const { notTested } = await judge(paths, { first })
    expect(notTested).toContainEqual(expect.stringMatching(reason))
    expect(notTested.filter((one) => one.includes('does not exist'))).toEqual([])
  })

  it('where the identifier has no value, with one advice for all operations that need it', async () => {
    const paths = {
      '/notes': { get: LIST },
      '/notes/{id}': item([id('id')], {
        get: read('look'),
        patch: written(200, 'change'),
        delete: removed('remove'),
      }),
    }
    const { notTested } = await judge(paths, { first: ['/notes/1'] })
    const advice = notTested.filter((one) => one.includes('operationId: '))
    expect(advice.map((one) => one.replace(/, the protocol: .*/s, ''))).toEqual([
      'look',
      'remove',
      'change',
    ])
    expect(new Set(advice.map((one) => one.replace(/^\w+/, ''))).size).toBe(1)
  })

  it.each([404, 409, 410, 412])('%i is no rejection of a value of a body', async (status) => {
    const { bodyKeywords, findings, notTested } = await judge(CRUD(), {
      instead: ({ method, body }, path, store) => {
        if (method !== 'PUT' || !store.has(path)) return undefined
        let value: unknown
        try {
          value = JSON.parse(String(body))
        } catch {
          return undefined
        }
        return isObject(value) && !isNote(value) ? status : undefined
      },
    })
    expect(findings).toEqual([])
    expect(
      bodyKeywords.filter((name) => /^change .*(maximum|maxLength|minimum)$/.test(name)),
    ).toEqual([])
    expect(bodyKeywords.filter((name) => /^create .*maximum$/.test(name))).toHaveLength(1)
    expect(notTested).toContainEqual(
      expect.stringMatching(new RegExp(`^change, body .*maximum.*: .*\\(${status}\\)$`)),
    )
  })

  it('where a value of a path leads nowhere, it is rejected', async () => {
    const number = { ...id('id', '1'), schema: { type: 'string', pattern: '^[0-9a-z-]+$' } }
    const paths = { '/notes/{id}': item([number], { get: read('look') }) }
    const { isWhole, findings } = await judge(paths, { first: ['/notes/1'] })
    expect(findings).toEqual([])
    expect(isWhole).toBe(true)
  })

  it('where every request is rejected in the same way', async () => {
    const { bodyKeywords, notTested } = await judge(CRUD(), {
      instead: ({ method }) => (method === 'POST' || method === 'PUT' ? 400 : undefined),
    })
    expect(bodyKeywords).toEqual([])
    expect(notTested).toContainEqual(
      'create, its keywords: a rejection proves nothing, because requests that the document allows were rejected with the same response: 400',
    )
  })

  it('where valid requests conflict, another rejection of invalid ones counts', async () => {
    const { bodyKeywords, findings } = await judge(CRUD(), {
      instead: ({ method, body, headers }) => {
        if (method !== 'POST' || !/json/i.test(headers['content-type'] ?? '')) return undefined
        try {
          return isNote(JSON.parse(String(body))) ? 409 : undefined
        } catch {
          return undefined
        }
      },
    })
    expect(findings).toEqual([])
    expect(bodyKeywords.filter((name) => /^create .*maximum$/.test(name))).toHaveLength(1)
  })
})
