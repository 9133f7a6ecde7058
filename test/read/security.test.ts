import { describe, expect, it, onTestFinished } from 'vitest'
import { lint } from '../../src/lint/lint.js'
import { curlLines } from '../../src/mock/curl.js'
import { startMock } from '../../src/mock/mock.js'
import type { HttpOperation } from '../../src/model/api.js'
import { authorize } from '../../src/runtime/http/security.js'
import { apiOf, openapiOf } from './api-of.js'

const RULE = 'security-schemes-share-a-header'

const securitySchemes = {
  basic: { type: 'http', scheme: 'basic' },
  bearer: { type: 'http', scheme: 'Bearer' },
  oauth: { type: 'oauth2', flows: {} },
  raw: { type: 'apiKey', in: 'header', name: 'authorization' },
  key: { type: 'apiKey', in: 'header', name: 'X-Key' },
  otherKey: { type: 'apiKey', in: 'header', name: 'x-key' },
  third: { type: 'apiKey', in: 'header', name: 'X-Third' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
  otherCookie: { type: 'apiKey', in: 'cookie', name: 'csrf' },
  query: { type: 'apiKey', in: 'query', name: 'key' },
  otherQuery: { type: 'apiKey', in: 'query', name: 'secret' },
  tls: { type: 'mutualTLS' },
}

const responses = { 200: { description: 'A', content: { 'application/json': { example: 1 } } } }

const apiWith = (security: object) =>
  apiOf({
    openapi: {
      ...openapiOf({ paths: { '/a': { get: { operationId: 'a', security, responses } } } }),
      components: { securitySchemes },
    },
  })

const need = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, []]))

describe('the schemes of one security requirement', () => {
  it.each<readonly [object[], string[][], boolean]>([
    [[need('basic', 'bearer')], [['basic'], ['bearer']], true],
    [[need('bearer', 'basic')], [['bearer'], ['basic']], true],
    [[need('bearer', 'oauth')], [['bearer'], ['oauth']], true],
    [[need('raw', 'bearer')], [['raw'], ['bearer']], true],
    [[need('key', 'otherKey')], [['key'], ['otherKey']], true],
    [[need('basic', 'bearer', 'oauth')], [['basic'], ['bearer'], ['oauth']], true],
    [
      [need('basic', 'cookie', 'bearer')],
      [
        ['basic', 'cookie'],
        ['cookie', 'bearer'],
      ],
      true,
    ],
    [
      [need('basic', 'bearer', 'key', 'otherKey')],
      [
        ['basic', 'key'],
        ['basic', 'otherKey'],
        ['bearer', 'key'],
        ['bearer', 'otherKey'],
      ],
      true,
    ],
    [[need('basic', 'bearer'), need('bearer')], [['basic'], ['bearer']], true],
    [[need('basic', 'bearer'), {}], [['basic'], ['bearer'], []], true],
    [[need('basic'), need('bearer')], [['basic'], ['bearer']], false],
    [[need('bearer', 'key')], [['bearer', 'key']], false],
    [[need('key', 'third')], [['key', 'third']], false],
    [[need('cookie', 'otherCookie')], [['cookie', 'otherCookie']], false],
    [[need('query', 'otherQuery')], [['query', 'otherQuery']], false],
    [[need('bearer', 'tls')], [['bearer', 'tls']], false],
  ])('%j are the alternatives %j', async (security, alternatives, isReported) => {
    const api = await apiWith(security)
    expect(api.operations).toMatchObject([{ security: alternatives }])
    const found = lint(api, { only: [RULE] }).map(({ level, rule }) => `${level} ${rule}`)
    expect(found).toEqual(isReported ? [`warning ${RULE}`] : [])
  })

  it('are reported once, where they are written', async () => {
    const operation = (operationId: string) => ({ get: { operationId, responses } })
    const api = await apiOf({
      openapi: {
        ...openapiOf({ paths: { '/a': operation('a'), '/b': operation('b') } }),
        components: { securitySchemes },
        security: [need('basic', 'bearer')],
      },
    })
    const [finding, ...others] = lint(api, { only: [RULE] })
    expect(finding?.location.pointer).toBe('/security/0/bearer')
    expect(finding?.message).toBe(
      'the security schemes basic and bearer of one requirement have the same header, Authorization, which a request has once: either is read as sufficient; write two requirements, - basic: [] and - bearer: []',
    )
    expect(others).toEqual([])
  })

  it('do not multiply without end', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `key${index}`,
        { type: 'apiKey', in: 'header', name: `X-${Math.floor(index / 2)}` },
      ]),
    )
    const get = { operationId: 'a', security: [need(...Object.keys(many))], responses }
    const api = await apiOf({
      openapi: {
        ...openapiOf({ paths: { '/a': { get } } }),
        components: { securitySchemes: many },
      },
    })
    const [operation] = api.operations as readonly HttpOperation[]
    expect(operation?.security.length).toBeLessThanOrEqual(100)
  })

  const BOTH = [need('basic', 'bearer')]
  const user = { username: 'ann', password: 'secret' }
  const BASIC = `Basic ${btoa('ann:secret')}`

  it('in the header of a client are the first for which it has a credential', async () => {
    const [operation] = (await apiWith(BOTH)).operations as readonly [HttpOperation]
    const sent = (credentials: Parameters<typeof authorize>[1]) => {
      const { headers, faults } = authorize(operation, credentials)
      return faults.length > 0 ? faults : headers.authorization
    }
    expect(sent({ basic: user, bearer: 't' })).toBe(BASIC)
    expect(sent({ basic: user })).toBe(BASIC)
    expect(sent({ bearer: 't' })).toBe('Bearer t')
    expect(sent({})).toMatchObject([{ message: 'needs the credentials basic, or bearer' }])
  })

  it('are accepted by the mock server, either alone, and curl lines send one', async () => {
    const api = await apiWith(BOTH)
    const mock = await startMock(api)
    onTestFinished(() => mock.stop())
    const statusOf = async (authorization?: string) => {
      const headers = authorization === undefined ? {} : { authorization }
      return (await fetch(`${mock.url}/a`, { headers })).status
    }
    expect([await statusOf(BASIC), await statusOf('Bearer t'), await statusOf()]).toEqual([
      200, 200, 401,
    ])
    expect(curlLines(api, { httpUrl: 'http://m', rpcUrl: undefined })).toEqual([
      'curl -s "http://m/a" -u "made-up:made-up"',
    ])
  })
})
