import { createContext, runInContext } from 'node:vm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { SearchResult } from '../../src/docs/page/search-shelves.js'
import { siteOf, siteOfSpec } from './site-of.js'

/** What a browser finds in a site. */
const finder = (file: (name: string) => string) => {
  const page: { self?: object; twinspecFind?: (query: string) => readonly SearchResult[] } = {}
  page.self = page
  createContext(page)
  for (const name of ['search-index.js', 'search.js']) runInContext(file(name), page)
  return (query: string) =>
    (page.twinspecFind?.(query) ?? []).map(({ name, kind, summary: said, href }) => ({
      ...{ name, kind, said, href },
    }))
}

describe('the search of the documents of the service', () => {
  let find: ReturnType<typeof finder>
  beforeAll(async () => {
    find = finder((await siteOfSpec()).file)
  })

  it.each([
    ['eth_getBalance', 'eth_getBalance', 'operations/ethGetBalance.html'],
    ['getbal', 'eth_getBalance', 'operations/ethGetBalance.html'],
    ['getbalence', 'eth_getBalance', 'operations/ethGetBalance.html'],
    ['eth_call', 'eth_call', 'operations/ethCall.html'],
    ['submit api key', 'POST /zkt/{apiKey}', 'operations/submitZkt.html'],
    ['PlacedTransaction', 'PlacedTransaction', 'schemas/PlacedTransaction.html'],
    ['-32601', '-32601', 'errors.html#error---32601'],
    ['404', '404 Not Found', 'errors.html#error--404'],
  ])('%s is %s', (query, name, href) => {
    expect(find(query)[0]).toMatchObject({ name, href })
  })
})

describe('the search of a document', () => {
  const method = {
    name: 'shop_price',
    summary: 'The price of an item',
    description: 'Prices are **rounded**. What is rounded twice, the price too, is shown once.',
    params: [{ name: 'currencyCode', schema: { $ref: '#/components/schemas/Money' } }],
    result: { name: 'price', schema: { type: 'number' } },
    errors: [{ code: 17, message: 'Sold out' }],
  }
  const schemas = { Money: { type: 'string', description: 'Three letters.' } }
  const openrpc = {
    openrpc: '1.3.2',
    info: { title: 'Shop', version: '1' },
    methods: [method],
    components: { schemas },
  }

  it('finds a page by each word that it says, and shows its summary', async () => {
    const find = finder((await siteOf({ openrpc })).file)
    const shown = {
      name: 'shop_price',
      kind: 'method',
      said: 'The price of an item',
      href: 'operations/shopPrice.html',
    }
    for (const query of ['shopPrice', 'item', 'rounded', 'twice price', 'currency', 'code sold'])
      expect(find(query)[0]).toEqual(shown)
    expect(find('letters')).toEqual([
      {
        name: 'Money',
        kind: 'schema',
        said: 'Three letters.',
        href: 'schemas/Money.html',
      },
    ])
    expect(find('letters sold')).toEqual([])
  })

  it('says no word twice that a page is found by', async () => {
    const { file } = await siteOf({ openrpc })
    expect(file('search-index.js').match(/rounded/g)).toHaveLength(1)
  })
})
