import { expect, it } from 'vitest'
import { emitAll } from '../../src/emit/emit.js'
import { answering, apiOf, openapiOf } from '../read/api-of.js'

const oauth2Of = async (securitySchemes: object): Promise<string | undefined> => {
  const paths = { '/': answering({ type: 'string' }) }
  const api = await apiOf({ openapi: openapiOf({ paths, components: { securitySchemes } }) })
  const text = emitAll(api).find(({ name }) => name === 'oauth2.ts')?.text
  return text?.slice(text.indexOf('export const'))
}

const scopes = { 'orders:read': 'Read orders.', 'orders:write': 'Write orders.' }

it('the addresses of flows for programs are options of clientCredentials and refreshToken', async () => {
  const shop = {
    type: 'oauth2',
    flows: {
      clientCredentials: { tokenUrl: 'https://id.example/token', scopes },
      authorizationCode: {
        authorizationUrl: 'https://id.example/authorize',
        tokenUrl: 'https://id.example/code',
        refreshUrl: 'https://id.example/refresh',
        scopes: {},
      },
    },
  }
  expect(await oauth2Of({ 'shop-auth': shop })).toMatchInlineSnapshot(`
    "export const oauth2 = {
      'shop-auth': {
        /**
         * Scopes:
         * - \`orders:read\`: Read orders.
         * - \`orders:write\`: Write orders.
         */
        clientCredentials: { tokenUrl: 'https://id.example/token' },
        refreshToken: { tokenUrl: 'https://id.example/refresh' },
      },
    } as const
    "
  `)
})

it('a document without such flows has no such file', async () => {
  const flows = { implicit: { authorizationUrl: 'https://id.example/authorize', scopes } }
  expect(await oauth2Of({ page: { type: 'oauth2', flows } })).toBeUndefined()
  expect(await oauth2Of({ key: { type: 'http', scheme: 'bearer' } })).toBeUndefined()
})
