import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderOf, twinspec } from '../cli/command-line.js'
import { COMPILERS, compile } from '../corpus/compile.js'
import { answering, openapiOf } from '../read/api-of.js'

const missing = Object.values(COMPILERS).some((tsc) => !existsSync(tsc))
const reason = 'skipped: npm ci --prefix test/corpus --ignore-scripts'
if (missing) console.warn(`test/emit/types-alone.e2e.test.ts: ${reason}`)

const Order = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string' }, state: { enum: ['open', 'sent'] } },
}
const order = { $ref: '#/components/schemas/Order' }
const content = { 'application/json': { schema: order } }

const document = openapiOf({
  version: '3.1.0',
  schemas: { Order },
  paths: {
    '/orders/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      ...answering(order, 'readOrder'),
    },
  },
  webhooks: {
    'order.sent': {
      post: { requestBody: { content }, responses: { 204: { description: 'Heard.' } } },
    },
  },
})

/** What users of openapi-typescript write. */
const USE = `import type { components, Order, operations, paths, ReadOrderOperation, webhooks } from './http.types.js'

type Same<A, B> = [A, B] extends [B, A] ? true : false
type Read = paths['/orders/{id}']['get']['responses'][200]['content']['application/json']
type Sent = NonNullable<webhooks['order.sent']['post']['requestBody']>['content']['application/json']
export const same: Same<Read, components['schemas']['Order']> = true
export const named: Same<Sent, Order> = true
export const listed: Same<operations['readOrder'], ReadOrderOperation> = true
export const none: Same<paths['/orders/{id}']['put'], undefined> = true
export const id: operations['readOrder']['parameters']['path']['id'] = '5'
export const state: Sent['state'] = 'open'
`

describe.skipIf(missing)('generate --only types', () => {
  it('prints paths, components, operations and webhooks as openapi-typescript does, for TypeScript 5.9, 6 and 7', async () => {
    const folder = await folderOf({ 'api.json': JSON.stringify(document) })
    const out = join(folder, 'generated')
    const args = ['generate', join(folder, 'api.json'), '--only', 'types', '--out', out]
    expect((await twinspec(...args)).code).toBe(0)
    writeFileSync(join(out, 'use.ts'), USE)
    const cells = await compile(folder)
    expect(cells).toHaveLength(6)
    expect(cells.filter(({ problem }) => problem !== undefined)).toEqual([])
  })
})
