import { expect, it } from 'vitest'
import { emitAll } from '../../src/emit/emit.js'
import { kindNames } from '../../src/emit/kinds.js'
import { apiOf, openapiOf } from '../read/api-of.js'
import { diagnose } from './strictest.js'

const text = {
  200: { description: 'A name', content: { 'text/plain': { schema: { type: 'string' } } } },
}

const DOCUMENT = {
  ...openapiOf({
    paths: {
      '/me': { get: { operationId: 'me', security: [{ key: [] }], responses: text } },
      '/both': {
        get: { operationId: 'both', security: [{ key: [], admin: [] }], responses: text },
      },
      '/maybe': { get: { operationId: 'maybe', security: [{ key: [] }, {}], responses: text } },
      '/open': { get: { operationId: 'open', responses: text } },
    },
  }),
}

/** Programs as users write them; an error is expected where the line above says so. */
const PROGRAM = `
import { type Credentials, createServer, type Handlers, notOffered } from './server.js'

type User = { readonly name: string }
const find = (name: string): User | undefined => ({ name })
const ok = (body: string) => ({ status: 200, body }) as const

// The identity is inferred from authenticate, also of a promise, beside the handlers of notOffered.
createServer(
  { ...notOffered, me: (_, { identity }) => ok(identity.key.name) },
  { authenticate: { key: find } },
)
createServer(
  { ...notOffered, me: async (_, { identity }) => ok(identity.key.name) },
  { authenticate: { key: async (token: string) => find(token) } },
)
createServer(
  {
    ...notOffered,
    both: (_, { identity }) => ok(identity.key.name + identity.admin.level.toFixed()),
    maybe: (_, { identity }) => ok(identity.key?.name ?? 'nobody'),
  },
  { authenticate: { key: find, admin: (key: Credentials['admin']) => ({ level: key.length }) } },
)

// A handler cannot use more than authenticate returns.
createServer(
  // @ts-expect-error
  { ...notOffered, me: (_, { identity }) => ok(identity.key.age) },
  { authenticate: { key: find } },
)
// @ts-expect-error
createServer({ ...notOffered, maybe: (_, { identity }) => ok(identity.key.name) }, { authenticate: { key: find } })

// Handlers that are declared apart.
const apart: Pick<Handlers<{ key: User }>, 'me'> = { me: (_, { identity }) => ok(identity.key.name) }
createServer({ ...notOffered, ...apart }, { authenticate: { key: find } })
const all: Handlers<{ key: User }> = { ...notOffered, ...apart }
createServer(all, { authenticate: { key: find } })
// @ts-expect-error
createServer(all, { authenticate: { key: () => ({ age: 1 }) } })
// @ts-expect-error
createServer(all)

// Without authenticate, or without a handler that needs an identity.
createServer(notOffered)
createServer(notOffered, { authenticate: { key: find } })
createServer({ ...notOffered, open: () => ok('open') })

// With an explicit type.
createServer<{ key: User }>(
  { ...notOffered, me: (_, { identity }) => ok(identity.key.name) },
  { authenticate: { key: find } },
)
`

it('the identity of a handler is inferred from authenticate, also beside notOffered', async () => {
  const api = await apiOf({
    openapi: {
      ...DOCUMENT,
      components: {
        securitySchemes: {
          key: { type: 'http', scheme: 'bearer' },
          admin: { type: 'apiKey', in: 'header', name: 'X-Admin' },
        },
      },
    },
  })
  const files = emitAll(api, [], kindNames).flatMap(({ name, text }) =>
    name.endsWith('.md') ? [] : [[name, text] as const],
  )
  expect(diagnose(new Map([...files, ['program.ts', PROGRAM]]))).toEqual([])
})
