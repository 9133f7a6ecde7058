import { describe, expect, it } from 'vitest'
import { judgeSmall, type Serve } from './small-server.js'

const paths = (security: string, schemes: string) => `
  /books/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer, minimum: 1 } }]
    get:
      operationId: book
      security: ${security}
      responses: { '200': { description: Here. }, '404': { description: None. }, 3XX: { description: Login. } }
    delete:
      operationId: drop
      security: ${security}
      responses: { '200': { description: Gone. }, 3XX: { description: Login. } }
components: { securitySchemes: ${schemes} }`

const BEARER = '{ token: { type: http, scheme: bearer } }'
const BASIC = '{ user: { type: http, scheme: basic } }'
const key = (place: string) => `{ key: { type: apiKey, in: ${place}, name: X-Key } }`
const WHICH = /without credentials/

const refuse = (status: number, challenge = 'Bearer') => ({
  status,
  headers: { ...(challenge === '' ? {} : { 'www-authenticate': challenge }) },
})
const guarded =
  (isRight: (asked: Parameters<Serve>[0]) => boolean): Serve =>
  (asked) =>
    isRight(asked) ? { status: 200 } : refuse(401)

const judge = async (security: string, schemes: string, serve: Serve, options = {}) => {
  const judged = await judgeSmall({ paths: paths(security, schemes) }, WHICH, serve, options)
  return { ...judged, skipped: judged.skipped.filter((one) => WHICH.test(one)) }
}

describe('a server that asks for credentials', () => {
  it.each([
    ['bearer', '[{ token: [] }]', BEARER],
    ['basic', '[{ user: [] }]', BASIC],
    ['a key in a header', '[{ key: [] }]', key('header')],
    ['a key in the query', '[{ key: [] }]', key('query')],
    ['a key in a cookie', '[{ key: [] }]', key('cookie')],
  ])('has no finding for: %s', async (_, security, schemes) => {
    const { rules, always, asked, skipped, names } = await judge(
      security,
      schemes,
      guarded(({ headers }) => headers.authorization === 'Bearer right'),
      { key: 'right' },
    )
    expect([...rules, ...always, ...skipped]).toEqual([])
    expect(names).toHaveLength(2)
    // Two of each operation: without credentials, and with some that are not ours.
    expect(asked).toHaveLength(4)
    expect(JSON.stringify(asked)).not.toContain('right')
    const [bare, wrong] = asked
    expect(JSON.stringify(wrong)).toMatch(/[\da-f]{64}|Basic/)
    expect(bare?.headers).toEqual({ accept: '*/*' })
    expect(bare?.url).not.toContain('?')
  })

  it('may hide what there is, and that is reported as not tested', async () => {
    const { rules, skipped } = await judge('[{ token: [] }]', BEARER, () => refuse(404))
    expect(rules).toEqual([])
    expect(skipped[0]).toMatch(/got the status 404, which is not about the credentials/)
  })

  it('may send callers elsewhere, and that is reported as not tested', async () => {
    const { rules, skipped } = await judge('[{ token: [] }]', BEARER, () => refuse(302))
    expect(rules).toEqual([])
    expect(skipped[0]).toMatch(/got the status 302/)
  })

  it('is not tried where an alternative is empty, or where no request carries what it wants', async () => {
    const serve: Serve = () => ({ status: 200 })
    const open = await judge('[{ token: [] }, {}]', BEARER, serve)
    expect([open.names, open.rules]).toEqual([[], []])
    const outside = await judge('[{ tls: [] }]', '{ tls: { type: mutualTLS } }', serve)
    expect(outside.names).toEqual([])
    expect(outside.skipped.join()).toMatch(/drop, without credentials.*not sent in a request/)
  })
})

describe('a server that asks for none', () => {
  it.each([
    ['bearer', '[{ token: [] }]', BEARER],
    ['a key', '[{ key: [] }]', key('query')],
  ])('has a finding for each operation: %s', async (_, security, schemes) => {
    const { rules } = await judge(security, schemes, () => ({ status: 200 }))
    expect(rules).toEqual(['missing-credentials-accepted', 'missing-credentials-accepted'])
  })

  it('has a finding where it looks whether there are any', async () => {
    const { rules } = await judge(
      '[{ token: [] }]',
      BEARER,
      guarded(({ headers }) => headers.authorization !== undefined),
    )
    expect(rules).toEqual(['wrong-credentials-accepted', 'wrong-credentials-accepted'])
  })

  it('has a finding where it does not guard one method', async () => {
    const { rules } = await judge('[{ token: [] }]', BEARER, ({ method }) =>
      method === 'DELETE' ? { status: 200 } : refuse(401),
    )
    expect(rules).toEqual(['missing-credentials-accepted'])
  })
})

it('a refusal without a challenge is reported, and of a key it is a warning', async () => {
  const serve: Serve = () => refuse(401, '')
  const bearer = await judge('[{ token: [] }]', BEARER, serve)
  expect(new Set(bearer.rules)).toEqual(new Set(['challenge-missing']))
  const keyed = await judge('[{ key: [] }]', key('header'), serve)
  expect(new Set(keyed.rules)).toEqual(new Set(['challenge-for-api-key-missing']))
})
