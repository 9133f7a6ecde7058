import { describe, expect, it } from 'vitest'
import { changesOf, findingsOf, orders } from './versions.js'

describe('security', () => {
  it('security-became-required', async () => {
    expect(
      await findingsOf(
        orders(
          '',
          'components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key }, oauth: { type: oauth2, flows: {} } } }',
        ),
        orders(
          'security: [{ key: [] }]',
          'components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key }, oauth: { type: oauth2, flows: {} } } }',
        ),
      ),
    ).toMatchInlineSnapshot(`
      "error security-became-required
        GET /orders/{id} needs key now; it needed no credentials: callers without them are rejected
        at new.openapi.yaml:7 (old.openapi.yaml:8)
        instead: keep it open, or announce the date and give callers credentials in advance"
    `)
  })

  it('security-alternative-removed', async () => {
    expect(
      await findingsOf(
        orders(
          'security: [{ key: [] }, { oauth: [] }]',
          'components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key }, oauth: { type: oauth2, flows: {} } } }',
        ),
        orders(
          'security: [{ oauth: [] }]',
          'components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key }, oauth: { type: oauth2, flows: {} } } }',
        ),
      ),
    ).toMatchInlineSnapshot(`
      "error security-alternative-removed
        GET /orders/{id} no longer accepts key: callers with no other credentials are rejected
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        instead: keep accepting them besides the others"
    `)
  })

  it('security-scope-added', async () => {
    expect(
      await findingsOf(
        orders(
          'security: [{ oauth: [read] }]',
          'components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key }, oauth: { type: oauth2, flows: {} } } }',
        ),
        orders(
          'security: [{ oauth: [read, write] }]',
          'components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key }, oauth: { type: oauth2, flows: {} } } }',
        ),
      ),
    ).toMatchInlineSnapshot(`
      "error security-scope-added
        GET /orders/{id} needs oauth (read, write) now; oauth (read) was enough: existing tokens are rejected
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        instead: add the scope to existing tokens before it is required"
    `)
  })

  it('security-scheme-changed', async () => {
    expect(
      await findingsOf(
        orders(
          'security: [{ key: [] }]',
          'components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key }, oauth: { type: oauth2, flows: {} } } }',
        ),
        orders(
          'security: [{ key: [] }]',
          'components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Token }, oauth: { type: oauth2, flows: {} } } }',
        ),
      ),
    ).toMatchInlineSnapshot(`
      "error security-scheme-changed
        the security scheme \`key\` is the header X-Token now, and was the header X-Key: the service does not read the old credentials
        at new.openapi.yaml:3 (old.openapi.yaml:3)
        instead: declare a second scheme, and accept both"
    `)
  })

  it('security-relaxed', async () => {
    expect(
      await findingsOf(
        orders(
          'security: [{ key: [] }]',
          'components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key }, oauth: { type: oauth2, flows: {} } } }',
        ),
        orders(
          'security: [{ key: [] }, {}]',
          'components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key }, oauth: { type: oauth2, flows: {} } } }',
        ),
      ),
    ).toMatchInlineSnapshot(`
      "note security-relaxed
        GET /orders/{id} can be called without credentials now
        at new.openapi.yaml:7 (old.openapi.yaml:7)"
    `)
  })

  it('names each new way to call an operation', async () => {
    const schemes =
      'components: { securitySchemes: { one: { type: apiKey, in: header, name: X-One }, two: { type: apiKey, in: header, name: X-Two }, three: { type: apiKey, in: header, name: X-Three } } }'
    const found = await changesOf(
      orders('security: [{ one: [] }]', schemes),
      orders('security: [{ one: [] }, { two: [] }, { three: [] }]', schemes),
    )
    expect(found.map(({ message }) => message)).toEqual([
      'GET /orders/{id} can be called with three now',
      'GET /orders/{id} can be called with two now',
    ])
  })

  const SCHEMES = (name: string, more = '') =>
    `components: { securitySchemes: { ${name}: { type: apiKey, in: header, name: X-Key }${more} } }`

  it('security-scheme-renamed', async () => {
    expect(
      await findingsOf(
        orders('security: [{ key: [] }]', SCHEMES('key')),
        orders('security: [{ apiKey: [] }]', SCHEMES('apiKey')),
      ),
    ).toMatchInlineSnapshot(`
      "note security-scheme-renamed
        the security scheme \`key\` is named \`apiKey\` now: callers send the same credentials
        at new.openapi.yaml:3 (old.openapi.yaml:3)"
    `)
  })

  it('compares renamed schemes by what their references refer to', async () => {
    const referring = (name: string, target: string) =>
      orders(
        `security: [{ ${name}: [] }]`,
        `components: { securitySchemes: { ${name}: { $ref: '#/components/x-schemes/${target}' } }, x-schemes: { header: { type: apiKey, in: header, name: X-Old }, query: { type: apiKey, in: query, name: key } } }`,
      )
    const rulesOf = async (target: string) =>
      (await changesOf(referring('k1', 'header'), referring('k2', target))).map(
        ({ level, rule }) => `${level} ${rule}`,
      )
    expect(await rulesOf('header')).toEqual(['note security-scheme-renamed'])
    expect(await rulesOf('query')).toContain('error security-alternative-removed')
    expect(await rulesOf('query')).not.toContain('note security-scheme-renamed')
  })

  it.each([
    ['oauth2MetadataUrl', (url: string) => `flows: {}, oauth2MetadataUrl: '${url}'`],
    [
      'deviceAuthorizationUrl',
      (url: string) => `flows: { deviceAuthorization: { deviceAuthorizationUrl: '${url}' } }`,
    ],
  ])('takes schemes with another %s for different ones', async (_, members) => {
    const scheme = (name: string, url: string) =>
      orders(
        `security: [{ ${name}: [] }]`,
        `components: { securitySchemes: { ${name}: { type: oauth2, ${members(url)} } } }`,
      )
    const rulesOf = async (url: string) =>
      (await changesOf(scheme('old', 'https://a.example'), scheme('new', url))).map(
        ({ rule }) => rule,
      )
    expect(await rulesOf('https://a.example')).toEqual(['security-scheme-renamed'])
    expect(await rulesOf('https://b.example')).toContain('security-alternative-removed')
  })

  it('finds a renamed scheme whose flows have another order', async () => {
    const scheme = (name: string, flows: string) =>
      orders(
        `security: [{ ${name}: [] }]`,
        `components: { securitySchemes: { ${name}: { type: oauth2, flows: { ${flows} } } } }`,
      )
    const [one, other] = ['password: { scopes: {} }', 'clientCredentials: { scopes: {} }']
    const found = await changesOf(
      scheme('old', `${one}, ${other}`),
      scheme('new', `${other}, ${one}`),
    )
    expect(found.map(({ rule }) => rule)).toEqual(['security-scheme-renamed'])
  })

  it('takes no scheme for another that is merely alike', async () => {
    const admin = ', admin: { type: apiKey, in: header, name: X-Key }'
    expect(
      await findingsOf(
        orders('security: [{ key: [] }]', SCHEMES('key', admin)),
        orders('security: [{ admin: [] }]', SCHEMES('key', admin)),
      ),
    ).toContain('GET /orders/{id} no longer accepts key')
  })

  it('is reported once where the whole document has it', async () => {
    const two = (security: string) => ({
      http: `${orders('', `${SCHEMES('key')}\n${security}`).http}    post: { responses: { '200': { description: ok } } }\n`,
    })
    expect(await findingsOf(two(''), two('security: [{ key: [] }]'))).toMatchInlineSnapshot(`
      "error security-became-required
        GET /orders/{id} needs key now; it needed no credentials: callers without them are rejected (and 1 more operation)
        at new.openapi.yaml:4 (old.openapi.yaml:1)
        instead: keep it open, or announce the date and give callers credentials in advance"
    `)
  })

  it('security-scheme-removed', async () => {
    expect(
      await findingsOf(
        orders(
          '',
          'components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key }, oauth: { type: oauth2, flows: {} } } }',
        ),
        orders('', 'components: { securitySchemes: { oauth: { type: oauth2, flows: {} } } }'),
      ),
    ).toMatchInlineSnapshot(`
      "note security-scheme-removed
        the security scheme \`key\` is removed
        at new.openapi.yaml:3 (old.openapi.yaml:3)"
    `)
  })

  it('schema-removed', async () => {
    expect(
      await findingsOf(
        orders('', 'components: { schemas: { A: { type: string }, B: { type: integer } } }'),
        orders('', 'components: { schemas: { A: { type: string } } }'),
      ),
    ).toMatchInlineSnapshot(`
      "note schema-removed
        the schema \`B\` is removed: generated types lose that name
        at new.openapi.yaml:3 (old.openapi.yaml:3)"
    `)
  })

  it('webhook-removed', async () => {
    expect(
      await findingsOf(orders('', 'webhooks: { paid: { post: { responses: {} } } }'), orders('')),
    ).toMatchInlineSnapshot(`
      "error webhook-removed
        the webhook \`paid\` is removed: subscribers wait for a request that never comes
        at new.openapi.yaml:1 (old.openapi.yaml:3)
        instead: keep sending it until subscribers have moved"
    `)
  })

  it('webhook-added', async () => {
    expect(
      await findingsOf(orders(''), orders('', 'webhooks: { paid: { post: { responses: {} } } }')),
    ).toMatchInlineSnapshot(`
      "note webhook-added
        the webhook \`paid\` is new
        at new.openapi.yaml:3 (old.openapi.yaml:1)"
    `)
  })
})

describe('OAuth flows', () => {
  const scheme = (members: string) =>
    orders('', `components: { securitySchemes: { oauth: { ${members} } } }`)
  const flows = (members: string) => scheme(`type: oauth2, flows: { ${members} }`)
  const grant = (name: string, url: string, scopes: string) =>
    `${name}: { tokenUrl: 'https://a.example/${url}', scopes: { ${scopes} } }`
  const password = grant('password', 'token', "read: ''")
  const credentials = grant('clientCredentials', 'token', "read: ''")

  it('shows every rule once', async () => {
    const found = [
      await findingsOf(flows(`${password}, ${credentials}`), flows(credentials)),
      await findingsOf(flows(credentials), flows(`${password}, ${credentials}`)),
      await findingsOf(flows(password), flows(grant('password', 'oauth', "read: ''"))),
      await findingsOf(flows(password), flows(grant('password', 'token', "write: ''"))),
    ]
    expect(found.join('\n')).toMatchInlineSnapshot(`
      "error oauth-flow-removed
        the security scheme \`oauth\` no longer has the OAuth flow password: callers who use it get no token
        at new.openapi.yaml:3 (old.openapi.yaml:3)
        instead: keep the flow besides the others
      note oauth-flow-added
        the security scheme \`oauth\` has the new OAuth flow password
        at new.openapi.yaml:3 (old.openapi.yaml:3)
      warning oauth-url-changed
        the tokenUrl of the OAuth flow password of the security scheme \`oauth\` is https://a.example/oauth now, and was https://a.example/token
        at new.openapi.yaml:3 (old.openapi.yaml:3)
        instead: keep the old address in use until callers have moved
      warning oauth-scope-removed
        the OAuth flow password of the security scheme \`oauth\` no longer has the scope \`read\`: callers get no token with it
        at new.openapi.yaml:3 (old.openapi.yaml:3)
        instead: keep the scope, even when no operation needs it
      note oauth-scope-added
        the OAuth flow password of the security scheme \`oauth\` has the new scope \`write\`
        at new.openapi.yaml:3 (old.openapi.yaml:3)"
    `)
  })

  it('compares the address of OpenID Connect', async () => {
    const connect = (url: string) => scheme(`type: openIdConnect, openIdConnectUrl: '${url}'`)
    expect(await findingsOf(connect('https://a.example'), connect('https://b.example'))).toMatch(
      /^warning oauth-url-changed/,
    )
  })

  it('compares the address of the metadata of OAuth', async () => {
    const oauth = (url: string) => scheme(`type: oauth2, flows: {}, oauth2MetadataUrl: '${url}'`)
    expect(await findingsOf(oauth('https://a.example'), oauth('https://b.example'))).toMatch(
      /^warning oauth-url-changed/,
    )
  })

  it('reads names that every object has', async () => {
    const named = (name: string) =>
      orders(
        `security: [{ ${name}: [] }]`,
        `components: { securitySchemes: { ${name}: { type: apiKey, in: header, name: X } } }`,
      )
    expect(await findingsOf(named('key'), named('constructor'))).toBe(
      `note security-scheme-renamed
  the security scheme \`key\` is named \`constructor\` now: callers send the same credentials
  at new.openapi.yaml:3 (old.openapi.yaml:3)`,
    )
  })

  it('two schemes of one header in a requirement are the same as two alternatives', async () => {
    const schemes =
      'components: { securitySchemes: { user: { type: http, scheme: basic }, token: { type: http, scheme: bearer } } }'
    const one = orders('security: [{ user: [], token: [] }]', schemes)
    const two = orders('security: [{ user: [] }, { token: [] }]', schemes)
    const only = orders('security: [{ user: [] }]', schemes)
    const rules = async (...versions: Parameters<typeof changesOf>) =>
      (await changesOf(...versions)).map(({ rule }) => rule)
    expect(await rules(one, two)).toEqual([])
    expect(await rules(two, one)).toEqual([])
    expect(await rules(one, only)).toEqual(['security-alternative-removed'])
    expect(await rules(only, one)).toEqual(['security-relaxed'])
  })
})
