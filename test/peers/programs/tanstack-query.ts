import {
  hashKey,
  InfiniteQueryObserver,
  MutationObserver,
  QueryClient,
  QueryObserver,
} from '@tanstack/query-core'
import { isCallError, RpcError } from 'twinspec/runtime/errors'
import { createHttpClient, isHttpError } from './generated/http.client.js'
import { createRpcClient, isRpcError } from './generated/rpc.client.js'
import { createHttpQueries, createRpcQueries } from './generated/tanstack-query.js'

/** Prints one line of JSON for each behaviour; `tanstack-query.e2e.test.ts` reads them. */
const print = (name: string, value: unknown) => console.log(JSON.stringify([name, value]))

const order = { id: 'o-1', customer: 'Ada', lines: [{ sku: 'tea-1', quantity: 2 }], status: 'open' }
type Call = { id: number; method: string; params: unknown }
const sent: string[] = []
const aborted: string[] = []

/** A server: two pages of orders, one order, and a stock of 12. */
const fetch = async (address: string | URL | Request, init?: RequestInit): Promise<Response> => {
  const { pathname, search } = new URL(String(address))
  sent.push(`${init?.method} ${pathname}${search} ${init?.body ?? ''}`.trim())
  if (pathname === '/orders/slow')
    return await new Promise((_, reject) =>
      init?.signal?.addEventListener('abort', () => {
        aborted.push(pathname)
        reject(init.signal?.reason)
      }),
    )
  if (pathname === '/rpc') {
    const answer = ({ id, method, params }: Call) => {
      const [sku] = Array.isArray(params) ? params : []
      if (sku === 'none')
        return { jsonrpc: '2.0', id, error: { code: -32001, message: 'Unknown article' } }
      const after =
        params && typeof params === 'object' && 'after' in params ? params.after : undefined
      const page =
        after === 'tea-2' ? { skus: ['tea-3'] } : { skus: ['tea-1', 'tea-2'], next: 'tea-2' }
      return { jsonrpc: '2.0', id, result: method === 'stock_list' ? page : 12 }
    }
    const calls: Call | Call[] = JSON.parse(String(init?.body))
    return Response.json(Array.isArray(calls) ? calls.map(answer) : answer(calls))
  }
  if (init?.method === 'POST') return Response.json(order, { status: 201 })
  if (pathname === '/orders')
    return Response.json({ orders: [order], next: search.includes('cursor') ? null : 'c2' })
  return pathname === '/orders/o-1'
    ? Response.json(order)
    : Response.json({ detail: 'no such order' }, { status: 404 })
}

const server = 'http://shop.test'
const http = createHttpQueries(createHttpClient({ server, fetch }))
const rpc = createRpcQueries(createRpcClient({ server: `${server}/rpc`, fetch, batch: 'auto' }))
const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 60_000 } },
})

const levels = await Promise.all([
  queries.fetchQuery(rpc.stockLevel.queryOptions('tea-1')),
  queries.fetchQuery(rpc.stockLevel.queryOptions('tea-2', 'north')),
])
print('batch', { levels, requests: sent.splice(0).length })

const observer = new InfiniteQueryObserver(
  queries,
  http.listOrders.infiniteQueryOptions({ query: { status: 'open' } }),
)
const done = observer.subscribe(() => undefined)
await observer.refetch()
sent.length = 0
const second = await observer.fetchNextPage()
const ids: string[] = second.data?.pages.flatMap((page) => page.orders.map(({ id }) => id)) ?? []
print('infinite', { ids, more: second.hasNextPage, requests: sent.splice(0) })
done()

const stock = await queries.fetchInfiniteQuery({
  ...rpc.stockList.infiniteQueryOptions(),
  pages: 3,
})
print('infinite rpc', {
  skus: stock.pages.flatMap(({ skus }) => skus),
  requests: sent.splice(0).length,
})

const create = new MutationObserver(queries, http.createOrder.mutationOptions())
const created = await create.mutate({ body: { customer: 'Ada', lines: order.lines } })
const reserve = new MutationObserver(queries, rpc.stockReserve.mutationOptions())
const left: number = await reserve.mutate(['tea-1', 2])
print('mutation', { id: created.id, left, requests: sent.splice(0).length })

const known = queries.getQueryData(rpc.stockLevel.queryKey('tea-1'))
const typed: number | undefined = known
// @ts-expect-error a level is a number
const text: string | undefined = known
print('known', [typed, text === typed])

const missing = await queries
  .fetchQuery(http.getOrder.queryOptions({ path: { id: 'o-2' } }))
  .catch((error: unknown) => error)
if (isHttpError(missing, 'getOrder', 404)) print('error', missing.body.detail)
const unknown = new QueryObserver(queries, rpc.stockLevel.queryOptions('none'))
const { error } = await unknown.refetch()
if (isRpcError(error, -32001))
  print('error rpc', [error.message, error instanceof RpcError, isCallError(error)])

const slow = queries
  .fetchQuery(http.getOrder.queryOptions({ path: { id: 'slow' } }))
  .catch(() => 'cancelled')
while (!sent.some((line) => line.includes('slow')))
  await new Promise((resolve) => setTimeout(resolve, 1))
await queries.cancelQueries({ queryKey: http.getOrder.key })
print('abort', { result: await slow, aborted })

await queries.fetchQuery(http.getOrder.queryOptions({ path: { id: 'o-1' } }))
await queries.invalidateQueries({ queryKey: http.getOrder.key })
const state = queries.getQueryState(http.getOrder.queryKey({ path: { id: 'o-1' } }))
print('invalidated', state?.isInvalidated)

print('keys', [
  http.getOrder.key,
  http.getOrder.queryKey({ path: { id: 'o-1' } }),
  http.listOrders.infiniteQueryKey(),
  rpc.stockLevel.queryKey('tea-1', undefined),
  createRpcQueries(createRpcClient(), { prefix: 'testnet' }).stockLevel.key,
  hashKey(http.listOrders.queryKey({ query: { status: 'open', cursor: 'c' } })) ===
    hashKey(http.listOrders.queryKey({ query: { cursor: 'c', status: 'open' } })),
])

// @ts-expect-error an order is created once, not whenever a window is focused
void (() => http.createOrder.queryOptions)
// @ts-expect-error an id is text
http.getOrder.queryOptions({ path: { id: 7 } })
// @ts-expect-error an article is needed
rpc.stockLevel.queryOptions()
