import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderOf, twinspec } from '../cli/command-line.js'
import { diagnose } from '../emit/strictest.js'

const operation = (name: string) => `  /${name}:
    get:
      operationId: get${name}
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/${name}' } } } }
`
const openapi = (schemas: string, ...names: readonly string[]) => `openapi: 3.1.0
info: { title: Generic, version: '1' }
servers: [{ url: https://api.example }]
paths:
${names.map(operation).join('')}components:
  schemas:
${schemas}`

async function generated(text: string, use: string) {
  const folder = await folderOf({ 'openapi.yaml': text })
  const out = join(folder, 'out')
  const args = ['--openapi', join(folder, 'openapi.yaml'), '--with', 'typebox', '--out', out]
  const run = await twinspec('generate', ...args)
  expect(run).toMatchObject({ code: 0 })
  const names = ['http.client.ts', 'http.types.ts', 'operations.ts', 'validators.ts', 'schemas.ts']
  const texts = names.map((name) => [name, readFileSync(join(out, name), 'utf8')] as const)
  expect(diagnose(new Map([...texts, ['use.ts', use]]), 'strict')).toEqual([])
  return { ...run, validators: readFileSync(join(out, 'validators.ts'), 'utf8') }
}

/** One page of any item; pages of users and of orders say what an item is. */
const pages = (idOf: (name: string) => string, ref: string) => `    Page:
      ${idOf('page')}
      type: object
      required: [items]
      properties:
        items: { type: array, items: { $dynamicRef: '#item' } }
        next: { type: string }
      $defs: { item: { $dynamicAnchor: item } }
    UserPage:
      ${idOf('users')}
      $ref: ${ref}
      $defs: { item: { $dynamicAnchor: item, $ref: '#/components/schemas/User' } }
    OrderPage:
      ${idOf('orders')}
      allOf:
        - $ref: ${ref}
        - { type: object, required: [total], properties: { total: { type: integer } } }
      $defs: { item: { $dynamicAnchor: item, type: object, required: [price], properties: { price: { type: number } } } }
    User: { type: object, required: [name], properties: { name: { type: string } } }
`
const PAGES_USE = `import { createHttpClient } from './http.client.js'
const api = createHttpClient()
export async function use() {
  const users = await api.getUserPage()
  const name: string = users.items[0]!.name
  const orders = await api.getOrderPage()
  const price: number = orders.items[0]!.price + orders.total
  const any: unknown = (await api.getPage()).items[0]
  // @ts-expect-error a user has no price
  users.items[0]!.price
  return [name, price, any, users.next]
}
`

it.each([
  ['without $id', pages(() => 'title: Generic', "'#/components/schemas/Page'")],
  ['with $id', pages((name) => `$id: https://api.example/${name}`, 'page')],
])(
  'a $dynamicRef is what the schema that refers to a generic one says (%s)',
  async (_, schemas) => {
    const { stderr } = await generated(openapi(schemas, 'Page', 'UserPage', 'OrderPage'), PAGES_USE)
    expect(stderr).not.toMatch(/warning|error/)
  },
)

it('a schema that extends a recursive one is recursive itself', async () => {
  await generated(
    openapi(
      `    Tree:
      $id: https://api.example/tree
      $dynamicAnchor: node
      type: object
      properties: { value: { type: string }, children: { type: array, items: { $dynamicRef: '#node' } } }
    NumberedTree:
      $id: https://api.example/numbered
      $dynamicAnchor: node
      $ref: tree
      required: [number]
      properties: { number: { type: integer } }
`,
      'Tree',
      'NumberedTree',
    ),
    `import { createHttpClient } from './http.client.js'
const api = createHttpClient()
export async function use() {
  const tree = await api.getTree()
  const numbered = await api.getNumberedTree()
  const value: string | undefined = tree.children?.[0]?.children?.[0]?.value
  const number: number | undefined = numbered.children?.[0]?.children?.[0]?.number
  // @ts-expect-error a plain tree has no numbers
  tree.children?.[0]?.number
  return [value, number]
}
`,
  )
})

it('a $dynamicRef to an $anchor or a pointer is a $ref', async () => {
  await generated(
    openapi(
      `    Box:
      type: object
      required: [first, second]
      properties: { first: { $dynamicRef: '#name' }, second: { $dynamicRef: '#/components/schemas/Count' } }
    Name: { $anchor: name, type: string }
    Count: { type: integer }
`,
      'Box',
    ),
    `import { createHttpClient } from './http.client.js'
export const use = async () => {
  const { first, second } = await createHttpClient().getBox()
  return first.length + second
}
`,
  )
})

it('a $dynamicRef that no schema gives a meaning is unknown, with its place, and the rest is generated', async () => {
  const text = openapi(
    `    Box:
      type: object
      required: [name, rest]
      properties:
        name: { type: string }
        rest: { $dynamicRef: '#rest' }
`,
    'Box',
  )
  const { stderr } = await generated(
    text,
    `import { createHttpClient } from './http.client.js'
export const use = async (): Promise<[string, unknown]> => {
  const { name, rest } = await createHttpClient().getBox()
  return [name, rest]
}
`,
  )
  const line = text.split('\n').findIndex((one) => one.includes('#rest')) + 1
  expect(stderr).toMatch(
    new RegExp(`openapi\\.yaml:${line}:\\d+ warning .*#rest.*schema-keyword-is-not-supported`),
  )
})
